// Losses that boosting lowers: pairs of derivatives of all rows at their scores, and the steps of
// leaves where two derivatives do not tell enough.
#pragma once

#include <vector>

#include "descend/loss_choice.hpp"
#include "tree/histogram.hpp"
#include "tree/memory.hpp"

namespace stylobate::boost {

using descend::LossChoice;
using descend::LossKind;

// What is to be predicted. Scores and pairs of several outputs lie output after output.
struct Targets {
    const double* y;        // classes 0, 1, … where the loss is of classes
    const double* weights;  // null: ones
    Index rows;
    Index outputs;  // 1, or as many as classes where there are several
    LossChoice loss;
};

// Whether all second derivatives are one (before weights).
bool constant_hessian(LossKind loss);

// Whether leaves step by a quantile of the residuals rather than by −G / H.
bool steps_by_quantile(LossKind loss);

// Pairs of the rows of a range at their scores (null: values only); returns Σ w ℓ over them.
double pairs_at(const Targets& targets, const double* scores, const Range& range, Pair* pairs);

// The level-quantile: linear between neighbours, or the first value at which the weights reach it.
double quantile_of(std::vector<double>& values, const std::vector<double>& weights, double level);

// The constant that lowers an absolute, quantile or Huber loss of these residuals (nearly) most.
double robust_step(const Targets& targets, std::vector<double>& residuals,
                   const std::vector<double>& weights);

}  // namespace stylobate::boost
