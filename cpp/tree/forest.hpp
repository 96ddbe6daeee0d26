// Forests: many trees grown from the same ranked columns.
//
// Each node draws a few columns, sorts the ranks of its own rows in each (they are small integers,
// so a distribution pass does nearly all of it) and scans them. Rows drawn several times are one
// row with a count. A node's random numbers depend on the seed of its tree and on its path from the
// root alone, so trees and parts of trees grow on any number of threads with the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "forest_ranks.hpp"

namespace stylobate::tree {

enum class ForestCriterion { gini, entropy, squared_error };

struct ForestOptions {
    ForestCriterion criterion = ForestCriterion::gini;
    bool random_splits = false;  // a threshold at random in each column drawn
    Index max_features = 1;      // columns drawn in each node
    Index max_depth = 0;         // 0: any
    Index min_samples_split = 2;
    Index min_samples_leaf = 1;
    double min_weight_leaf = 0.0;  // as a fraction of the weight of all rows
    double min_impurity_decrease = 0.0;
};

// What the rows are to teach: classes 0 … classes − 1, or numbers (classes == 0).
struct ForestTarget {
    Index classes = 0;
    const std::int32_t* labels = nullptr;  // rows, if classes
    const double* numbers = nullptr;       // rows, else
    const double* weights = nullptr;       // rows; null: all ones
};

// How often each tree counts each row.
struct ForestDraws {
    Index trees = 0;
    const std::uint32_t* seeds = nullptr;   // one for each tree
    Index count = 0;                        // rows to draw with replacement; 0: each row once
    const std::uint32_t* counts = nullptr;  // trees × rows, instead of drawing
    const double* class_factors = nullptr;  // trees × classes; null: all ones
};

// A grown tree; the left child of node i is i + 1, right[i] < 0 marks a leaf.
struct GrownTree {
    std::vector<std::int32_t> left, right, feature;
    std::vector<double> threshold, impurity, weight, value;
    std::vector<std::uint8_t> missing_left;
    std::vector<std::int64_t> samples;
};

std::vector<GrownTree> grow_forest(const RankedColumns& columns, const ForestTarget& target,
                                   const ForestDraws& draws, const ForestOptions& options);

// How often each row is drawn by NumPy's RandomState(seed).randint(0, rows, count).
void draw_counts(std::uint32_t seed, Index rows, Index count, std::uint32_t* counts);

}  // namespace stylobate::tree
