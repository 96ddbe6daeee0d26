// Sequential minimal optimisation of
//     ½ βᵀKβ − tᵀβ   subject to   lower ≤ β ≤ upper,  Σ β of every group as it is at the start
// by pairs of variables chosen with second-order information (R.-E. Fan, P.-H. Chen, C.-J. Lin,
// Working set selection using second order information, JMLR 6, 2005). Of many variables with
// stored rows those that are free or near it are solved on a copy of their own rows and columns
// (T. Joachims, Making large-scale SVM learning practical, 1999, calls it shrinking).
#pragma once

#include <cstdint>

#include "svm/row_source.hpp"

namespace stylobate::svm {

// `count` variables; `rows` gives each its row of K (null: variable i has row i).
struct Variables {
    Index count = 0;
    const Index* rows = nullptr;
    const double* target = nullptr;
    const double* lower = nullptr;
    const double* upper = nullptr;
    const std::uint8_t* group = nullptr;  // 0 or 1; null: one group
};

struct PairWish {
    double tol = 1e-3;           // of the violation of the optimality conditions
    std::int64_t max_iter = -1;  // −1: until it is reached
};

enum class PairEnd : int { converged, iterations, unbounded };

struct PairOutcome {
    std::int64_t iterations = 0;
    double violation = 0.0;  // largest over groups of (residual that may rise − one that may fall)
    bool clipped = false;    // a pair had negative curvature: K is not positive semidefinite
    PairEnd end = PairEnd::converged;
};

// `diagonal`: of K, one number for each row. `beta` is feasible at the start; `residual` = t − Kβ,
// one number for each variable, is kept up to date. Throws Interrupted.
template <class T>
PairOutcome descend_pairs(RowSource<T>& source, const double* diagonal, const Variables& variables,
                          const PairWish& wish, double* beta, double* residual);

}  // namespace stylobate::svm
