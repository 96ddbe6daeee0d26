// Cholesky factorisation of a small dense symmetric matrix, row-major.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::descend {

// A = LLᵀ in place of the lower triangle of a (rows `ld` apart); the upper one is left alone.
// Returns how many rows were done: fewer than n where a pivot is not above its floor (null: 0).
Index cholesky(double* a, Index n, Index ld, const double* floors);

}  // namespace stylobate::descend
