// Dense vector kernels of the coordinate-descent solvers, compiled once per instruction set.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::descend {

struct DenseKernels {
    // out[f][j] += Σᵢ x[i][j]·r[f][i]
    template <class T>
    using Sums = void(const T* x, Index rows, Index stride, Index cols, const double* r, Index n_r,
                      Index ldr, double* out, Index ldo);

    double (*dot)(const double* x, const double* y, Index n);
    void (*axpy)(double a, const double* x, double* y, Index n);  // y += a·x

    // out[i][j] += aᵢ·bⱼ for vectors of length n, `lda` and `ldb` apart.
    void (*products)(const double* a, Index n_a, Index lda, const double* b, Index n_b, Index ldb,
                     Index n, double* out, Index ldo);

    // out[k] = xₖ·y of vectors that lie anywhere; and y += Σ a[k]·xₖ.
    void (*dots)(const double* const* x, Index count, const double* y, Index n, double* out);
    void (*combine)(const double* const* x, const double* a, Index count, double* y, Index n);

    // Of rows that lie `stride` apart, columns side by side; and of contiguous columns.
    Sums<double>* correlate_rows_f64;
    Sums<float>* correlate_rows_f32;
    Sums<double>* correlate_columns_f64;
    Sums<float>* correlate_columns_f32;

    // The same with x² in place of x.
    Sums<double>* squares_rows_f64;
    Sums<float>* squares_rows_f32;
    Sums<double>* squares_columns_f64;
    Sums<float>* squares_columns_f32;

    // As scan::Kernels::gram, in single precision.
    void (*gram_f32)(const float* a, Index rows, Index lda, Index j0, Index j1, float* c,
                     Index ldc);
};

const DenseKernels& dense();              // of isa()
const DenseKernels* dense_of(Isa which);  // null where this machine has no such instructions

}  // namespace stylobate::descend
