// Sweeps over coordinates and products at chosen entries. No standard headers, as in every kernel
// file.
#include "embed/factor_kernels.hpp"
#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index row_vectors = sweep_rows / lanes;
constexpr Index most_vectors = 6;  // of a factor's row at a time: accumulators in registers

LooseVector& at(double* p) {
    return *reinterpret_cast<LooseVector*>(p);
}
const LooseVector& at(const double* p) {
    return *reinterpret_cast<const LooseVector*>(p);
}
double summed(Vector v) {
    double total = 0.0;
    for (Index i = 0; i < lanes; ++i) total += v[i];
    return total;
}

// v rows wide, `vectors` of them; calls body(first column, number of vectors) with the number known
// to the compiler.
template <class Body>
void over_columns(Index k, const Body& body) {
    Index from = 0;
    const auto run = [&]<Index vectors>() { body.template operator()<vectors>(from); };
    for (; from + most_vectors * lanes <= k; from += most_vectors * lanes)
        run.template operator()<most_vectors>();
    switch ((k - from + lanes - 1) / lanes) {
        case 1:
            return run.template operator()<1>();
        case 2:
            return run.template operator()<2>();
        case 3:
            return run.template operator()<3>();
        case 4:
            return run.template operator()<4>();
        case 5:
            return run.template operator()<5>();
        case 6:
            return run.template operator()<6>();
        default:
            return;
    }
}

template <class I>
void add_gathered(const double* f, Index ld, Index k, const I* index, Index count,
                  const double* factor, double* out) {
    over_columns(k, [&]<Index vectors>(Index from) {
        Vector sum[vectors];
        for (Index v = 0; v < vectors; ++v) sum[v] = at(out + from + v * lanes);
        for (Index e = 0; e < count; ++e) {
            const double* const row = f + static_cast<Index>(index[e]) * ld + from;
            const Vector c = broadcast(factor[e]);
            for (Index v = 0; v < vectors; ++v) sum[v] += c * at(row + v * lanes);
        }
        for (Index v = 0; v < vectors; ++v) at(out + from + v * lanes) = sum[v];
    });
}

}  // namespace

double sweep(double* w, const double* cross, const double* gram, Index ld, Index k,
             const Index* order) {
    Vector violation[row_vectors] = {};
    for (Index s = 0; s < k; ++s) {
        const Index t = order[s];
        const double* const g = gram + t * ld;
        Vector slope[row_vectors];
        for (Index v = 0; v < row_vectors; ++v) slope[v] = -at(cross + t * sweep_rows + v * lanes);
        for (Index r = 0; r < k; ++r) {
            const Vector c = broadcast(g[r]);
            for (Index v = 0; v < row_vectors; ++v)
                slope[v] += c * at(w + r * sweep_rows + v * lanes);
        }
        const double curvature = g[t];
        for (Index v = 0; v < row_vectors; ++v) {
            LooseVector& own = at(w + t * sweep_rows + v * lanes);
            const Vector zero = {};
            const Whole inward = (own == zero) & (slope[v] > zero);  // a bound holds it
            const Vector size = choose(slope[v] < zero, -slope[v], slope[v]);
            violation[v] += choose(inward, zero, size);
            if (curvature == 0.0) continue;
            const Vector moved = own - slope[v] / curvature;
            own = choose(moved > zero, moved, zero);
        }
    }
    Vector total = violation[0];
    for (Index v = 1; v < row_vectors; ++v) total += violation[v];
    return summed(total);
}

void gathered_dots(const double* f, Index ld, Index k, const Index* index, Index count,
                   const double* w, double* out) {
    over_columns(k, [&]<Index vectors>(Index from) {
        Vector own[vectors];
        for (Index v = 0; v < vectors; ++v) own[v] = at(w + from + v * lanes);
        for (Index e = 0; e < count; ++e) {
            const double* const row = f + index[e] * ld + from;
            Vector sum = own[0] * at(row);
            for (Index v = 1; v < vectors; ++v) sum += own[v] * at(row + v * lanes);
            out[e] = (from == 0 ? 0.0 : out[e]) + summed(sum);
        }
    });
}

void gathered_sums(const double* f, Index ld, Index k, const Index* index, Index count,
                   const double* factor, double* out) {
    add_gathered(f, ld, k, index, count, factor, out);
}

void gathered_sums_i32(const double* f, Index ld, Index k, const int* index, Index count,
                       const double* factor, double* out) {
    add_gathered(f, ld, k, index, count, factor, out);
}

double squared_distance(const double* x, const double* m, Index n) {
    constexpr Index wide = 4;  // sums that do not wait for each other
    Vector sums[wide] = {};
    Index j = 0;
    for (; j + wide * lanes <= n; j += wide * lanes)
        for (Index v = 0; v < wide; ++v) {
            const Vector apart = at(x + j + v * lanes) - at(m + j + v * lanes);
            sums[v] += apart * apart;
        }
    double total = summed((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (; j < n; ++j) total += (x[j] - m[j]) * (x[j] - m[j]);
    return total;
}

void word_ratios(const double* b, Index topics, Index words, const double* theta,
                 const double* counts, double floor, double* ratios) {
    constexpr Index wide = 4;
    Index j = 0;
    const auto some = [&]<Index vectors>() {
        Vector sum[vectors];
        for (Index v = 0; v < vectors; ++v) sum[v] = broadcast(floor);
        for (Index t = 0; t < topics; ++t) {
            const Vector c = broadcast(theta[t]);
            const double* const row = b + t * words + j;
            for (Index v = 0; v < vectors; ++v) sum[v] += c * at(row + v * lanes);
        }
        for (Index v = 0; v < vectors; ++v)
            at(ratios + j + v * lanes) = at(counts + j + v * lanes) / sum[v];
    };
    for (; j + wide * lanes <= words; j += wide * lanes) some.template operator()<wide>();
    for (; j < words; j += lanes) some.template operator()<1>();
}

void topic_sums(const double* b, Index topics, Index words, const double* ratios, double* out) {
    constexpr Index wide = 4;
    Index t = 0;
    const auto some = [&]<Index rows>() {
        Vector sum[rows] = {};
        for (Index j = 0; j < words; j += lanes) {
            const Vector r = at(ratios + j);
            for (Index i = 0; i < rows; ++i) sum[i] += r * at(b + (t + i) * words + j);
        }
        for (Index i = 0; i < rows; ++i) out[t + i] = summed(sum[i]);
    };
    for (; t + wide <= topics; t += wide) some.template operator()<wide>();
    for (; t < topics; ++t) some.template operator()<1>();
}

}  // namespace stylobate::STYLOBATE_ISA
