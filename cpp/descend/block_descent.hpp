// Coordinate descent on the residual, block of columns by block: for supports so large that a Gram
// of all columns costs more than it saves.
#pragma once

#include <vector>

#include "descend/elastic_net.hpp"
#include "descend/working_set.hpp"

namespace stylobate::descend {

// Descends in the members listed (ascending), from coefficients w and residual r on the rows of
// weight above zero. A block's correlations come from one reading of its values; then its own
// problem is solved by its products alone, and its values, still in cache, go into the residual.
// Until no coordinate of a sweep lowers the objective by more than half of `change_goal`; returns
// the number of sweeps.
Index descend_blocks(const WorkingSet& set, const std::vector<Index>& members,
                     const ElasticNet& penalty, const Rules& rules, double change_goal,
                     Index max_epochs, std::vector<double>& w, std::vector<double>& r,
                     Checkpoint& checkpoint);

// ½‖r‖² + l1·‖w‖₁ + ½·l2·‖w‖²
double objective(const std::vector<double>& w, const std::vector<double>& r,
                 const ElasticNet& penalty);

}  // namespace stylobate::descend
