// Forests: many trees grown from the same ranked columns.
//
// Each node draws a few columns and finds the best split of its rows' ranks there. Columns of few
// values are counted value by value, where sums of the classes are whole numbers. Of the others
// small nodes sort the ranks in registers; large ones count rows in steps of the ranks, and sort
// only the steps that can hold the best split. Rows drawn several times are one row with a count.
// A node's random numbers depend on the seed of its tree and on its path from the root alone, so
// trees and parts of trees grow on any number of threads with the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "forest_ranks.hpp"
#include "tree/draws.hpp"
#include "tree/growth.hpp"

namespace stylobate::forest {

enum class ForestCriterion { gini, entropy, squared_error };

struct ForestOptions {
    ForestCriterion criterion = ForestCriterion::gini;
    Index max_features = 1;  // columns drawn in each node
    Index max_depth = 0;     // 0: any
    Index min_samples_split = 2;
    Index min_samples_leaf = 1;
    double min_weight_leaf = 0.0;
    double min_impurity_decrease = 0.0;
};

// What the rows are to teach: classes 0 … classes − 1, or numbers (classes == 0).
struct ForestTarget {
    Index classes = 0;
    const std::int32_t* labels = nullptr;  // rows, if classes
    const double* numbers = nullptr;       // rows, else
    const double* weights = nullptr;       // rows; null: all ones
};

using tree::Drawing;
using tree::GrownTree;

// One tree for every seed, on all threads; tree t is the same whatever the others are.
std::vector<GrownTree> grow_forest(const RankedColumns& columns, const ForestTarget& target,
                                   const Drawing& drawing, const ForestOptions& options,
                                   const std::vector<std::uint32_t>& seeds);

}  // namespace stylobate::forest
