// Growing trees whose splits are the best (or random ones) among all there are.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "tree/draws.hpp"
#include "tree/ranked.hpp"

namespace stylobate::tree {

enum class Criterion { gini, entropy, misclassification, squared_error, absolute_error, poisson };

// What the rows are to be told apart by, C order. Classes: codes, rows × outputs. Numbers: values.
struct Target {
    Index outputs = 1;
    const std::int32_t* codes = nullptr;
    std::vector<std::uint32_t> classes;  // of each output; empty for numbers
    const double* values = nullptr;
    const double* weights = nullptr;  // of the rows, not negative; null: ones
};

struct GrowthOptions {
    Criterion criterion = Criterion::gini;
    bool random_splits = false;
    Index max_depth = std::numeric_limits<Index>::max();
    Index min_samples_split = 2;
    Index min_samples_leaf = 1;
    double min_weight_leaf = 0.0;
    Index max_features = 0;    // 0: all
    Index max_leaf_nodes = 0;  // 0: any number, depth first; else best first
    double min_impurity_decrease = 0.0;
    const std::int8_t* monotone = nullptr;  // of each column: −1, 0 or 1; null: none
};

// Arrays of one tree, as `stylobate.tree.Tree` has them; children after parents, left first.
struct GrownTree {
    std::vector<std::int32_t> left, right, feature;
    std::vector<double> threshold;
    std::vector<std::uint8_t> missing_left;
    std::vector<double> impurity;
    std::vector<std::int64_t> samples;
    std::vector<double> weight;
    std::vector<double> value;  // nodes × outputs × most classes
    std::vector<std::int32_t> category_start;
    std::vector<std::uint32_t> categories;
};

// One tree, on all threads; the same for any number of them.
GrownTree grow(const RankedColumns& columns, const Target& target, const GrowthOptions& options,
               std::uint64_t seed);

// One tree for every seed, on all threads; tree t is the same whatever the others are.
std::vector<GrownTree> grow_forest(const RankedColumns& columns, const Target& target,
                                   const GrowthOptions& options, const Drawing& drawing,
                                   const std::vector<std::uint64_t>& seeds);

// Which form of the columns growing with these options asks for.
RankedColumns::Wanted wanted_columns(const GrowthOptions& options, Index cols);

}  // namespace stylobate::tree
