// Best subsets of columns for least squares, of every size, by branch and bound.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::descend {

struct BestSubsets {
    std::vector<double> squares;  // smallest residual sum of squares with m columns, m = 0 … p
    std::vector<std::uint64_t> columns;  // which those are, one bit each
    std::int64_t nodes = 0;              // systems looked at
};

// From the triangular factor R of [X, y], (p + 1) × (p + 1), row by row, p ≤ 63: the residual sum
// of squares of the first j columns is the sum of the squares of R's last column from row j on.
// Only sizes up to `most` are asked for; the best of larger ones may be any.
BestSubsets best_subsets(const double* r, Index p, Index most);

}  // namespace stylobate::descend
