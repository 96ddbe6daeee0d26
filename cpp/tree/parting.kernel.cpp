// Rows of a node parted into those of its children.
//
// No standard headers, as in every kernel file.
#include "stylobate/simd.hpp"

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

#if defined(__AVX512F__) && defined(__AVX512BW__)
// Sixteen rows at a time, of splits by threshold. Vectors are written whole: what lies after the
// kept rows is written over, or never read, and no vector ends after the rows looked at.
Index by_sixteens(const unsigned char* column, const int* rows, Index first, Index n, int last,
                  int also, int* left, int* right, Index& lefts) {
    const __m512i limit = _mm512_set1_epi32(last), other = _mm512_set1_epi32(also);
    const __mmask16 all = 0xffff;  // masked forms: the plain ones start from undefined vectors
    const __m512i byte = _mm512_set1_epi32(255);
    const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    Index k = 0;
    for (; k + 16 <= n; k += 16) {
        __m512i row, bin;
        if (rows == nullptr) {
            row = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first + k)), steps);
            bin = _mm512_maskz_cvtepu8_epi32(
                all, _mm_loadu_si128(reinterpret_cast<const __m128i*>(column + first + k)));
        } else {
            row = _mm512_loadu_si512(rows + k);
            bin = _mm512_and_si512(
                _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), all, row, column, 1), byte);
        }
        const __mmask16 goes = static_cast<__mmask16>(_mm512_cmple_epi32_mask(bin, limit) |
                                                      _mm512_cmpeq_epi32_mask(bin, other));
        const Index count = __builtin_popcount(goes);
        _mm512_storeu_si512(left + lefts, _mm512_maskz_compress_epi32(goes, row));
        _mm512_storeu_si512(right + (k - lefts),
                            _mm512_maskz_compress_epi32(static_cast<__mmask16>(~goes), row));
        lefts += count;
    }
    return k;
}
#endif

}  // namespace

Index part_rows(const unsigned char* column, const int* rows, Index first, Index n,
                const bool* goes_left, int last, int also, int* left, int* right) {
    Index lefts = 0, k = 0;
#if defined(__AVX512F__) && defined(__AVX512BW__)
    if (last >= 0) k = by_sixteens(column, rows, first, n, last, also, left, right, lefts);
#else
    (void)last;
    (void)also;
#endif
    for (; k < n; ++k) {
        const int row = rows == nullptr ? static_cast<int>(first + k) : rows[k];
        const bool to_left = goes_left[column[row]];
        left[lefts] = row;  // both are written, one is kept: no branch to guess
        right[k - lefts] = row;
        lefts += to_left;
    }
    return lefts;
}

}  // namespace stylobate::STYLOBATE_ISA
