// What alternating fits of a non-negative table X ≈ W Fᵀ (W: rows × k, F: columns × k, both packed
// row by row) need of the rows: products, the sums of multiplicative updates and the loss. Nothing
// of the size of X is made.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::embed {

// A factor as the caller holds it: rows × k numbers without holes.
struct Factor {
    const double* data;
    Index rows, k;
};

// out = X F: rows × k
template <class T>
void row_products(const MatrixView<T>& x, Factor f, double* out);
template <class T, class I>
void row_products(const SparseView<T, I>& x, Factor f, double* out);

// out = Xᵀ W: columns × k
template <class T>
void column_products(const MatrixView<T>& x, Factor w, double* out);

// The β-divergence's pieces, M = W Fᵀ and M₊ = max(M, floor) where a power is negative:
// numerator = (X ∘ M₊^(β−2)) F and, unless it is null, denominator = M₊^(β−1) F, both rows × k. Of
// sparse rows, the numerator looks at their entries alone.
template <class T>
void row_updates(const MatrixView<T>& x, Factor w, Factor f, double beta, double* numerator,
                 double* denominator);
template <class T, class I>
void row_updates(const SparseView<T, I>& x, Factor w, Factor f, double beta, double* numerator,
                 double* denominator);
// The same of the transposed table: (X ∘ M₊^(β−2))ᵀ W and (M₊^(β−1))ᵀ W, columns × k.
template <class T>
void column_updates(const MatrixView<T>& x, Factor w, Factor f, double beta, double* numerator,
                    double* denominator);

// Σ d_β(x, m) over all entries; of sparse rows those that are not stored count as 0. Entries up to
// `divergence_floor` add nothing but what m alone adds; for β = 2, ½ Σ (x − m)².
constexpr double divergence_floor = 1.1920928955078125e-07;  // ε of single precision
template <class T>
double divergence(const MatrixView<T>& x, Factor w, Factor f, double beta);
template <class T, class I>
double divergence(const SparseView<T, I>& x, Factor w, Factor f, double beta);

}  // namespace stylobate::embed
