// Square roots of vectors, for kernel files only.
#pragma once

#include "scan/vectors.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

// √x, and 0 of negative x; NaN stays.
[[maybe_unused]] Vector root_of(Vector x) {
    const Vector v = choose(x > 0.0, x, choose(x <= 0.0, broadcast(0.0), x));
#if defined(__AVX512F__)
    return (Vector)_mm512_maskz_sqrt_pd(0xff, (__m512d)v);  // the plain one warns in GCC 12
#elif defined(__AVX2__)
    return (Vector)_mm256_sqrt_pd((__m256d)v);
#elif defined(__SSE2__)
    return (Vector)_mm_sqrt_pd((__m128d)v);
#else
    Vector root = v;
    for (Index h = 0; h < lanes; ++h) root[h] = __builtin_sqrt(v[h]);
    return root;
#endif
}

typedef float Singles __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));

// The same in single precision.
[[maybe_unused]] Singles root_of(Singles x) {
    const Singles v = x > 0.0F ? x : (x <= 0.0F ? Singles{} : x);
#if defined(__AVX512F__)
    return (Singles)_mm512_maskz_sqrt_ps(0xffff, (__m512)v);
#elif defined(__AVX2__)
    return (Singles)_mm256_sqrt_ps((__m256)v);
#elif defined(__SSE2__)
    return (Singles)_mm_sqrt_ps((__m128)v);
#else
    Singles root = v;
    for (Index h = 0; h < 2 * lanes; ++h) root[h] = __builtin_sqrtf(v[h]);
    return root;
#endif
}

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
