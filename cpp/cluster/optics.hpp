// The order of OPTICS: from each row to the unseen row that is reached soonest from any seen so
// far.
#pragma once

#include <cstdint>
#include <vector>

#include "tile/tree.hpp"

namespace stylobate::cluster {

struct Reachabilities {
    std::vector<std::int64_t> order, predecessor;  // predecessor −1: reached from nowhere
    std::vector<double> reach;                     // of each row, ∞ where from nowhere
};

// The distance at which row q is reached from p is max(core[p], d(p, q)), rounded to 15 decimals;
// distances and `core` are in the metric's own units, `radius` (how far a row sees) in the
// measure's. Rows whose core is ∞ see nothing. For measures that split into columns.
Reachabilities optics(const MatrixView<double>& x, const tile::TreeMetric& metric,
                      const double* core, double radius);

}  // namespace stylobate::cluster
