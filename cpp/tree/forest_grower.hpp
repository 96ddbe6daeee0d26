// One tree of a forest, or a part of it below a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "forest_splits.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::forest {

// Random numbers of a node: SplitMix64 from a key that its path from the root decides.
class NodeRandom {
 public:
    explicit NodeRandom(std::uint64_t key) : state_(key) {}
    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        return mixed(state_);
    }
    // Uniform on 0 … bound − 1.
    std::size_t below(std::size_t bound) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(next()) * bound) >> 64);
    }

    static std::uint64_t child(std::uint64_t key, bool right) {
        return mixed(key ^ (right ? 0xD1B54A32D192ED03u : 0x8CB92BA72F3D8DD7u));
    }

 private:
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

// A node to be grown: rows begin … end − 1 of the tree's.
struct Seedling {
    std::size_t begin = 0, end = 0;
    Index depth = 0;
    std::uint64_t key = 0;
    std::int32_t parent = -1;  // whose right child it is; -1: a left child, or the root
};

// Ranks of rows by any layout.
struct RankSource {
    const Rank* ranks;
    std::size_t row_stride, col_stride;
    Rank operator()(std::uint32_t row, std::size_t col) const {
        return ranks[row * row_stride + col * col_stride];
    }
};

// Grows nodes of rows held elsewhere. Accumulator and Rows are the criterion and the policy.
template <class Accumulator, class Rows>
class Grower {
 public:
    Grower(const RankedColumns& columns, const ForestOptions& options, Rows& rows,
           std::vector<TreeRow>& members, double total_weight)
        : columns_(columns),
          options_(options),
          rows_(rows),
          members_(members),
          total_(total_weight),
          least_{static_cast<std::size_t>(options.min_samples_leaf), options.min_weight_leaf},
          order_(static_cast<std::size_t>(columns.cols())),
          keys_(members.size()),
          spare_(members.size()),
          sorter_(members.size()) {}

    GrownTree grow(const Seedling& root, Checkpoint& checkpoint) {
        GrownTree tree;
        std::vector<Seedling> waiting{root};
        std::vector<Rank> near;
        std::size_t near_end = 0;  // members below here have their ranks in `near`
        RankSource source = far();
        while (!waiting.empty()) {
            checkpoint();
            const Seedling node = waiting.back();
            waiting.pop_back();
            if (node.begin >= near_end) source = far(), near_end = 0;
            if (near_end == 0 && node.end - node.begin <= near_rows()) {
                source = bring_near(node, near);
                near_end = node.end;
            }
            grow_node(node, source, tree, waiting);
        }
        return tree;
    }

 private:
    static constexpr std::size_t near_bytes = 256 * 1024;  // ranks of a part that stays in cache

    RankSource far() const {
        return {columns_.ranks(), static_cast<std::size_t>(columns_.cols()), 1};
    }
    std::size_t near_rows() const {
        return near_bytes / sizeof(Rank) / static_cast<std::size_t>(columns_.cols());
    }

    // Copies the ranks of a node's rows, column by column, for all nodes below it.
    RankSource bring_near(const Seedling& node, std::vector<Rank>& near) {
        const std::size_t count = node.end - node.begin, cols = order_.size();
        near.resize(count * cols);
        const RankSource source = far();
        for (std::size_t i = 0; i < count; ++i) {
            TreeRow& member = members_[node.begin + i];
            const Rank* const row = source.ranks + member.row * source.row_stride;
            for (std::size_t j = 0; j < cols; ++j) near[j * count + i] = row[j];
            member.row = static_cast<std::uint32_t>(i);
        }
        return {near.data(), 1, count};
    }

    void grow_node(const Seedling& node, const RankSource& source, GrownTree& tree,
                   std::vector<Seedling>& waiting) {
        TreeRow* const rows = members_.data() + node.begin;
        const std::size_t count = node.end - node.begin;
        rows_.load(rows, count);
        const NodeSummary summary = Accumulator::summary(rows_);
        const auto number = static_cast<std::int32_t>(tree.right.size());
        if (node.parent >= 0) tree.right[static_cast<std::size_t>(node.parent)] = number;
        append(tree, summary, count);
        if (is_leaf(node, summary, count)) return;
        Split split = find(node, source, rows, count);
        const double gain = (split.score - summary.score) / total_;
        if (split.feature < 0 || gain + rounding < options_.min_impurity_decrease) return;
        const std::size_t left = part(split, source, rows, count);
        const auto at = static_cast<std::size_t>(number);
        tree.left[at] = number + 1;
        tree.feature[at] = static_cast<std::int32_t>(split.feature);
        tree.threshold[at] = threshold(split);
        tree.missing_left[at] = split.missing_left;
        const std::size_t middle = node.begin + left;
        waiting.push_back(
            {middle, node.end, node.depth + 1, NodeRandom::child(node.key, true), number});
        waiting.push_back(
            {node.begin, middle, node.depth + 1, NodeRandom::child(node.key, false), -1});
    }

