// The two nearest of some centres for each row of a panel, found while the products are in
// registers, and sums of rows by centre.
#include "tile/kernels.hpp"
#include "tile/roots.hpp"
#include "tile/row_vectors.hpp"
#include "tile/tile_shape.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

template <class T>
struct Lanes;
template <>
struct Lanes<double> {
    typedef double Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
    typedef long long Whole __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
};
template <>
struct Lanes<float> {
    typedef float Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
    typedef int Whole __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
};

// What is known of the two nearest centres so far.
template <class T>
struct Two {
    using Vector = typename Lanes<T>::Vector;
    using Whole = typename Lanes<T>::Whole;
    static constexpr Index lanes = STYLOBATE_VECTOR_BYTES / static_cast<Index>(sizeof(T));
    static constexpr Index width = vectors * lanes;

    static Vector load(const T* p) {
        Vector v;
        __builtin_memcpy(&v, p, sizeof(v));
        return v;
    }
    static void store(T* p, Vector v) { __builtin_memcpy(p, &v, sizeof(v)); }

    // `part` of the centres of one panel, numbered from `first`.
    template <Index part>
    static void panel(const T* q, T first, const T* norms, const T* r, Index depth, T* best,
                      T* second, T* label) {
        Vector sum[part][vectors];
        for (Index i = 0; i < part; ++i)
            for (Index v = 0; v < vectors; ++v) sum[i][v] = norms[i] - Vector{};
        for (Index l = 0; l < depth; ++l, q += queries, r += width) {
            Vector x[vectors];
            for (Index v = 0; v < vectors; ++v) x[v] = load(r + v * lanes);
            for (Index i = 0; i < part; ++i) {
                const Vector y = q[i] - Vector{};  // broadcast
                for (Index v = 0; v < vectors; ++v) sum[i][v] += x[v] * y;
            }
        }
        for (Index v = 0; v < vectors; ++v) {
            Vector least = load(best + v * lanes), next = load(second + v * lanes);
            Vector which = load(label + v * lanes);
            for (Index i = 0; i < part; ++i) {
                const Vector x = sum[i][v];
                const Whole nearer = x < least;  // of equal ones the first stays
                const Vector other = nearer ? least : x;
                next = other < next ? other : next;
                which = nearer ? (first + static_cast<T>(i)) - Vector{} : which;
                least = nearer ? x : least;
            }
            store(best + v * lanes, least);
            store(second + v * lanes, next);
            store(label + v * lanes, which);
        }
    }

    static void all(const T* q, Index count, const T* norms, const T* r, Index depth, T* best,
                    T* second, T* label) {
        for (Index j = 0; j < width; ++j) best[j] = second[j] = static_cast<T>(__builtin_inf());
        for (Index j = 0; j < width; ++j) label[j] = T(0);
        for (Index i = 0; i < count; i += queries, q += queries * depth, norms += queries) {
            const Index left = count - i;
            const T first = static_cast<T>(i);
            if (left > queries / 2)
                panel<queries>(q, first, norms, r, depth, best, second, label);
            else if (left > queries / 4)
                panel<queries / 2>(q, first, norms, r, depth, best, second, label);
            else
                panel<queries / 4>(q, first, norms, r, depth, best, second, label);
        }
    }
};

template <class T>
double add_rows(const T* x, Index stride, const int* labels, const double* weights, Index rows,
                Index depth, const double* centres, double* sums) {
    Vector squares = {};
    const Index whole = depth / lanes * lanes, left = depth - whole;
    for (Index i = 0; i < rows; ++i, x += stride) {
        const double* const c = centres + labels[i] * depth;
        double* const to = sums + labels[i] * depth;
        const double w = weights == nullptr ? 1.0 : weights[i];
        for (Index l = 0; l < whole; l += lanes) {
            const auto off = all(x + l) - all(c + l), weighted = w * off;
            const auto sum = all(to + l) + weighted;
            __builtin_memcpy(to + l, &sum, sizeof(sum));
            squares += weighted * off;
        }
        if (left == 0) continue;
        const auto off = some(x + whole, left) - some(c + whole, left), weighted = w * off;
        squares += weighted * off;
        put_some(to + whole, left, some(to + whole, left) + weighted);
    }
    double sum = 0.0;
    for (Index h = 0; h < lanes; ++h) sum += squares[h];
    return sum;
}

}  // namespace

void tile_nearest_f64(const double* q, Index count, const double* norms, const double* r,
                      Index depth, double* best, double* second, double* label) {
    Two<double>::all(q, count, norms, r, depth, best, second, label);
}

void tile_nearest_f32(const float* q, Index count, const float* norms, const float* r, Index depth,
                      float* best, float* second, float* label) {
    Two<float>::all(q, count, norms, r, depth, best, second, label);
}

void tile_leads(const float* best, const float* second, const float* norms, float largest,
                float share, float* lead, float* lower, int* doubtful) {
    using L = Two<float>;
    for (Index j = 0; j < L::width; j += L::lanes) {
        const Singles norm = L::load(norms + j), size = norm + largest, off = share * size;
        const Singles near = L::load(best + j) + norm, next = L::load(second + j) + norm;
        const Singles own = root_of(near + off), other = root_of(next - off);
        L::store(lead + j, other * (1.0F - 0x1p-21F) - own * (1.0F + 0x1p-21F));
        L::store(lower + j, other);
        // NaN is doubtful as well
        const L::Whole certain = (next - near > 2.0F * off) & (size < 1e36F) & (size > 1e-30F);
        const L::Whole open = ~certain;
        __builtin_memcpy(doubtful + j, &open, sizeof(open));
    }
}

double add_rows_f64(const double* x, Index stride, const int* labels, const double* weights,
                    Index rows, Index depth, const double* centres, double* sums) {
    return add_rows(x, stride, labels, weights, rows, depth, centres, sums);
}

double add_rows_f32(const float* x, Index stride, const int* labels, const double* weights,
                    Index rows, Index depth, const double* centres, double* sums) {
    return add_rows(x, stride, labels, weights, rows, depth, centres, sums);
}

}  // namespace stylobate::STYLOBATE_ISA
