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

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
