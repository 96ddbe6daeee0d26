// Block coordinate descent for several targets that share their columns:
//
//     ½‖Y − XW‖² + l1·Σⱼ‖wⱼ‖ + ½·l2·‖W‖²,   wⱼ the row of W of column j
//
// on the Gram of the columns, so that no row of X is read.
#pragma once

#include "stylobate/parallel.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

struct BlockProblem {
    const double* gram;      // XᵀX, size × size
    const double* products;  // XᵀY, size × targets
    double squares;          // ‖Y‖²
    Index size, targets;
    double l1, l2;
};

// What is known of an answer: gap is primal less a dual value of a feasible dual point.
struct BlockProof {
    double primal = 0.0, gap = 0.0, kkt = 0.0;
};

// Of coefficients w (size × targets) whose correlations c = Xᵀ(Y − XW) are known.
BlockProof prove_blocks(const BlockProblem& problem, const double* w, const double* c);

// Improves w, and c with it, until the gap is at most tol·primal or `max_epochs` sweeps are made;
// returns the sweeps.
Index descend_blocks(const BlockProblem& problem, double* w, double* c, double tol,
                     Index max_epochs, Checkpoint& checkpoint);

}  // namespace stylobate::descend
