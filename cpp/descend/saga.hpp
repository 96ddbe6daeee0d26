// SAGA and SAG for linear models with k outputs (k > 1: multinomial):
//   minimise (1/n) Σᵢ ωᵢ ℓ(yᵢ, W(xᵢ − center) + b) + l1 ‖W‖₁ + ½ l2 ‖W‖²,  b not penalised.
#pragma once

#include <cstdint>
#include <vector>

#include "descend/loss_choice.hpp"
#include "descend/row_access.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {

struct SagaOptions {
    LossKind loss = LossKind::half_squared;  // or logistic, or multinomial
    double l1 = 0.0, l2 = 0.0, step = 0.0;
    bool intercept = true;
    bool averaged_gradient_only = false;  // SAG: the step goes along the mean of the table
    std::uint64_t seed = 0, first_epoch = 0;
    Index epochs = 1;
};

// What the method knows between epochs, in the caller's memory.
struct SagaState {
    Index outputs = 1;
    double* coef;            // outputs × p
    double* intercept;       // outputs
    double* table;           // n × outputs: ωᵢ times the gradient of row i in its predictors
    double* mean;            // outputs × p: (1/n) Σᵢ tableᵢ (xᵢ − center)
    double* mean_intercept;  // outputs
};

// `y` holds targets or class numbers, `weights` may be null, `center` is zero for compressed rows.
template <class Rows>
void saga(const Rows& rows, const double* y, const double* weights, const double* center,
          const SagaOptions& options, SagaState& state, Checkpoint& checkpoint);

// maxᵢ ωᵢ (‖xᵢ − center‖² + 1 with an intercept): the steepest row.
template <class Rows>
double steepest_row(const Rows& rows, const double* weights, const double* center, bool intercept);

// `count` times w ← soft(shrink·w − drift, threshold), by closed forms while w keeps its sign.
double repeated_step(double w, Index count, double shrink, double drift, double threshold);

}  // namespace stylobate::descend
