// The rows of a small node put in the order of their ranks: a bitonic network over whole vectors.
//
// No standard headers, as in every kernel file.
#include "tree/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 4;
typedef unsigned Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef unsigned Unaligned
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(4), may_alias));

// Whole networks stay in registers only if all of their steps are inlined.
#define STYLOBATE_INLINE inline __attribute__((always_inline))

// Lane i of the result is lane i ^ bits.
template <int bits>
STYLOBATE_INLINE Vector crossed(Vector v) {
#if STYLOBATE_VECTOR_BYTES == 64
    return __builtin_shufflevector(v, v, 0 ^ bits, 1 ^ bits, 2 ^ bits, 3 ^ bits, 4 ^ bits, 5 ^ bits,
                                   6 ^ bits, 7 ^ bits, 8 ^ bits, 9 ^ bits, 10 ^ bits, 11 ^ bits,
                                   12 ^ bits, 13 ^ bits, 14 ^ bits, 15 ^ bits);
#elif STYLOBATE_VECTOR_BYTES == 32
    return __builtin_shufflevector(v, v, 0 ^ bits, 1 ^ bits, 2 ^ bits, 3 ^ bits, 4 ^ bits, 5 ^ bits,
                                   6 ^ bits, 7 ^ bits);
#else
    return __builtin_shufflevector(v, v, 0 ^ bits, 1 ^ bits, 2 ^ bits, 3 ^ bits);
#endif
}

// All ones in the lanes whose number has this bit.
template <int bit>
STYLOBATE_INLINE Vector upper_lanes() {
    Vector mask;
    for (Index i = 0; i < lanes; ++i) mask[i] = (i & bit) ? ~0u : 0u;
    return mask;
}

STYLOBATE_INLINE Vector smaller(Vector a, Vector b) {
    return a < b ? a : b;
}
STYLOBATE_INLINE Vector larger(Vector a, Vector b) {
    return a < b ? b : a;
}

// Lanes i and i ^ bits in order, for all i at once; `upper` is the highest of the bits.
template <int bits, int upper>
STYLOBATE_INLINE void exchange(Vector& v) {
    const Vector other = crossed<bits>(v);
    v = upper_lanes<upper>() ? larger(v, other) : smaller(v, other);
}

// From a bitonic sequence in each run of 2·distance lanes to a sorted one.
template <int distance>
STYLOBATE_INLINE void clean(Vector& v) {
    if constexpr (distance > 0) {
        exchange<distance, distance>(v);
        clean<distance / 2>(v);
    }
}

template <int run = 2>
STYLOBATE_INLINE void sort_lanes(Vector& v) {
    if constexpr (run <= lanes) {
        exchange<run - 1, run / 2>(v);
        clean<run / 4>(v);
        sort_lanes<2 * run>(v);
    }
}

// Two sorted halves of `count` vectors become one.
template <int count>
STYLOBATE_INLINE void merge(Vector* v) {
    Vector high[count / 2];
#pragma GCC unroll 8
    for (int i = 0; i < count / 2; ++i) {
        const Vector other = crossed<lanes - 1>(v[count - 1 - i]);
        high[i] = larger(v[i], other);
        v[i] = smaller(v[i], other);
    }
    // The upper half comes out backwards, which is bitonic all the same.
#pragma GCC unroll 8
    for (int i = 0; i < count / 2; ++i) v[count / 2 + i] = high[i];
#pragma GCC unroll 4
    for (int distance = count / 4; distance > 0; distance /= 2) {
#pragma GCC unroll 16
        for (int i = 0; i < count; ++i) {
            if (i & distance) continue;
            const Vector a = v[i], b = v[i + distance];
            v[i] = smaller(a, b);
            v[i + distance] = larger(a, b);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < count; ++i) clean<lanes / 2>(v[i]);
}

template <int count>
STYLOBATE_INLINE void sort_vectors(Vector* v);

// More vectors than there are registers: halves by a function of their own.
template <int count>
__attribute__((noinline)) void sort_apart(Vector* v) {
    sort_vectors<count>(v);
}

template <int count>
STYLOBATE_INLINE void sort_vectors(Vector* v) {
    if constexpr (count == 1) {
        sort_lanes(v[0]);
    } else {
        if constexpr (count > 8) {
            sort_apart<count / 2>(v);
            sort_apart<count / 2>(v + count / 2);
        } else {
            sort_vectors<count / 2>(v);
            sort_vectors<count / 2>(v + count / 2);
        }
        merge<count>(v);
    }
}

template <int count>
void sort_padded(unsigned* keys, Index n) {
    if constexpr (count * lanes <= small_keys) {
        if (n > count * lanes) return sort_padded<2 * count>(keys, n);
        Vector v[count], place = {};
        for (Index i = 0; i < lanes; ++i) place[i] = static_cast<unsigned>(i);
#pragma GCC unroll 16
        for (int i = 0; i < count; ++i) {
            const Vector some = *reinterpret_cast<Unaligned*>(keys + i * lanes);
            v[i] = place + static_cast<unsigned>(i * lanes) < static_cast<unsigned>(n) ? some
                                                                                       : ~Vector{};
        }
        sort_vectors<count>(v);
#pragma GCC unroll 16
        for (int i = 0; i < count; ++i) *reinterpret_cast<Unaligned*>(keys + i * lanes) = v[i];
    }
}

}  // namespace

void sort_keys(unsigned* keys, Index n) {
    sort_padded<1>(keys, n);
}

}  // namespace stylobate::STYLOBATE_ISA
