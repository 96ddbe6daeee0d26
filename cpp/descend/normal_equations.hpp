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

// Quadratic forms of a model on rows of which only the scatter is known: wᵀSw − 2wᵀs + s_yy for
// w = (coefficients), and the sum of the sizes of its terms.
struct Forms {
    double value, terms;
};

// Of models (p × targets each) on the scatters `which`: forms is count × targets. What a model
// gives does not depend on the others, to the last bit.
void quadratic_forms(const Scatters& scatters, const Index* which, const double* coef, Index count,
                     Forms* forms);

}  // namespace stylobate::descend
