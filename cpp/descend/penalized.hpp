// Linear models of any smooth loss with any penalty of each coefficient, convex or not.
#pragma once

#include <string_view>
#include <vector>

#include "descend/logistic_design.hpp"
#include "descend/loss_choice.hpp"

namespace stylobate::descend {

// Minimises Σᵢ sᵢ ℓ(yᵢ, xᵢw + b) + Σⱼ pen(wⱼ), s the weights divided by their sum, b free.
struct PenalizedProblem {
    const Design& x;
    const double* y;
    const double* weights;  // null: all ones
    LossChoice loss;        // one with a continuous gradient
    std::string_view penalty;
    double first, second;  // the penalty's numbers
    bool positive;         // w ≥ 0
    bool intercept;
    double tol;  // violation of the conditions to be left, of the largest slope at zero
    Index max_iter;
    const double* start = nullptr;  // coefficients to start from; null: zero
};

struct PenalizedAnswer {
    std::vector<double> coef;
    double intercept = 0.0, objective = 0.0;
    double violation = 0.0;  // largest distance of 0 from a partial subdifferential
    double steepest = 0.0;   // largest slope of the loss at zero coefficients
    Index iterations = 0;
    bool converged = false;
    std::vector<double> objectives, violations;  // before each iteration, and at the end
};

// Proximal Newton steps on working sets (the support and the most violated conditions), each
// solved by coordinate descent with the penalty's own proximal point. A step that does not lower
// the objective is taken again with larger curvatures. With a concave penalty the answer is
// stationary: where it ends depends on where it starts.
PenalizedAnswer solve_penalized(const PenalizedProblem& problem);

}  // namespace stylobate::descend
