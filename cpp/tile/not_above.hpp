// Bit j: whether c[j] is not above the limit (so NaN, which a careful look must decide, is in).
// Kernel files only.
#pragma once

#include "stylobate/simd.hpp"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

template <Index vectors, class T>
unsigned long long not_above(const T* c, T limit) {
    constexpr Index width = vectors * STYLOBATE_VECTOR_BYTES / static_cast<Index>(sizeof(T));
    unsigned long long found = 0;
#if defined(__AVX512F__)
    for (Index v = 0; v < vectors; ++v) {
        unsigned long long some;
        if constexpr (sizeof(T) == 8)
            some =
                _mm512_cmp_pd_mask(_mm512_loadu_pd(c + v * 8), _mm512_set1_pd(limit), _CMP_NGT_UQ);
        else
            some =
                _mm512_cmp_ps_mask(_mm512_loadu_ps(c + v * 16), _mm512_set1_ps(limit), _CMP_NGT_UQ);
        found |= some << (v * width / vectors);
    }
#elif defined(__AVX2__)
    for (Index v = 0; v < vectors; ++v) {
        int some;
        if constexpr (sizeof(T) == 8)
            some = _mm256_movemask_pd(
                _mm256_cmp_pd(_mm256_loadu_pd(c + v * 4), _mm256_set1_pd(limit), _CMP_NGT_UQ));
        else
            some = _mm256_movemask_ps(
                _mm256_cmp_ps(_mm256_loadu_ps(c + v * 8), _mm256_set1_ps(limit), _CMP_NGT_UQ));
        found |= static_cast<unsigned long long>(some) << (v * width / vectors);
    }
#else
    for (Index j = 0; j < width; ++j)
        found |= static_cast<unsigned long long>(!(c[j] > limit)) << j;
#endif
    return found;
}

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
