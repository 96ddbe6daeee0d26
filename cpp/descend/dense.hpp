// Dense vector kernels of the coordinate-descent solvers, compiled once per instruction set.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::descend {

struct DenseKernels {
    double (*dot)(const double* x, const double* y, Index n);
    void (*axpy)(double a, const double* x, double* y, Index n);  // y += a·x

    // out[i][j] += aᵢ·bⱼ for vectors of length n, `lda` and `ldb` apart.
    void (*products)(const double* a, Index n_a, Index lda, const double* b, Index n_b, Index ldb,
                     Index n, double* out, Index ldo);

    // out[f][j] += Σᵢ x[i][j]·r[f][i] of rows that lie `row_stride` apart, columns side by side.
    void (*correlate_rows_f64)(const double* x, Index rows, Index row_stride, Index cols,
                               const double* r, Index n_r, Index ldr, double* out, Index ldo);
    void (*correlate_rows_f32)(const float* x, Index rows, Index row_stride, Index cols,
                               const double* r, Index n_r, Index ldr, double* out, Index ldo);

    // The same of columns that lie `col_stride` apart, each of them contiguous.
    void (*correlate_columns_f64)(const double* x, Index rows, Index col_stride, Index cols,
                                  const double* r, Index n_r, Index ldr, double* out, Index ldo);
    void (*correlate_columns_f32)(const float* x, Index rows, Index col_stride, Index cols,
                                  const double* r, Index n_r, Index ldr, double* out, Index ldo);
};

const DenseKernels& dense();  // of the best instruction set of this machine

}  // namespace stylobate::descend
