// Gradient boosting of histogram trees.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tree/boost_loss.hpp"
#include "tree/grow.hpp"

namespace stylobate::boost {

// A grown tree as flat arrays (see flat.hpp), its splits by bins beside those by numbers.
struct BoostedTree {
    std::vector<std::int32_t> left, right, feature, category_start;
    std::vector<double> threshold, value, weight;
    std::vector<double> impurity;  // loss per weight, to second order, against no step at all
    std::vector<std::uint8_t> missing_left;
    std::vector<std::int64_t> count;
    std::vector<std::uint32_t> categories;
    std::vector<Bin> bin;           // splits by threshold: the last bin to the left
    std::vector<BinSet> left_bins;  // splits by categories

    // scores[i] += the value of row i's leaf.
    void add(const BinnedRows& rows, double* scores) const;
};

struct BoostRules {
    GrowthRules growth;
    double learning_rate = 0.1;
    std::uint64_t first_tree = 0;  // number of trees the model has already
    double huber_share = 0.9;      // quantile of |residual| at which Huber's loss turns linear
};

class Booster {
 public:
    // `start` says where the boosting starts, outputs × rows, or one number for all rows of an
    // output. Scores and pairs are held in files of `folder` where one is named. Rows, bins and
    // targets must outlive the booster.
    Booster(const BinnedRows& rows, const Bins& bins, const Targets& targets,
            const BoostRules& rules, const MatrixView<double>& start, const std::string& folder);

    // One more tree for every output, at the pairs of the scores before.
    std::vector<BoostedTree> step();

    double loss() const { return loss_; }  // mean over the weights, at the present scores
    const Array<double>& scores() const { return scores_; }
    const Targets& targets() const { return targets_; }
    const Growth& growth() const { return growth_; }
    void pack_as(Packing choice);  // instead of by the pairs' range (for tests)

 private:
    void set_pairs(const std::vector<double>& steps);
    void set_slope();
    // Of every node; values are steps, already shrunk.
    struct NodeNumbers {
        std::vector<double> values, weights, impurity;
    };
    NodeNumbers node_numbers(const std::vector<GrownNode>& tree, Index output);
    void robust_values(const std::vector<GrownNode>& tree, std::vector<double>& values) const;
    BoostedTree flat(const std::vector<GrownNode>& tree, NodeNumbers numbers) const;
    void update(Index output, const std::vector<double>& steps);
    void update(Index output, const std::vector<double>& steps, const Range& range);

    const BinnedRows& rows_;
    const Bins& bins_;
    Targets targets_;
    BoostRules rules_;
    Growth growth_;
    std::uint64_t next_tree_;
    Array<double> scores_;
    Array<Pair> pairs_;
    Array<std::uint16_t> leaf_of_;
    PackedPairs packed_;
    std::unique_ptr<Packing> choice_;
    double total_weight_ = 0.0, loss_ = 0.0;
};

}  // namespace stylobate::boost
