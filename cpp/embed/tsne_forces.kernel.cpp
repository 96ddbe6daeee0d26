// Forces between points of a map: repulsion of all, attraction along edges.
#include "embed/singles.hpp"
#include "embed/tsne_kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

Eight roots(Eight x) {
    Eight root = x;
    for (Index i = 0; i < 8; ++i) root[i] = __builtin_sqrtf(x[i]);
    return root;
}

struct OneDegree {
    static Eight similarity(Eight, Eight inverse) { return inverse; }
};
struct TwoDegrees {
    static Eight similarity(Eight, Eight inverse) { return inverse * roots(inverse); }
};
struct AnyDegrees {
    float exponent;
    Eight similarity(Eight base, Eight) const {
        Eight value = base;
        for (Index i = 0; i < 8; ++i) value[i] = __builtin_powf(base[i], exponent);
        return value;
    }
};

// Sums in single precision are over this many points per lane before they are taken to double.
constexpr Index points_in_single = 4096;

template <int dimension, class Similarity>
void repel(const float* points, Index stride, Index padded, float inverse_dof,
           const Similarity& similarity, const float* queries, double* forces, double* sums) {
    constexpr Index several = tsne::queries_at_once;
    for (Index from = 0; from < padded; from += points_in_single) {
        const Index to = from + points_in_single < padded ? from + points_in_single : padded;
        Eight force[several][dimension] = {}, sum[several] = {};
        for (Index j = from; j < to; j += 8) {
            Eight y[dimension];
            for (int c = 0; c < dimension; ++c) y[c] = load_eight(points + c * stride + j);
            for (Index q = 0; q < several; ++q) {
                Eight difference[dimension], squares{};
                for (int c = 0; c < dimension; ++c) {
                    difference[c] = queries[q * dimension + c] - y[c];
                    squares += difference[c] * difference[c];
                }
                const Eight base = 1.0F + squares * inverse_dof, inverse = 1.0F / base;
                const Eight w = similarity.similarity(base, inverse), f = w * inverse;
                sum[q] += w;
                for (int c = 0; c < dimension; ++c) force[q][c] += f * difference[c];
            }
        }
        for (Index q = 0; q < several; ++q) {
            sums[q] += sum_of(sum[q]);
            for (int c = 0; c < dimension; ++c) forces[q * dimension + c] += sum_of(force[q][c]);
        }
    }
}

// Any dimension: one query at a time.
template <class Similarity>
void repel_any(const float* points, Index stride, Index padded, Index d, float inverse_dof,
               const Similarity& similarity, const float* queries, double* forces, double* sums) {
    for (Index q = 0; q < tsne::queries_at_once; ++q)
        for (Index from = 0; from < padded; from += points_in_single) {
            const Index to = from + points_in_single < padded ? from + points_in_single : padded;
            Eight force[tsne::largest_dimension] = {}, sum{};
            for (Index j = from; j < to; j += 8) {
                Eight squares{};
                for (Index c = 0; c < d; ++c) {
                    const Eight t = queries[q * d + c] - load_eight(points + c * stride + j);
                    squares += t * t;
                }
                const Eight base = 1.0F + squares * inverse_dof, inverse = 1.0F / base;
                const Eight w = similarity.similarity(base, inverse), f = w * inverse;
                sum += w;
                for (Index c = 0; c < d; ++c)
                    force[c] += f * (queries[q * d + c] - load_eight(points + c * stride + j));
            }
            sums[q] += sum_of(sum);
            for (Index c = 0; c < d; ++c) forces[q * d + c] += sum_of(force[c]);
        }
}

