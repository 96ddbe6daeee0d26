// Runs of numbers of either precision, computed in vectors of doubles; for kernel files only.
//
// A function of a run takes where to read and write (`Wide` or `Single`) and an index, so that one
// text serves the vectors and the last few entries.
#pragma once

#ifdef __AVX__
#include <immintrin.h>
#endif

#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

struct Wide {
    typedef float Half __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2)));
    typedef float LooseHalf
        __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2), aligned(4), may_alias));

    static Vector get(const double* from) { return *reinterpret_cast<const LooseVector*>(from); }
    static Vector get(const float* from) {
#if defined(__AVX512F__)  // the compiler would join halves; the plain one warns in GCC 12
        return (Vector)_mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(from));
#elif defined(__AVX__)
        return (Vector)_mm256_cvtps_pd(_mm_loadu_ps(from));
#else
        const Half half = *reinterpret_cast<const LooseHalf*>(from);
        return __builtin_convertvector(half, Vector);
#endif
    }
    static void put(double* to, Vector x) { *reinterpret_cast<LooseVector*>(to) = x; }
    static void put(float* to, Vector x) {
        *reinterpret_cast<LooseHalf*>(to) = __builtin_convertvector(x, Half);
    }
};

struct Single {
    template <class T>
    static double get(const T* from) {
        return static_cast<double>(*from);
    }
    template <class T>
    static void put(T* to, double x) {
        *to = static_cast<T>(x);
    }
};

// f(access, i) for all entries
template <class Function>
void over_run(Index n, const Function& f) {
    Index i = 0;
    for (; i + lanes <= n; i += lanes) f(Wide{}, i);
    for (; i < n; ++i) f(Single{}, i);
}

// f(access, i, sums) adds an entry to `count` sums
template <int count, class Function>
void sum_run(Index n, const Function& f, double* totals) {
    constexpr int side = 4;  // sums side by side: the processor need not wait for the last one
    Vector sums[side][count] = {};
    double rest[count] = {};
    Index i = 0;
    for (; i + side * lanes <= n; i += side * lanes)
        for (int s = 0; s < side; ++s) f(Wide{}, i + s * lanes, sums[s]);
    for (; i + lanes <= n; i += lanes) f(Wide{}, i, sums[0]);
    for (; i < n; ++i) f(Single{}, i, rest);
    for (int k = 0; k < count; ++k) {
        const Vector sum = (sums[0][k] + sums[1][k]) + (sums[2][k] + sums[3][k]);
        totals[k] = rest[k];
        for (Index lane = 0; lane < lanes; ++lane) totals[k] += sum[lane];
    }
}

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
