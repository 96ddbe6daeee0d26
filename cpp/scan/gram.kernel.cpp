// The micro-kernel of all moments: a register-blocked AᵀA of a short block of rows.
//
// A tile holds `columns` (broadcast) × `vectors` (loaded) accumulators and runs over all rows of
// the block, so each loaded vector is used `columns` times and each broadcast `vectors` times.
// Tiles on and left of the diagonal only; the last column block may be narrower, so that appending
// a few columns (a target, the ones) costs those columns and no more.
//
// No standard headers: what they define inline must not be compiled for one instruction set and
// linked into code for another.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef double Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef double LooseVector
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));
constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 8;
constexpr Index tile_columns = STYLOBATE_TILE_COLUMNS;
constexpr Index tile_vectors = 3;

// The rows to come, fetched into cache while the present ones are multiplied.
struct Prefetch {
    const char* at;
    const char* end;
    void line() {
        if (at < end) {
            __builtin_prefetch(at, 0, 2);
            at += 64;
        }
    }
};

template <Index vectors, Index columns>
void tile(const double* a, Index rows, Index lda, Index i0, Index j0, double* c, Index ldc,
          Prefetch& prefetch) {
    Vector sum[columns][vectors] = {};
    const double* row_i = a + i0;
    const double* row_j = a + j0;
    for (Index k = 0; k < rows; ++k, row_i += lda, row_j += lda) {
        prefetch.line();
        Vector x[vectors];
        for (Index v = 0; v < vectors; ++v)
            x[v] = *reinterpret_cast<const LooseVector*>(row_i + v * lanes);
        for (Index j = 0; j < columns; ++j) {
            const Vector y = row_j[j] - Vector{};  // broadcast
            for (Index v = 0; v < vectors; ++v) sum[j][v] += x[v] * y;
        }
    }
    for (Index j = 0; j < columns; ++j)
        for (Index v = 0; v < vectors; ++v)
            *reinterpret_cast<LooseVector*>(c + (j0 + j) * ldc + i0 + v * lanes) += sum[j][v];
}

template <Index columns>
void column_block(const double* a, Index rows, Index lda, Index j0, double* c, Index ldc,
                  Prefetch& prefetch) {
    const Index n_vectors = (j0 + columns + lanes - 1) / lanes;
    Index v = 0;
    for (; v + tile_vectors <= n_vectors; v += tile_vectors)
        tile<tile_vectors, columns>(a, rows, lda, v * lanes, j0, c, ldc, prefetch);
    if (n_vectors - v == 2) tile<2, columns>(a, rows, lda, v * lanes, j0, c, ldc, prefetch);
    if (n_vectors - v == 1) tile<1, columns>(a, rows, lda, v * lanes, j0, c, ldc, prefetch);
}

template <Index columns>
void last_block(Index width, const double* a, Index rows, Index lda, Index j0, double* c, Index ldc,
                Prefetch& prefetch) {
    if constexpr (columns > 0) {
        if (width == columns)
            column_block<columns>(a, rows, lda, j0, c, ldc, prefetch);
        else
            last_block<columns - 1>(width, a, rows, lda, j0, c, ldc, prefetch);
    }
}

}  // namespace

void gram(const double* a, Index rows, Index lda, Index j0, Index j1, double* c, Index ldc,
          const void* next, Index next_bytes) {
    const char* first = static_cast<const char*>(next);
    Prefetch prefetch{first, first + next_bytes};
    for (; j0 + tile_columns <= j1; j0 += tile_columns)
        column_block<tile_columns>(a, rows, lda, j0, c, ldc, prefetch);
    last_block<tile_columns - 1>(j1 - j0, a, rows, lda, j0, c, ldc, prefetch);
}

}  // namespace stylobate::STYLOBATE_ISA
