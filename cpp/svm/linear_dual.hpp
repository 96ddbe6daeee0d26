// Linear support vector machines by coordinate descent in the dual.
//
//   min over w of ½‖w‖² + Σᵢ cᵢ ℓ(yᵢ, x̃ᵢ·w),  x̃ = (x, s): s > 0 carries a penalised intercept,
//
// has the dual  min over β of ½‖Σ βᵢ x̃ᵢ‖² − Σ yᵢβᵢ + ε Σ|βᵢ| + ½ Σ dᵢβᵢ²,  βᵢ in a box, with
// w = Σ βᵢ x̃ᵢ, for ℓ the (squared) hinge or the (squared) ε-insensitive loss.
#pragma once

#include <cstdint>
#include <vector>

#include "descend/loss_choice.hpp"
#include "descend/row_access.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::svm {

struct DualOptions {
    double scaling = 1.0;  // s; 0: no intercept
    double tol = 1e-4;     // relative gap to be reached
    Index max_epochs = 1000;
    std::uint64_t seed = 0;
};

// Weights have p + 1 entries, the last one that of the column s.
struct DualAnswer {
    std::vector<double> weights, beta;
    double primal = 0.0, dual = 0.0;
    Index epochs = 0;
    bool converged = false;
};

template <class Rows>
DualAnswer linear_dual(const Rows& rows, const descend::LossChoice& loss, const double* y,
                       const double* c, const DualOptions& options, Checkpoint& checkpoint);

// Crammer & Singer's machine of many classes:
//   min ½ Σₘ‖wₘ‖² + Σᵢ cᵢ maxₘ (1 − [m = yᵢ] + (wₘ − w_{yᵢ})·x̃ᵢ).
// `labels` are in 0 … classes − 1; weights are classes × (p + 1).
template <class Rows>
DualAnswer crammer_singer(const Rows& rows, const std::int64_t* labels, Index classes,
                          const double* c, const DualOptions& options, Checkpoint& checkpoint);

}  // namespace stylobate::svm
