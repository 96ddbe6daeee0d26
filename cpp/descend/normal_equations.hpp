// Ridge regressions from second moments, many side by side.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::descend {

// Scatters of [X, Y], each q × q row-major, the last `targets` columns being those of Y.
struct Scatters {
    const double* data;
    Index count, q, targets;
};

// One regression: of which scatter, and the penalty of each target.
struct RidgeFit {
    Index scatter;
    const double* alpha;
};

// (XᵀX + αI) w = XᵀY of every fit: coef is p × targets for each, and bound[k] ≥ κ₁ of the matrix
// scaled to a diagonal of ones; ∞, and no coefficients, where it is not positive definite.
void solve_ridges(const Scatters& scatters, const RidgeFit* fits, Index count, double* coef,
                  double* bound);

}  // namespace stylobate::descend
