// Sweeps of coordinate descent over the rows of a non-negative factor, by themselves or right after
// the products they need, while these are in the cache.
#pragma once

#include "embed/nonnegative.hpp"

namespace stylobate::embed {

// One sweep over the rows of w ≥ 0 for ½ wᵀ (gram + l2·I) w − (c − l1)ᵀ w, coordinates in the given
// order; c is a row of the cross products.
struct SweepTerms {
    const double* gram;  // k × k
    double l1, l2;
    const Index* order;  // a permutation of 0 … k − 1
};

// Each returns the sum of the sizes of the projected gradients met on the way. Cross products are
// given (rows × k), or X F of the rows of x.
double coordinate_sweep(double* w, Index rows, const double* cross, Index k,
                        const SweepTerms& terms);
template <class T, class I>
double product_sweep(const SparseView<T, I>& x, double* w, Factor f, const SweepTerms& terms);
// The same, and columns = Xᵀ W (columns of x × k) of the new w: x is read once.
template <class T>
double product_sweep(const MatrixView<T>& x, double* w, Factor f, const SweepTerms& terms,
                     double* columns);

}  // namespace stylobate::embed
