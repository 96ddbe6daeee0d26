// The centred Gram matrix times a few directions, without the matrix: one read of the rows.
#pragma once

#include <vector>

#include "scan/rows.hpp"

namespace stylobate::scan {

// Σₖ wₖ (xₖ − center) (xₖ − center)ᵀ Q: cols × width, with Q such a matrix too; `weights` may be
// null: ones.
template <class T>
std::vector<double> gram_product(const DenseFeatures<T>& x, const double* weights,
                                 const double* center, const double* directions, Index width);

}  // namespace stylobate::scan
