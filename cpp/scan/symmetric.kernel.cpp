// A rectangle of a symmetric matrix times a thin block, and its transpose times another, in one
// reading of it. No standard headers, as in every kernel file.
#include "scan/kernels.hpp"
#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index width = slice_columns / lanes;  // vectors of a slice
constexpr Index together = 4;                   // rows that share the reading of a column's sums
constexpr Index line = 8;                       // numbers of a cache line

const LooseVector& at(const double* p) {
    return *reinterpret_cast<const LooseVector*>(p);
}
LooseVector& at(double* p) {
    return *reinterpret_cast<LooseVector*>(p);
}

// `count` rows against all columns, one slice of the block.
template <Index count, bool squared>
void rows_against(const double* a, Index lda, Index cols, const ThinBlocks& block, Index row,
                  Index slice) {
    const Index ld = block.ld;
    Vector own[count][width], sums[count][width];
    for (Index k = 0; k < count; ++k)
        for (Index v = 0; v < width; ++v) {
            own[k][v] = at(block.row_factor + (row + k) * ld + slice + v * lanes);
            sums[k][v] = at(block.row_sums + (row + k) * ld + slice + v * lanes);
        }
    for (Index j = 0; j < cols; ++j) {
        if (slice == 0 && j % line == 0)  // rows are far apart: what follows is asked for early
            for (Index k = 0; k < count; ++k) __builtin_prefetch(a + k * lda + cols + j);
        const double* const factor = block.column_factor + j * ld + slice;
        double* const out = block.column_sums + j * ld + slice;
        Vector x[width], y[width];
        for (Index v = 0; v < width; ++v) x[v] = at(factor + v * lanes), y[v] = at(out + v * lanes);
        for (Index k = 0; k < count; ++k) {
            const double given = a[k * lda + j];
            const Vector entry = broadcast(squared ? given * given : given);
            for (Index v = 0; v < width; ++v) {
                sums[k][v] += entry * x[v];
                y[v] += entry * own[k][v];
            }
        }
        for (Index v = 0; v < width; ++v) at(out + v * lanes) = y[v];
    }
    for (Index k = 0; k < count; ++k)
        for (Index v = 0; v < width; ++v)
            at(block.row_sums + (row + k) * ld + slice + v * lanes) = sums[k][v];
}

template <bool squared>
void all_rows(const double* a, Index lda, Index rows, Index cols, const ThinBlocks& block) {
    Index row = 0;
    for (; row + together <= rows; row += together)
        for (Index slice = 0; slice < block.ld; slice += slice_columns)
            rows_against<together, squared>(a + row * lda, lda, cols, block, row, slice);
    for (; row < rows; ++row)
        for (Index slice = 0; slice < block.ld; slice += slice_columns)
            rows_against<1, squared>(a + row * lda, lda, cols, block, row, slice);
}

}  // namespace

void both_products(const double* a, Index lda, Index rows, Index cols, bool squared,
                   const ThinBlocks& block) {
    squared ? all_rows<true>(a, lda, rows, cols, block)
            : all_rows<false>(a, lda, rows, cols, block);
}

void compare_numbers(const double* below, const double* above, Index n, double* out) {
    Vector least = {}, most = {}, worst = {};
    Whole torn = {};
    for (Index i = 0; i < n; i += lanes) {  // of a NaN every comparison is false
        const Vector a = at(below + i), b = at(above + i);
        least = choose(a < least, a, least), least = choose(b < least, b, least);
        most = choose(a > most, a, most), most = choose(b > most, b, most);
        const Vector apart = choose(a < b, b - a, a - b);
        worst = choose(apart > worst, apart, worst);
        torn |= (a != a) ^ (b != b);
    }
    for (Index h = 0; h < lanes; ++h) {
        out[0] = least[h] < out[0] ? least[h] : out[0];
        out[1] = most[h] > out[1] ? most[h] : out[1];
        out[2] = worst[h] > out[2] ? worst[h] : out[2];
        if (torn[h] != 0) out[2] = __builtin_inf();
    }
}

}  // namespace stylobate::STYLOBATE_ISA
