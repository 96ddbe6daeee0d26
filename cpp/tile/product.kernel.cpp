// The micro-kernel of all pairwise work: a register-blocked product of two packed panels of rows.
//
// A tile holds `tile_queries` (broadcast) × `tile_vectors` (loaded) accumulators. Its rows lie in
// panels, one column after the other, so that both sides are read once and in order. The depth is
// cut so that a panel of rows stays in the first cache while all queries pass over it.
//
// No standard headers, as in every kernel file.
#include "tile/kernels.hpp"
#include "tile/not_above.hpp"
#include "tile/tile_shape.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

template <class T>
struct Lanes {
    typedef T Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
    static constexpr Index count = STYLOBATE_VECTOR_BYTES / sizeof(T);
    static Vector load(const T* p) {
        Vector v;
        __builtin_memcpy(&v, p, sizeof(v));
        return v;
    }
    static void store(T* p, Vector v) { __builtin_memcpy(p, &v, sizeof(v)); }
};

constexpr Index first_cache = 24 * 1024;  // bytes of a panel that leave room for the queries

// c = start + Σ q·r over `depth` columns; start is the bias of every query, or what c holds.
template <class T>
void tile(const T* q, const T* r, Index depth, const T* bias, T* c) {
    using L = Lanes<T>;
    using Vector = typename L::Vector;
    constexpr Index width = vectors * L::count;
    Vector sum[queries][vectors];
    for (Index i = 0; i < queries; ++i)
        for (Index v = 0; v < vectors; ++v)
            sum[i][v] =
                L::load(bias != nullptr ? bias + v * L::count : c + i * width + v * L::count);
    for (Index l = 0; l < depth; ++l, q += queries, r += width) {
        Vector x[vectors];
        for (Index v = 0; v < vectors; ++v) x[v] = L::load(r + v * L::count);
        for (Index i = 0; i < queries; ++i) {
            const Vector y = q[i] - Vector{};  // broadcast
            for (Index v = 0; v < vectors; ++v) sum[i][v] += x[v] * y;
        }
    }
    for (Index i = 0; i < queries; ++i)
        for (Index v = 0; v < vectors; ++v) L::store(c + i * width + v * L::count, sum[i][v]);
}

template <class T>
void product(const T* q, Index panels, const T* r, Index depth, const T* bias, T* c) {
    constexpr Index width = vectors * Lanes<T>::count;
    constexpr Index step = first_cache / (width * static_cast<Index>(sizeof(T)));
    for (Index l = 0; l == 0 || l < depth; l += step) {
        const Index part = depth - l < step ? depth - l : step;
        for (Index i = 0; i < panels; ++i)
            tile<T>(q + (i * depth + l) * queries, r + l * width, part, l == 0 ? bias : nullptr,
                    c + i * queries * width);
    }
}

template <class T>
Index candidates(const T* c, Index rows, const T* limits, TileBits* out) {
    constexpr Index width = vectors * Lanes<T>::count;
    Index count = 0;
    for (Index i = 0; i < rows; ++i) {
        const unsigned long long bits = not_above<vectors>(c + i * width, limits[i]);
        if (bits != 0) out[count++] = {i, bits};
    }
    return count;
}

}  // namespace

Index tile_queries() {
    return queries;
}

Index tile_bytes() {
    return vectors * STYLOBATE_VECTOR_BYTES;
}

void tile_product_f64(const double* q, Index panels, const double* r, Index depth,
                      const double* bias, double* c) {
    product<double>(q, panels, r, depth, bias, c);
}

void tile_product_f32(const float* q, Index panels, const float* r, Index depth, const float* bias,
                      float* c) {
    product<float>(q, panels, r, depth, bias, c);
}

Index tile_candidates_f64(const double* c, Index rows, const double* limits, TileBits* out) {
    return candidates<double>(c, rows, limits, out);
}

Index tile_candidates_f32(const float* c, Index rows, const float* limits, TileBits* out) {
    return candidates<float>(c, rows, limits, out);
}

// c holds ‖y‖² − 2xy; adds ‖x‖² and lists the entries below share · (‖x‖² + ‖y‖²), or NaN.
Index tile_squares(double* c, Index rows, const double* query_norms, const double* row_norms,
                   double share, TileBits* out) {
    using L = Lanes<double>;
    constexpr Index width = vectors * L::count;
    Index count = 0;
    double excess[width];
    for (Index i = 0; i < rows; ++i, c += width) {
        const double norm = query_norms[i];
        for (Index v = 0; v < vectors; ++v) {
            const L::Vector value = L::load(c + v * L::count) + norm;
            L::store(c + v * L::count, value);
            L::store(excess + v * L::count,
                     value - share * (L::load(row_norms + v * L::count) + norm));
        }
        const unsigned long long bits = not_above<vectors>(excess, 0.0);
        if (bits != 0) out[count++] = {i, bits};
    }
    return count;
}

}  // namespace stylobate::STYLOBATE_ISA
