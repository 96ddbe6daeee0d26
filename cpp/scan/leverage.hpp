// Quadratic forms of rows: hᵢ = ‖R⁻ᵀ(xᵢ − c)‖² = (xᵢ − c)ᵀ (RᵀR)⁻¹ (xᵢ − c).
//
// With R the triangular factor of the centred design these are the leverages (less 1/n); with R of
// a covariance they are squared Mahalanobis distances. No n × n or n × p array is made.
#pragma once

#include "scan/rows.hpp"

namespace stylobate::scan {

// r: p × p upper triangular, column-major; center: p; out: one value per row.
template <class Features>
void row_quadratics(const Features& x, const double* center, const double* r, double* out);

}  // namespace stylobate::scan
