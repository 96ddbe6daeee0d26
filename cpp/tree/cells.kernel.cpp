// Places of numbers among thresholds, and ways of rows down cells of seven splits.
//
// No standard headers, as in every kernel file.
#include "tree/kernels.hpp"

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr unsigned short missing = 0xffff;
constexpr unsigned leaf_bit = 1u << 31;

#if defined(__AVX512F__) && defined(__AVX512BW__)
constexpr Index vector_window = 8;

// How many of the next eight thresholds lie below x.
[[gnu::always_inline]] inline unsigned below(const double* thresholds, double x) {
    return static_cast<unsigned>(__builtin_popcount(
        _mm512_cmp_pd_mask(_mm512_loadu_pd(thresholds), _mm512_set1_pd(x), _CMP_LT_OQ)));
}
#else
constexpr Index vector_window = 1;

[[gnu::always_inline]] inline unsigned below(const double*, double) {
    return 0;
}
#endif

// Which of eight ways out of a cell belongs to the bits of its splits (set: to the right); the
// eighth bit means nothing.
struct Exits {
    unsigned char of[256];
    constexpr Exits() : of{} {
        for (int bits = 0; bits < 256; ++bits) {
            int split = 0;
            for (int level = 0; level < 3; ++level) split = 2 * split + 1 + (bits >> split & 1);
            of[bits] = static_cast<unsigned char>(split - 7);
        }
    }
};
alignas(64) constexpr Exits exits;

// Any number of columns: one split of a level after the other.
template <bool gaps>
struct PlainStep {
    Index width;  // of a row

    [[gnu::always_inline]] unsigned operator()(const TreeCell& cell,
                                               const unsigned short* row) const {
        unsigned split = 0;
        for (int level = 0; level < 3; ++level) {
            const unsigned feature = cell.feature[split];
            const unsigned rank = row[feature & 0x7fffu];
            unsigned right = rank > cell.threshold[split];
            if constexpr (gaps) right &= (rank != missing) | (feature >> 15 ^ 1u);
            split = 2 * split + 1 + right;
        }
        return split - 7;
    }
};

#if defined(__AVX512F__) && defined(__AVX512BW__)
// Up to 32 columns, or 64: a row is one vector or two, from which one instruction takes what all
// seven splits ask for. The eighth lane holds whatever follows.
template <bool gaps, int vectors>
struct VectorStep {
    static constexpr Index width = 32 * vectors;

    [[gnu::always_inline]] unsigned operator()(const TreeCell& cell,
                                               const unsigned short* row) const {
        const __m128i feature = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cell.feature));
        const __m128i threshold = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cell.threshold));
        const __m512i wide = _mm512_castsi128_si512(feature);
        const __m512i first = _mm512_load_si512(row);
        __m512i taken;
        if constexpr (vectors == 1)
            taken = _mm512_permutexvar_epi16(wide, first);
        else
            taken = _mm512_permutex2var_epi16(first, wide, _mm512_load_si512(row + 32));
        __m128i rank;  // the lowest part (GCC warns of the intrinsic that says so)
        __builtin_memcpy(&rank, &taken, sizeof rank);
        unsigned right = _mm_cmpgt_epu16_mask(rank, threshold);
        if constexpr (gaps)
            right &= ~static_cast<unsigned>(
                _mm_movepi16_mask(feature) &
                _mm_cmpeq_epi16_mask(rank, _mm_set1_epi16(static_cast<short>(missing))));
        return exits.of[right & 0xffu];
    }
};
#endif

// Drops the leaves out of a list of rows and where they are; how many are left. (On the way they
// would be cheaper to drop, if the next loads did not wait for where the last entry goes.)
Index drop_leaves(unsigned* rows, unsigned* codes, Index n) {
    Index kept = 0, k = 0;
#if defined(__AVX512F__) && defined(__AVX512BW__)
    for (; k + 16 <= n; k += 16) {
        const __m512i code = _mm512_loadu_si512(codes + k), row = _mm512_loadu_si512(rows + k);
        const __mmask16 inner = static_cast<__mmask16>(~_mm512_movepi32_mask(code));
        _mm512_storeu_si512(codes + kept, _mm512_maskz_compress_epi32(inner, code));
        _mm512_storeu_si512(rows + kept, _mm512_maskz_compress_epi32(inner, row));
        kept += __builtin_popcount(inner);
    }
#endif
    for (; k < n; ++k) {
        const unsigned code = codes[k];
        rows[kept] = rows[k];
        codes[kept] = code;
        kept += ~code >> 31;
    }
    return kept;
}

// All rows take a step, those that are not at a leaf the next: the steps of a round do not wait for
// each other, and none is in vain.
template <class Step>
void walk(const Step& step, const TreeCell* cells, const unsigned short* rows, Index n,
          unsigned* at, unsigned* active, unsigned* codes) {
    for (Index i = 0; i < n; ++i) {
        active[i] = static_cast<unsigned>(i);
        at[i] = codes[i] = cells->child[step(*cells, rows + i * step.width)];
    }
    for (Index left = drop_leaves(active, codes, n); left > 0;
         left = drop_leaves(active, codes, left))
        for (Index k = 0; k < left; ++k) {
            const Index i = active[k];
            const TreeCell& cell = cells[codes[k]];
            at[i] = codes[k] = cell.child[step(cell, rows + i * step.width)];
        }
    for (Index i = 0; i < n; ++i) at[i] &= ~leaf_bit;
}

template <bool gaps>
void walk_with(const TreeCell* cells, const unsigned short* rows, Index width, Index n,
               unsigned* at, unsigned* scratch) {
    unsigned *const active = scratch, *const codes = scratch + n;
#if defined(__AVX512F__) && defined(__AVX512BW__)
    if (width == 32) return walk(VectorStep<gaps, 1>{}, cells, rows, n, at, active, codes);
    if (width == 64) return walk(VectorStep<gaps, 2>{}, cells, rows, n, at, active, codes);
#endif
    walk(PlainStep<gaps>{width}, cells, rows, n, at, active, codes);
}

}  // namespace

bool find_ranks(const double* x, Index n, const RankTable& table, unsigned short* out,
                Index stride) {
    constexpr Index group = 16;
    bool gaps = false;
    for (Index i = 0; i < n; i += group) {
        const Index count = n - i < group ? n - i : group;
        double v[group];
        unsigned at[group];
        for (Index k = 0; k < group; ++k) v[k] = x[i + (k < count ? k : 0)];
        int bucket[group];
        for (Index k = 0; k < group; ++k) bucket[k] = table.bucket(v[k]);
        for (Index k = 0; k < group; ++k) at[k] = table.starts[bucket[k]];
        // Halving without branches, side by side: the searches' latencies overlap.
        for (Index step = table.first_step; step >= vector_window; step /= 2)
            for (Index k = 0; k < group; ++k)
                at[k] +=
                    table.thresholds[at[k] + step - 1] < v[k] ? static_cast<unsigned>(step) : 0;
        for (Index k = 0; k < count; ++k) {
            const bool lost = v[k] != v[k];
            const unsigned rank = at[k] + below(table.thresholds + at[k], v[k]);
            gaps |= lost;
            out[(i + k) * stride] = lost ? missing : static_cast<unsigned short>(rank);
        }
    }
    return gaps;
}

void walk_cells(const TreeCell* cells, const unsigned short* rows, Index width, Index n, bool gaps,
                unsigned* at, unsigned* scratch) {
    if (gaps)
        walk_with<true>(cells, rows, width, n, at, scratch);
    else
        walk_with<false>(cells, rows, width, n, at, scratch);
}

}  // namespace stylobate::STYLOBATE_ISA
