// What one Newton step needs of the rows: the loss of a linear model, its gradient and Hessian, in
// one pass.
#pragma once

#include <vector>

#include "descend/loss_choice.hpp"
#include "scan/rows.hpp"

namespace stylobate::descend {

// A linear predictor z = (x − center)·coef + intercept, and the loss held against it.
struct LinearLoss {
    LossChoice loss;
    const double* coef;
    double intercept;
    const double* center;
    bool with_hessian;
};

// Sums over rows of w·ℓ(y, z) and of its derivatives in (coef, intercept): `gradient` has p + 1
// entries, `hessian` (p + 1)² or none.
struct Step {
    double value = 0.0;
    std::vector<double> gradient, hessian;
};

template <class Features>
Step step(const Features& x, const double* y, const double* weights, const LinearLoss& model);

}  // namespace stylobate::descend
