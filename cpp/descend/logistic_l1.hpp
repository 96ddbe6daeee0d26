// Logistic regression, of two classes or more, with l1 and l2 penalties.
#pragma once

#include <cstdint>
#include <vector>

#include "descend/coordinates.hpp"
#include "descend/logistic_design.hpp"

namespace stylobate::descend {

// Minimises Σᵢ sᵢ ℓᵢ + l1‖w‖₁ + ½ l2‖w‖², the intercepts free.
struct LogisticProblem {
    const Design& x;
    const std::int64_t* codes;  // classes 0 … n_classes − 1 of the rows
    Index n_classes;            // 2: one row of coefficients; more: one per class
    const double* weights;      // null: all ones
    ElasticNet penalty;         // l1 + l2 > 0
    bool intercept;
    double tol;  // relative gap asked for
    Index max_iter;
    const double* start_coef = nullptr;  // where to start; null: zero
    const double* start_intercept = nullptr;

    Index margins() const { return n_classes == 2 ? 1 : n_classes; }
};

struct LogisticAnswer {
    std::vector<double> coef, intercept;  // margins × columns; margins
    double primal = 0.0, dual = 0.0, kkt = 0.0, at_zero = 0.0, condition = 1.0;
    Index iterations = 0;
    bool converged = false;
    std::vector<double> objectives, violations, steps, seconds;  // per iteration
};

// Proximal Newton steps on working sets, each solved by coordinate descent; columns that a gap
// proves to be zero are left out (Ndiaye et al. 2017). The gap comes from the residuals, scaled
// until they are feasible for the dual.
LogisticAnswer solve_logistic(const LogisticProblem& problem);

}  // namespace stylobate::descend
