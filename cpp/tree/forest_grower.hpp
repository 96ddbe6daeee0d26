// One tree of a forest, or a part of it below a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest.hpp"
#include "forest_scratch.hpp"
#include "forest_search.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::forest {

// A node to be grown: rows begin … end − 1 of the tree's.
struct Seedling {
    std::size_t begin = 0, end = 0;
    Index depth = 0;
    std::uint64_t key = 0;
    std::int32_t parent = -1;  // whose right child it is; -1: a left child, or the root
};

// Grows nodes of rows held elsewhere. Accumulator and Rows are the criterion and the policy.
template <class Accumulator, class Rows>
class Grower {
 public:
    Grower(const RankedColumns& columns, const ForestOptions& options, const Rows& rows,
           TreeRow* members, double total_weight, ScratchShelf& shelf)
        : columns_(columns),
          options_(options),
          rows_(rows),
          members_(members),
          total_(total_weight),
          least_{static_cast<std::size_t>(options.min_samples_leaf), options.min_weight_leaf},
          search_(columns, static_cast<std::size_t>(options.max_features), least_),
          scratch_(shelf) {}

    GrownTree grow(const Seedling& root, Checkpoint& checkpoint) {
        start();
        std::vector<Seedling> waiting{root};
        std::size_t near_end = 0;  // members below here have their ranks in the scratch
        std::size_t since = 0;     // the last checkpoint: rows
        const RankSource far = scratch_->near.far();
        RankSource source = far;
        const std::size_t near_rows = scratch_->near.most_rows();
        while (!waiting.empty()) {
            const Seedling node = waiting.back();
            waiting.pop_back();
            since += node.end - node.begin;
            if (since > often) checkpoint(), since = 0;
            if (node.begin >= near_end) source = far, near_end = 0;
            if (near_end == 0 && node.end - node.begin <= near_rows) {
                source = scratch_->near.bring(members_ + node.begin, node.end - node.begin);
                near_end = node.end;
            }
            grow_node(node, source, waiting);
        }
        return finished();
    }

    // A tree of this node alone, and the left and right nodes below it, if any. Where no loop
    // encloses the call, the node's columns are looked at by several threads.
    GrownTree grow_node_alone(const Seedling& node, std::vector<Seedling>& children) {
        start();
        search_.share_columns();
        grow_node(node, scratch_->near.far(), children);
        std::reverse(children.begin(), children.end());
        for (Seedling& child : children) child.parent = -1;
        return finished();
    }

 private:
    void start() {
        scratch_->nodes.start(rows_.width());
        scratch_->cuts.clear();
    }

    void grow_node(const Seedling& node, const RankSource& source, std::vector<Seedling>& waiting) {
        TreeRow* const rows = members_ + node.begin;
        const std::size_t count = node.end - node.begin;
        rows_.load(rows, count);
        const NodeSummary summary = Accumulator::summary(rows_);
        tree::GrowingNodes& nodes = scratch_->nodes;
        const std::int32_t number = nodes.size();
        rows_.value(summary.weight, nodes.add(node.parent));
        nodes.describe(static_cast<Index>(count), summary.weight, summary.impurity);
        if (is_leaf(node, summary, count)) return;
        Split split = search_.find(node.key, rows_, {source, rows, count});
        const double gain = (split.score - summary.score) / total_;
        if (split.column.feature < 0 || gain + rounding < options_.min_impurity_decrease) return;
        const std::size_t left = part(split, source, rows, count);
        nodes.split(split.column.feature, split.threshold, split.missing_left);
        if (std::isnan(split.threshold)) {
            scratch_->cuts.push_back({number, split.column.feature, split.last, split.next});
        }
        const std::size_t middle = node.begin + left;
        waiting.push_back(
            {middle, node.end, node.depth + 1, NodeRandom::child(node.key, true), number});
        waiting.push_back(
            {node.begin, middle, node.depth + 1, NodeRandom::child(node.key, false), -1});
    }

    // Thresholds all at once: the values lie anywhere in memory, and so the next need not wait for
    // the last.
    GrownTree finished() {
        for (const NodeCut& cut : scratch_->cuts) {
            scratch_->nodes.set_threshold(cut.node, cut.threshold(columns_));
        }
        return scratch_->nodes.tree();
    }

    bool is_leaf(const Seedling& node, const NodeSummary& summary, std::size_t count) const {
        return (options_.max_depth > 0 && node.depth >= options_.max_depth) ||
               count < static_cast<std::size_t>(options_.min_samples_split) ||
               count < 2 * least_.rows || summary.weight < 2.0 * least_.weight ||
               summary.impurity <= rounding;
    }

    // Rows of the left side first, both in their order; how many those are.
    std::size_t part(Split& split, const RankSource& source, TreeRow* rows, std::size_t count) {
        const auto col = static_cast<std::size_t>(split.column.feature);
        if (scratch_->spare.size() < count) scratch_->spare.resize(count);
        if (columns_.has_missing(split.column.feature)) {
            return with_ranks(source, col, [&](const auto& rank) {
                return part_by_known(split, rank, rows, count);
            });
        }
        const std::uint8_t* const codes = source.codes(col);
        const auto step = columns_.code(split.column.feature, split.last);
        const std::size_t left =
            columns_.narrow(split.column.feature)
                ? part_by(rows, count, [&](std::uint32_t row) { return codes[row] <= step; })
                : part_by(rows, count, [&](std::uint32_t row) {
                      const std::uint8_t code = codes[row];
                      // one branch, hardly ever taken
                      if (code == step) [[unlikely]]
                          return source.rank(row, col) <= split.last;
                      return code < step;
                  });
        split.missing_left = left > count - left;
        return left;
    }

    // The same of a column with missing values.
    template <class Ranks>
    std::size_t part_by_known(Split& split, const Ranks& rank_of, TreeRow* rows,
                              std::size_t count) {
        const Rank missing = columns_.missing(split.column.feature);
        bool any_missing = false;
        const std::size_t left = part_by(rows, count, [&](std::uint32_t row) {
            const Rank rank = rank_of(row);
            any_missing |= rank == missing;
            return rank == missing ? split.missing_left : rank <= split.last;
        });
        if (!any_missing) split.missing_left = left > count - left;
        return left;
    }

    template <class Goes>
    std::size_t part_by(TreeRow* rows, std::size_t count, const Goes& goes_left) {
        TreeRow* const spare = scratch_->spare.data();
        std::size_t left = 0, right = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const TreeRow row = rows[i];
            const bool goes = goes_left(row.row);
            rows[left] = row;
            spare[right] = row;
            left += goes;
            right += !goes;
        }
        std::copy_n(spare, right, rows + left);
        return left;
    }

    static constexpr std::size_t often = 4096;
    static constexpr double rounding = std::numeric_limits<double>::epsilon();

    const RankedColumns& columns_;
    const ForestOptions& options_;
    Rows rows_;
    TreeRow* members_;
    double total_;
    Least least_;
    SplitSearch<Accumulator, Rows> search_;
    ScratchShelf::Lease scratch_;
};

}  // namespace stylobate::forest
