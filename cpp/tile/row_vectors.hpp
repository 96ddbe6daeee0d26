// Numbers of a row as vectors of doubles, also where fewer are left than a vector holds. Kernel
// files only.
#pragma once

#include "scan/vectors.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

// `count` ≤ lanes numbers, then zeros.
[[maybe_unused]] Vector some(const double* x, Index count) {
#if defined(__AVX512F__)
    return (Vector)_mm512_maskz_loadu_pd(static_cast<__mmask8>((1U << count) - 1U), x);
#else
    Vector v = {};
    for (Index h = 0; h < count; ++h) v[h] = x[h];
    return v;
#endif
}
[[maybe_unused]] Vector some(const float* x, Index count) {
#if defined(__AVX512F__)
    const auto mask = static_cast<__mmask8>((1U << count) - 1U);
    return (Vector)_mm512_maskz_cvtps_pd(mask, _mm256_maskz_loadu_ps(mask, x));
#else
    Vector v = {};
    for (Index h = 0; h < count; ++h) v[h] = static_cast<double>(x[h]);
    return v;
#endif
}
[[maybe_unused]] Vector all(const double* x) {
    Vector v;
    __builtin_memcpy(&v, x, sizeof(v));
    return v;
}
[[maybe_unused]] Vector all(const float* x) {
    typedef float Half __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2)));
    Half v;
    __builtin_memcpy(&v, x, sizeof(v));
    return __builtin_convertvector(v, Vector);
}

[[maybe_unused]] void put_some(double* x, Index count, Vector v) {
#if defined(__AVX512F__)
    _mm512_mask_storeu_pd(x, static_cast<__mmask8>((1U << count) - 1U), (__m512d)v);
#else
    for (Index h = 0; h < count; ++h) x[h] = v[h];
#endif
}

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
