// Trees of random splits (extremely randomised trees), all columns of a row looked at together.
//
// A random split needs the smallest and the largest value of a column, and what a threshold between
// them puts on either side. The ranks of a row's columns lie side by side, so one vector operation
// a row does either for sixteen columns. Nodes of few rows work on a copy of them that stays in
// cache.
#pragma once

#include <vector>

#include "tree/growth.hpp"

namespace stylobate::tree {

// Whether trees may be grown this way: random splits of numbers by one target, whole rows.
bool splits_all_columns(const RankedColumns& columns, const Target& target,
                        const GrowthOptions& options, const Drawing& drawing);

// One tree for every seed, on all threads; tree t is the same whatever the others are.
std::vector<GrownTree> grow_random_trees(const RankedColumns& columns, const Target& target,
                                         const GrowthOptions& options,
                                         const std::vector<std::uint64_t>& seeds);

}  // namespace stylobate::tree