template <class Similarity>
void repel_dimensions(const float* points, Index stride, Index padded, Index d, float inverse_dof,
                      const Similarity& s, const float* queries, double* forces, double* sums) {
    if (d == 1)
        repel<1>(points, stride, padded, inverse_dof, s, queries, forces, sums);
    else if (d == 2)
        repel<2>(points, stride, padded, inverse_dof, s, queries, forces, sums);
    else if (d == 3)
        repel<3>(points, stride, padded, inverse_dof, s, queries, forces, sums);
    else
        repel_any(points, stride, padded, d, inverse_dof, s, queries, forces, sums);
}

// The two coordinates of eight points that lie anywhere.
void gather_pairs(const float* points, const int* at, Eight& x, Eight& y) {
#if defined(__AVX2__)
    const auto two = [&](Index i) {
        const __m128 low = _mm_castsi128_ps(
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(points + 2 * Index{at[i]})));
        return _mm_loadh_pi(low, reinterpret_cast<const __m64*>(points + 2 * Index{at[i + 1]}));
    };
    const __m256 even = _mm256_insertf128_ps(_mm256_castps128_ps256(two(0)), two(4), 1);
    const __m256 odd = _mm256_insertf128_ps(_mm256_castps128_ps256(two(2)), two(6), 1);
    x = (Eight)_mm256_shuffle_ps(even, odd, 0x88);
    y = (Eight)_mm256_shuffle_ps(even, odd, 0xdd);
#else
    for (Index i = 0; i < 8; ++i) {
        x[i] = points[2 * Index{at[i]}];
        y[i] = points[2 * Index{at[i]} + 1];
    }
#endif
}

void attract_in_plane(const float* points, float inverse_dof, const float* y, const int* neighbours,
                      const float* p, Index count, float* force) {
    Eight fx{}, fy{};
    Index k = 0;
    for (; k + 8 <= count; k += 8) {
        Eight px{}, py{};
        gather_pairs(points, neighbours + k, px, py);
        const Eight dx = y[0] - px, dy = y[1] - py;
        const Eight f = load_eight(p + k) / (1.0F + (dx * dx + dy * dy) * inverse_dof);
        fx += f * dx;
        fy += f * dy;
    }
    float sx = static_cast<float>(sum_of(fx)), sy = static_cast<float>(sum_of(fy));
    for (; k < count; ++k) {
        const float* const other = points + 2 * Index{neighbours[k]};
        const float dx = y[0] - other[0], dy = y[1] - other[1];
        const float f = p[k] / (1.0F + (dx * dx + dy * dy) * inverse_dof);
        sx += f * dx;
        sy += f * dy;
    }
    force[0] = sx;
    force[1] = sy;
}

}  // namespace

void tsne_repulsion(const float* points, Index stride, Index padded, Index d, float dof,
                    const float* queries, double* forces, double* sums) {
    const float inverse = 1.0F / dof;
    if (dof == 1.0F)
        repel_dimensions(points, stride, padded, d, inverse, OneDegree{}, queries, forces, sums);
    else if (dof == 2.0F)
        repel_dimensions(points, stride, padded, d, inverse, TwoDegrees{}, queries, forces, sums);
    else
        repel_dimensions(points, stride, padded, d, inverse, AnyDegrees{-0.5F * (dof + 1.0F)},
                         queries, forces, sums);
}

void tsne_attraction(const float* points, Index d, float dof, const float* y, const int* neighbours,
                     const float* p, Index count, float* force) {
    const float inverse = 1.0F / dof;
    if (d == 2) return attract_in_plane(points, inverse, y, neighbours, p, count, force);
    for (Index c = 0; c < d; ++c) force[c] = 0.0F;
    for (Index k = 0; k < count; ++k) {
        const float* const other = points + d * Index{neighbours[k]};
        float squares = 0.0F;
        for (Index c = 0; c < d; ++c) squares += (y[c] - other[c]) * (y[c] - other[c]);
        const float f = p[k] / (1.0F + squares * inverse);
        for (Index c = 0; c < d; ++c) force[c] += f * (y[c] - other[c]);
    }
}

}  // namespace stylobate::STYLOBATE_ISA
