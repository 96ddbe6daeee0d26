// Stochastic gradient descent for linear models:
//   minimise (1/n) Σᵢ ωᵢ ℓ(yᵢ, xᵢw + b) + l1 ‖w‖₁ + ½ l2 ‖w‖²,  b not penalised.
#pragma once

#include <cstdint>
#include <vector>

#include "descend/loss_choice.hpp"
#include "descend/row_access.hpp"
#include "descend/shuffle.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {

enum class Schedule { constant, optimal, invscaling, adaptive, pa1, pa2 };

struct SgdOptions {
    LossChoice loss{LossKind::hinge};
    double alpha = 1e-4;  // of the optimal schedule
    double l1 = 0.0, l2 = 1e-4;
    Schedule schedule = Schedule::optimal;
    double eta0 = 0.01, power_t = 0.5;
    bool intercept = true, shuffle = true;
    Index max_epochs = 1000, batch = 1;
    bool stops = true;  // whether tol and patience apply
    double tol = 1e-3;
    Index patience = 5;
    double average_from = 0.0;  // the step from which weights are averaged; 0: never
    std::uint64_t seed = 0, first_epoch = 0;
    bool squared_score = false;     // on held-out rows: R² instead of accuracy
    bool zero_is_positive = false;  // hinges: a score of 0 decides for +1 and is no mistake of it
    Index most_updates = 0;         // to be recorded
    Index most_weights = 0;         // numbers of recorded weights
};

// What the rows are to be told apart by: a number per row, or one class against all others.
struct SgdTarget {
    const double* y = nullptr;
    const double* weights = nullptr;  // of rows; null: all ones
    bool classes = false;             // y holds class numbers
    double positive = 1.0;            // the class that becomes +1
    double negative = -1.0;           // what the others become (0 for the logistic loss)
    double positive_weight = 1.0, negative_weight = 1.0;

    double value(Index i) const { return !classes ? y[i] : y[i] == positive ? 1.0 : negative; }
    double weight(Index i) const {
        const double own = weights == nullptr ? 1.0 : weights[i];
        return !classes ? own : own * (y[i] == positive ? positive_weight : negative_weight);
    }
};

// Where a fit is: it starts here and ends here.
struct SgdState {
    std::vector<double> coef, mean_coef;  // the mean since averaging began
    double intercept = 0.0, mean_intercept = 0.0;
    double t = 1.0;  // the number of the next step
};

// Every step that changed the weights.
struct SgdHistory {
    std::vector<double> step, row, margin, weights;  // weights after it: p + 1 each, b last
};

struct SgdRun {
    Index epochs = 0;
    bool converged = false;
    double eta = 0.0;
    std::vector<double> objective, score;  // per epoch: loss met on the way plus penalty; held out
    std::vector<double> mistakes;          // per epoch: steps that changed the weights by the loss
    SgdHistory history;
    Index failed_epoch = 0;  // in which numbers left the range of double precision; 0: none
};

// `train` and `held` are rows to learn from and to score on; may throw Interrupted.
template <class Rows>
SgdRun sgd(const Rows& rows, const SgdTarget& target, const std::vector<RowNumber>& train,
           const std::vector<RowNumber>& held, const SgdOptions& options, std::uint64_t stream,
           SgdState& state, Checkpoint& checkpoint);

}  // namespace stylobate::descend
