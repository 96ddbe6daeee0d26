// The triangular factor R of the QR decomposition of √w[1, X, Y], without Q: RᵀR is the Gram, but R
// is computed from the rows, so it carries twice the digits the Gram can.
#pragma once

#include <vector>

#include "scan/rows.hpp"
#include "stylobate/extended.hpp"

namespace stylobate::scan {

// R, (1+q) × (1+q) row-major, upper; first the ones, then X, then Y. With `Scalar` = Extended it is
// computed with 32 digits.
template <class Scalar, class Features>
std::vector<Scalar> triangular(const Rows<Features>& rows);

// R of the two factors' rows taken together.
template <class Scalar>
void merge_triangular(Scalar* r, const Scalar* other, Index size);

struct LeastSquares {
    std::vector<double> coefficients;      // k × targets
    std::vector<double> inverse_gram;      // k × k, (AᵀA)⁻¹
    std::vector<double> residual_squares;  // targets
};

// The least-squares fit of the last size − k columns on the first k, which are independent.
// All arithmetic in Scalar; only the answers are rounded.
template <class Scalar>
LeastSquares solve_triangular(const Scalar* r, Index size, Index k);

}  // namespace stylobate::scan