    void append(GrownTree& tree, const NodeSummary& summary, std::size_t count) const {
        tree.left.push_back(-1);
        tree.right.push_back(-1);
        tree.feature.push_back(-2);
        tree.threshold.push_back(-2.0);
        tree.missing_left.push_back(0);
        tree.impurity.push_back(summary.impurity);
        tree.category_start.push_back(-1);
        tree.samples.push_back(static_cast<std::int64_t>(count));
        tree.weight.push_back(summary.weight);
        tree.value.resize(tree.value.size() + static_cast<std::size_t>(rows_.width()));
        rows_.value(summary.weight, &tree.value[tree.value.size() - rows_.width()]);
    }

    bool is_leaf(const Seedling& node, const NodeSummary& summary, std::size_t count) const {
        return (options_.max_depth > 0 && node.depth >= options_.max_depth) ||
               count < static_cast<std::size_t>(options_.min_samples_split) ||
               count < 2 * least_.rows || summary.weight < 2.0 * least_.weight ||
               summary.impurity <= rounding;
    }

    // The best split among columns drawn one after the other: at least max_features of them, and
    // more as long as all were constant.
    Split find(const Seedling& node, const RankSource& source, const TreeRow* rows,
               std::size_t count) {
        if (count > near_rows() && Accumulator::bounds(rows_)) {
            return find_among_many(node, source, rows, count);
        }
        NodeRandom random(node.key);
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
        Split best;
        bool varied = false;
        const auto wanted = static_cast<std::size_t>(options_.max_features);
        for (std::size_t drawn = 0; drawn < order_.size() && (drawn < wanted || !varied); ++drawn) {
            std::swap(order_[drawn], order_[drawn + random.below(order_.size() - drawn)]);
            varied |= look(order_[drawn], source, rows, count, best);
        }
        return best;
    }

    // The same for many rows: sums for steps of the ranks tell the best split between steps, and in
    // which of them a better one can be; only those are sorted.
    Split find_among_many(const Seedling& node, const RankSource& source, const TreeRow* rows,
                          std::size_t count) {
        NodeRandom random(node.key);
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
        Split best;
        bool varied = false;
        const auto wanted = static_cast<std::size_t>(options_.max_features);
        std::vector<std::size_t> counted;
        for (std::size_t drawn = 0; drawn < order_.size() && (drawn < wanted || !varied); ++drawn) {
            std::swap(order_[drawn], order_[drawn + random.below(order_.size() - drawn)]);
            const std::size_t col = order_[drawn];
            const auto feature = static_cast<Index>(col);
            if (columns_.has_missing(feature)) {
                varied |= look(col, source, rows, count, best);
                continue;
            }
            if (tables_.size() <= counted.size()) tables_.emplace_back();
            BinTable& table = tables_[counted.size()];
            rows_.count(rows, count, columns_.codes(feature), table);
            best_step<Accumulator>(rows_, table, count, feature, least_, best);
            counted.push_back(col);
            varied |= varies(col, table, source, rows, count);
        }
        for (std::size_t i = 0; i < counted.size(); ++i) {
            if (open_steps<Accumulator>(rows_, tables_[i], best.score, open_)) {
                look_inside(counted[i], tables_[i], source, rows, count, best);
            }
        }
        if (best.by_step) settle(best, source, rows, count);
        return best;
    }

    bool varies(std::size_t col, const BinTable& table, const RankSource& source,
                const TreeRow* rows, std::size_t count) const {
        if (std::count(table.rows.begin(), table.rows.end(), 0u) <
            static_cast<Index>(RankedColumns::steps) - 1) {
            return true;  // more than one step
        }
        const Rank first = source(rows[0].row, col);
        return std::any_of(rows, rows + count,
                           [&](const TreeRow& row) { return source(row.row, col) != first; });
    }

