// Passes of logistic regression: loss and gradient at given coefficients, and products with the
// Hessian there. One output stands for two classes (the logistic function), several for as many
// classes (the softmax).
#pragma once

#include <cstdint>
#include <vector>

#include "scan/rows.hpp"

namespace stylobate::scan {

// Rows, their classes and weights (null: ones), and the point the columns are centred about.
template <class Features>
struct ClassRows {
    Features x;
    const std::int64_t* codes;
    const double* weights;
    const double* center;
    Index outputs;
};

// Sums over rows. `coef` is p × outputs (the outputs of one column side by side), `intercept` has
// one entry per output.
struct SoftmaxSums {
    double value = 0.0;  // a step: Σ w·loss; a product: the widest change of a row's margins
    std::vector<double> coef, intercept;
};

// Σ w(x − center)² of every column (of compressed rows about zero).
template <class Features>
std::vector<double> column_squares(const ClassRows<Features>& rows);

// `coef` may be null below: all zeros.
//
// The loss Σ w·ℓ at margins (x − center)·coef + intercept and its gradient; `probabilities`
// (rows × outputs) receives what products need.
template <class Features>
SoftmaxSums softmax_step(const ClassRows<Features>& rows, const double* coef,
                         const double* intercept, double* probabilities);

// The Hessian at the coefficients that gave `probabilities`, times a direction. `value` is the
// largest max − min over the outputs of a row's change of margins (of one output: its magnitude).
template <class Features>
SoftmaxSums softmax_product(const ClassRows<Features>& rows, const double* coef,
                            const double* intercept, const double* probabilities);

}  // namespace stylobate::scan
