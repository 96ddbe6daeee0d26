// A rectangle of a symmetric matrix times a thin block, and its transpose times another, in one
// reading of it. No standard headers, as in every kernel file.
#include "scan/kernels.hpp"
#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index width = slice_columns / lanes;  // vectors of a slice
constexpr Index together = 4;                   // rows that share the reading of a column's sums
constexpr Index line = 8;                       // numbers of a cache line
constexpr Index most_columns = 128;             // of which the squares are kept at hand

const LooseVector& at(const double* p) {
    return *reinterpret_cast<const LooseVector*>(p);
}
LooseVector& at(double* p) {
    return *reinterpret_cast<LooseVector*>(p);
}

// One slice of the block beside `count` rows: what they are multiplied with, and their sums.
template <Index count>
struct RowSlice {
    Vector own[count][width], sums[count][width];

    RowSlice(const ThinBlocks& block, Index row, Index slice) {
        for (Index k = 0; k < count; ++k)
            for (Index v = 0; v < width; ++v) {
                own[k][v] = at(block.row_factor + (row + k) * block.ld + slice + v * lanes);
                sums[k][v] = at(block.row_sums + (row + k) * block.ld + slice + v * lanes);
            }
    }
    void write(const ThinBlocks& block, Index row, Index slice) const {
        for (Index k = 0; k < count; ++k)
            for (Index v = 0; v < width; ++v)
                at(block.row_sums + (row + k) * block.ld + slice + v * lanes) = sums[k][v];
    }
    // `columns` neighbours: chains of sums long enough not to wait for each other.
    template <Index columns>
    void meet(const double* a, Index lda, const double* factor, double* out, Index ld) {
        Vector x[columns][width], y[columns][width];
        for (Index j = 0; j < columns; ++j)
            for (Index v = 0; v < width; ++v)
                x[j][v] = at(factor + j * ld + v * lanes), y[j][v] = at(out + j * ld + v * lanes);
        for (Index k = 0; k < count; ++k)
            for (Index j = 0; j < columns; ++j) {
                const Vector entry = broadcast(a[k * lda + j]);
                for (Index v = 0; v < width; ++v) {
                    sums[k][v] += entry * x[j][v];
                    y[j][v] += entry * own[k][v];
                }
            }
        for (Index j = 0; j < columns; ++j)
            for (Index v = 0; v < width; ++v) at(out + j * ld + v * lanes) = y[j][v];
    }
};

// `count` rows of a rectangle, and where the numbers stand that are wanted after it: rows of a
// matrix are far apart, so these are asked for early.
struct Rectangle {
    const double* entries;
    Index stride;
    const double* next;
    Index next_stride;
};

// Rows against all columns, one slice of the block.
template <Index count>
void rows_against(const Rectangle& a, Index cols, const ThinBlocks& block, Index row, Index slice) {
    constexpr Index pair = width == 1 ? 2 : 1;  // as many as the registers hold
    const Index ld = block.ld, stride = a.stride;
    const double* const factor = block.column_factor + slice;
    double* const out = block.column_sums + slice;
    RowSlice<count> rows(block, row, slice);
    Index j = 0;
    for (; j + line <= cols; j += line) {
        if (slice == 0)
            for (Index k = 0; k < count; ++k) __builtin_prefetch(a.next + k * a.next_stride + j);
        for (Index h = j; h < j + line; h += pair)
            rows.template meet<pair>(a.entries + h, stride, factor + h * ld, out + h * ld, ld);
    }
    for (; j < cols; ++j)
        rows.template meet<1>(a.entries + j, stride, factor + j * ld, out + j * ld, ld);
    rows.write(block, row, slice);
}

template <Index count>
void few_rows(const double* a, Index lda, Index cols, bool squared, const ThinBlocks& block,
              Index row) {
    double squares[count * most_columns];
    for (Index j = 0; j < cols; j += most_columns) {
        const Index some = cols - j < most_columns ? cols - j : most_columns;
        Rectangle entries{a + j, lda, a + j + some, lda};
        if (squared) {
            for (Index k = 0; k < count; ++k)
                for (Index h = 0; h < some; ++h)
                    squares[k * most_columns + h] = a[k * lda + j + h] * a[k * lda + j + h];
            entries.entries = squares, entries.stride = most_columns;
        }
        const ThinBlocks part{block.ld, block.column_factor + j * block.ld,
                              block.column_sums + j * block.ld, block.row_factor, block.row_sums};
        for (Index slice = 0; slice < block.ld; slice += slice_columns)
            rows_against<count>(entries, some, part, row, slice);
    }
}

// Four doubles, whatever the instruction set has: squares of four are turned in registers.
typedef double Four __attribute__((vector_size(32)));
typedef long long FourWhole __attribute__((vector_size(32)));
constexpr Index four = 4;

Four four_at(const double* p) {
    Four v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

struct FourByFour {
    Four row[four];

    FourByFour(const double* p, Index ld) {
        for (Index k = 0; k < four; ++k) row[k] = four_at(p + k * ld);
    }
    void transpose() {
        const Four a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6),
                   b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7),
                   c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6),
                   d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
        row[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
        row[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
        row[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
        row[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    }
};

}  // namespace

bool is_mirrored(const double* a, const double* other, Index ld, const double* ahead,
                 const double* ahead_other, double* out) {
    Four least[four] = {}, most[four] = {};
    FourWhole differs = {};
    for (Index i = 0; i < mirror_side; i += four)
        for (Index j = 0; j < mirror_side; j += four) {
            if (j % line == 0)
                for (Index k = 0; k < four; ++k) {
                    __builtin_prefetch(ahead + (i + k) * ld + j);
                    __builtin_prefetch(ahead_other + (i + k) * ld + j);
                }
            const FourByFour mine(a + i * ld + j, ld);
            FourByFour mirror(other + j * ld + i, ld);
            mirror.transpose();
            for (Index k = 0; k < four; ++k) {
                const Four x = mine.row[k];
                differs |= x != mirror.row[k];  // NaN differs from itself
                least[k] = x < least[k] ? x : least[k];
                most[k] = x > most[k] ? x : most[k];
            }
        }
    for (Index k = 0; k < four; ++k)
        for (Index h = 0; h < four; ++h) {
            out[0] = least[k][h] < out[0] ? least[k][h] : out[0];
            out[1] = most[k][h] > out[1] ? most[k][h] : out[1];
        }
    return (differs[0] | differs[1] | differs[2] | differs[3]) == 0;
}

void both_products(const double* a, Index lda, Index rows, Index cols, bool squared,
                   const ThinBlocks& block) {
    Index row = 0;
    for (; row + together <= rows; row += together)
        few_rows<together>(a + row * lda, lda, cols, squared, block, row);
    for (; row < rows; ++row) few_rows<1>(a + row * lda, lda, cols, squared, block, row);
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
