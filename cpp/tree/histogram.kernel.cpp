// The adding of rows to histograms.
//
// No standard headers, as in every kernel file.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index slots = 256;
constexpr Index ahead = 16;  // rows asked of the memory before they are needed

using Word = long long;
typedef Word TwoWords __attribute__((vector_size(16)));

template <class Cell, int features>
void add(const unsigned char* bins, Index stride, const Cell* cells, const int* rows, Index first,
         Index n, Cell* sums) {
    for (Index k = 0; k < n; ++k) {
        Index i = first + k;
        if (rows != nullptr) {
            i = rows[k];
            const Index next = rows[k + ahead < n ? k + ahead : n - 1];
            __builtin_prefetch(bins + next * stride);
            __builtin_prefetch(cells + next);
        }
        const unsigned char* const bin = bins + i * stride;
        const Cell cell = cells[i];
#pragma GCC unroll 32
        for (int f = 0; f < features; ++f) sums[f * slots + bin[f]] += cell;
    }
}

// The number of features is known where the loop over them is unrolled.
template <class Cell, int features = 32>
void choose(Index count, const unsigned char* bins, Index stride, const Cell* cells,
            const int* rows, Index first, Index n, Cell* sums) {
    if (count == features)
        add<Cell, features>(bins, stride, cells, rows, first, n, sums);
    else if constexpr (features > 1)
        choose<Cell, features - 1>(count, bins, stride, cells, rows, first, n, sums);
}

}  // namespace

void histogram_add(bool wide, Index count, const unsigned char* bins, Index stride,
                   const long long* cells, const int* rows, Index first, Index n, long long* sums) {
    if (wide)
        choose<TwoWords>(count, bins, stride, reinterpret_cast<const TwoWords*>(cells), rows, first,
                         n, reinterpret_cast<TwoWords*>(sums));
    else
        choose<Word>(count, bins, stride, cells, rows, first, n, sums);
}

void histogram_unpack(int packing, long long* sums, Index n, double* gradient, double* hessian,
                      int* count) {
    if (packing == 0)
        for (Index b = 0; b < n; ++b) {
            const Word word = sums[b];
            gradient[b] += static_cast<double>(word >> 37);
            hessian[b] += static_cast<double>(word >> 11 & ((Word{1} << 26) - 1));
            count[b] += static_cast<int>(word & 2047);
            sums[b] = 0;
        }
    else if (packing == 1)
        for (Index b = 0; b < n; ++b) {
            const Word word = sums[b], rows = word & ((Word{1} << 20) - 1);
            gradient[b] += static_cast<double>(word >> 20);
            hessian[b] += static_cast<double>(rows);
            count[b] += static_cast<int>(rows);
            sums[b] = 0;
        }
    else
        for (Index b = 0; b < n; ++b) {
            const Word second = sums[2 * b + 1];
            gradient[b] += static_cast<double>(sums[2 * b]);
            hessian[b] += static_cast<double>(static_cast<unsigned long long>(second) >> 14);
            count[b] += static_cast<int>(second & ((Word{1} << 14) - 1));
            sums[2 * b] = sums[2 * b + 1] = 0;
        }
}

}  // namespace stylobate::STYLOBATE_ISA
