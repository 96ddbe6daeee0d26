// Coordinate descent on the residual in compressed columns: an epoch costs the stored entries, and
// no product of two columns is kept.
#pragma once

#include <vector>

#include "descend/elastic_net.hpp"
#include "descend/working_set.hpp"

namespace stylobate::descend {

// Descends in all members from coefficients w, extrapolating every few epochs; until the gap of
// these columns is at most `gap_goal`, or no coordinate of a sweep lowers the objective by more
// than half of `change_goal`, where that is above 0. Returns the number of sweeps.
Index descend_sparse(const Columns& x, const Regression& regression, const WorkingSet& set,
                     const ElasticNet& penalty, const Rules& rules, double gap_goal,
                     double change_goal, Index max_epochs, std::vector<double>& w,
                     Checkpoint& checkpoint);

}  // namespace stylobate::descend