    void look_inside(std::size_t col, const BinTable& table, const RankSource& source,
                     const TreeRow* rows, std::size_t count, Split& best) {
        const auto feature = static_cast<Index>(col);
        const std::uint8_t* const codes = columns_.codes(feature);
        Rank low = std::numeric_limits<Rank>::max(), high = 0;
        std::size_t held = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (!open_[codes[rows[i].row]]) continue;
            const Rank rank = source(rows[i].row, col);
            keys_[held++] = std::uint64_t{rank} << 32 | rows_.low(rows[i], i);
            low = std::min(low, rank);
            high = std::max(high, rank);
        }
        sorter_.sort(keys_.data(), held, low, high);
        const auto code = [&](Rank rank) { return columns_.code(feature, rank); };
        best_inside<Accumulator>(rows_, table, keys_.data(), held, count, code, feature, least_,
                                 best);
    }

    // From the last step on the left to the ranks on both sides of the split.
    void settle(Split& best, const RankSource& source, const TreeRow* rows,
                std::size_t count) const {
        const std::uint8_t* const codes = columns_.codes(best.feature);
        const auto step = static_cast<std::uint8_t>(best.last);
        const auto col = static_cast<std::size_t>(best.feature);
        Rank last = 0, next = std::numeric_limits<Rank>::max();
        for (std::size_t i = 0; i < count; ++i) {
            const Rank rank = source(rows[i].row, col);
            if (codes[rows[i].row] <= step) {
                last = std::max(last, rank);
            } else {
                next = std::min(next, rank);
            }
        }
        best.last = last, best.next = next, best.by_step = false;
    }

    // Looks at a column; whether it varies among the rows.
    bool look(std::size_t col, const RankSource& source, const TreeRow* rows, std::size_t count,
              Split& best) {
        const Rank missing = columns_.missing(static_cast<Index>(col));
        Rank low = std::numeric_limits<Rank>::max(), high = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Rank rank = source(rows[i].row, col);
            keys_[i] = std::uint64_t{rank} << 32 | rows_.low(rows[i], i);
            low = std::min(low, rank);
            high = std::max(high, rank);
        }
        if (low == high) return false;
        const auto feature = static_cast<Index>(col);
        sorter_.sort(keys_.data(), count, low, high);
        std::size_t known = count;
        if (high == missing) {
            while (rank_of(keys_[known - 1]) == missing) --known;
        }
        best_split<Accumulator>(rows_, keys_.data(), known, count, feature, least_, best);
        return true;
    }

    // Rows of the left side first, both in their order; how many those are.
    std::size_t part(Split& split, const RankSource& source, TreeRow* rows, std::size_t count) {
        const auto col = static_cast<std::size_t>(split.feature);
        const Rank missing = columns_.missing(split.feature);
        std::size_t left = 0, right = 0;
        bool any_missing = false;
        for (std::size_t i = 0; i < count; ++i) {
            const TreeRow row = rows[i];
            const Rank rank = source(row.row, col);
            any_missing |= rank == missing;
            const bool goes = rank == missing ? split.missing_left : rank <= split.last;
            rows[left] = row;
            spare_[right] = row;
            left += goes;
            right += !goes;
        }
        std::copy_n(spare_.begin(), right, rows + left);
        if (!any_missing) split.missing_left = left > right;
        return left;
    }

    double threshold(const Split& split) const {
        if (!std::isnan(split.threshold)) return split.threshold;
        const std::vector<double>& values = columns_.values(split.feature);
        const double a = values[split.last], b = values[split.next];
        const double middle = a / 2.0 + b / 2.0;
        return middle >= a && middle < b ? middle : a;
    }

    static constexpr double rounding = std::numeric_limits<double>::epsilon();

    const RankedColumns& columns_;
    const ForestOptions& options_;
    Rows& rows_;
    std::vector<TreeRow>& members_;
    double total_;
    Least least_;
    std::vector<std::uint32_t> order_;
    std::vector<RankKey> keys_;
    std::vector<TreeRow> spare_;
    RankSorter sorter_;
    std::vector<BinTable> tables_;
    std::vector<std::uint8_t> open_;
};

}  // namespace stylobate::forest
