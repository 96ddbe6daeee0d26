// A product with a few columns: C += A·B, where the rows of B and C are a few vectors wide.
//
// A tile holds `rows` (broadcast from A, of any strides) × `vectors` (loaded from B) accumulators
// over the whole inner length, so that A may stand as it is or transposed.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef double Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef double LooseVector
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));
constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 8;
// with two vectors each: as many sums as hide the latency of an addition and fit the registers
constexpr Index tile_rows = STYLOBATE_VECTOR_BYTES == 32 ? 6 : STYLOBATE_TILE_COLUMNS;
constexpr Index tile_vectors = 2;

template <Index rows, Index vectors>
void tile(const double* a, Index row_stride, Index col_stride, Index inner, const double* b,
          Index ldb, double* c, Index ldc) {
    Vector sum[rows][vectors] = {};
    for (Index l = 0; l < inner; ++l, a += col_stride, b += ldb) {
        Vector x[vectors];
        for (Index v = 0; v < vectors; ++v)
            x[v] = *reinterpret_cast<const LooseVector*>(b + v * lanes);
        for (Index i = 0; i < rows; ++i) {
            const Vector y = a[i * row_stride] - Vector{};  // broadcast
            for (Index v = 0; v < vectors; ++v) sum[i][v] += x[v] * y;
        }
    }
    for (Index i = 0; i < rows; ++i)
        for (Index v = 0; v < vectors; ++v)
            *reinterpret_cast<LooseVector*>(c + i * ldc + v * lanes) += sum[i][v];
}

template <Index vectors>
void strip(const double* a, Index rows, Index row_stride, Index col_stride, Index inner,
           const double* b, Index ldb, double* c, Index ldc) {
    Index i = 0;
    for (; i + tile_rows <= rows; i += tile_rows)
        tile<tile_rows, vectors>(a + i * row_stride, row_stride, col_stride, inner, b, ldb,
                                 c + i * ldc, ldc);
    for (; i < rows; ++i)
        tile<1, vectors>(a + i * row_stride, row_stride, col_stride, inner, b, ldb, c + i * ldc,
                         ldc);
}

}  // namespace

void multiply(const double* a, Index rows, Index row_stride, Index col_stride, Index inner,
              const double* b, Index ldb, Index cols, double* c, Index ldc) {
    Index j = 0;
    for (; j + tile_vectors * lanes <= cols; j += tile_vectors * lanes)
        strip<tile_vectors>(a, rows, row_stride, col_stride, inner, b + j, ldb, c + j, ldc);
    for (; j < cols; j += lanes)
        strip<1>(a, rows, row_stride, col_stride, inner, b + j, ldb, c + j, ldc);
}

}  // namespace stylobate::STYLOBATE_ISA
