// The loss of a logistic problem on its rows: one margin per row for two classes (the second
// one's), one per class for more. Everything is held class after class.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/buffer.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

// Σᵢ sᵢ (log Σ_c e^{zᵢc} − zᵢ,yᵢ); for two classes z = (0, z), of which only the second is kept.
class LogisticRows {
 public:
    // `weights` may be null: all ones. `margins`: 1 for two classes, else the number of classes.
    LogisticRows(const std::int64_t* codes, const double* weights, Index rows, Index margins);

    Index rows() const { return n_; }
    Index margins() const { return k_; }
    const double* weights() const { return s_.data(); }
    double total() const { return total_; }

    // Loss at z + intercept; fills the probabilities and the residuals s(p − y).
    double evaluate(const double* z, const double* intercept, double* probability,
                    double* residual) const;

    // The same of two classes for the rows first ≤ i < last.
    double evaluate_two(Index first, Index last, const double* z, double intercept,
                        double* probability, double* residual) const;

    // The intercepts that minimise the loss at z, from those given; the rest as evaluate.
    double optimise_intercept(const double* z, double* intercept, double* probability,
                              double* residual) const;

    // d = s·p_c(1 − p_c)
    void curvature(const double* probability, Index c, double* d) const;

    // −Σ ℓᵢ*(c·residualᵢ): the part of the dual that belongs to the rows, for 0 ≤ c ≤ 1. Of two
    // classes at the probabilities p − shift·p(1 − p), |shift| ≤ 1.
    double conjugate(const double* probability, double c, double shift) const;

 private:
    std::vector<double> intercept_hessian(const double* probability) const;

    Index n_, k_;
    Buffer s_;
    std::vector<std::int32_t> codes_;
    double total_ = 0.0;
};

// Of a few unknowns, in place: a = LLᵀ (its lower half), and the solution of a·x = b; false if a is
// not positive definite.
bool factor_small(std::vector<double>& a, Index n);
bool solve_small(std::vector<double>& a, std::vector<double>& b);

}  // namespace stylobate::descend
