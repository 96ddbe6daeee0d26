// Blocks of finished values on their way to a matrix in memory.
#include "scan/vectors.hpp"
#include "stylobate/simd.hpp"
#include "tile/tile_shape.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index line = 8;  // doubles of a cache line

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

// To an address that is a multiple of the vector's size, without reading its cache line first.
void stream(double* p, Vector v) {
#if defined(__AVX512F__)
    _mm512_stream_pd(p, (__m512d)v);
#elif defined(__AVX2__)
    _mm256_stream_pd(p, (__m256d)v);
#elif defined(__SSE2__)
    _mm_stream_pd(p, (__m128d)v);
#else
    __builtin_memcpy(p, &v, sizeof(v));
#endif
}

// Whole cache lines go around the caches, what is left at both ends does not.
void stream_row(const double* c, Index n, double* out) {
    const auto at = static_cast<Index>((reinterpret_cast<unsigned long long>(out) / 8) % line);
    const Index head = at == 0 ? 0 : line - at;
    Index j = 0;
    for (; j < head && j < n; ++j) out[j] = c[j];
    for (; j + line <= n; j += line)
        for (Index v = 0; v < line; v += lanes) stream(out + j + v, load(c + j + v));
    for (; j < n; ++j) out[j] = c[j];
}

#if defined(__AVX2__)
// A square of 4 × 4 by halves and pairs.
void transpose_four(const double* c, Index ld, double* out, Index stride) {
    const __m256d a = _mm256_loadu_pd(c), b = _mm256_loadu_pd(c + ld),
                  d = _mm256_loadu_pd(c + 2 * ld), e = _mm256_loadu_pd(c + 3 * ld);
    const __m256d p = _mm256_unpacklo_pd(a, b), q = _mm256_unpackhi_pd(a, b),
                  r = _mm256_unpacklo_pd(d, e), s = _mm256_unpackhi_pd(d, e);
    _mm256_storeu_pd(out, _mm256_permute2f128_pd(p, r, 0x20));
    _mm256_storeu_pd(out + stride, _mm256_permute2f128_pd(q, s, 0x20));
    _mm256_storeu_pd(out + 2 * stride, _mm256_permute2f128_pd(p, r, 0x31));
    _mm256_storeu_pd(out + 3 * stride, _mm256_permute2f128_pd(q, s, 0x31));
}
#else
void transpose_four(const double* c, Index ld, double* out, Index stride) {
    for (Index j = 0; j < 4; ++j)
        for (Index i = 0; i < 4; ++i) out[j * stride + i] = c[i * ld + j];
}
#endif

}  // namespace

void tile_put(const double* c, Index rows, Index cols, Index ld, double* out, Index stride,
              bool past_cache) {
    past_cache = past_cache && reinterpret_cast<unsigned long long>(out) % 8 == 0;
    for (Index i = 0; i < rows; ++i, c += ld, out += stride) {
        if (past_cache)
            stream_row(c, cols, out);
        else
            __builtin_memcpy(out, c, static_cast<unsigned long>(cols) * sizeof(double));
    }
#if defined(__SSE2__)
    if (past_cache) _mm_sfence();  // before others are told that the values are there
#endif
}

void tile_transpose(const double* c, Index rows, double* out, Index stride) {
    constexpr Index width = vectors * lanes;
    static_assert(width % 4 == 0 || lanes < 4);
    Index i = 0;
    if constexpr (width % 4 == 0)
        for (; i + 4 <= rows; i += 4)
            for (Index j = 0; j < width; j += 4)
                transpose_four(c + i * width + j, width, out + j * stride + i, stride);
    for (; i < rows; ++i)
        for (Index j = 0; j < width; ++j) out[j * stride + i] = c[i * width + j];
}

}  // namespace stylobate::STYLOBATE_ISA
