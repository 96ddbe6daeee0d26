// Cholesky factorisation of a dense symmetric matrix, row-major, on one thread.
#pragma once

#include "stylobate/parallel.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

// A = LLᵀ in place of the lower triangle of a (rows `ld` apart); the upper one is left alone.
// False where a pivot is below `tolerance` times its diagonal entry: dependent columns.
bool cholesky(double* a, Index n, Index ld, double tolerance, Checkpoint& checkpoint);

// x ← (LLᵀ)⁻¹x
void cholesky_solve(const double* l, Index n, Index ld, double* x);

}  // namespace stylobate::descend
