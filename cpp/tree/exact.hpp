// Exact growth of one tree: search the columns of a node, split, go on.
//
// Large nodes work on all threads, column by column. Their parts of few rows are handed on as
// problems of their own, whose rows are renumbered so that everything they touch stays in cache,
// and which are grown side by side. Random numbers belong to a node's path from the root: a tree
// does not depend on the order in which its nodes are grown.
#pragma once

#include <queue>

#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"
#include "tree/category_order.hpp"
#include "tree/near_columns.hpp"
#include "tree/sorted_lists.hpp"

namespace stylobate::tree {

// What all problems of a tree share.
struct Shared {
    const RankedColumns& columns;
    const GrowthOptions& options;
    Index max_features;
    std::uint64_t seed;
    bool lists;  // keep sorted lists; else rank the rows of each node anew
    double total_weight = 0.0;
    Index hand_on = 0;  // nodes of at most so many rows become problems of their own
};

struct NodeTask {
    std::int32_t node = 0;
    Index begin = 0, count = 0;  // of the rows
    Index list_begin = 0;        // of the lists
    Index depth = 0;
    std::uint64_t path = 1;
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    ColumnSet columns;  // those that are not known to be constant
    Found found;
    double decrease = 0.0;
};

// Whether a gain is larger by more than rounding: of equally good columns the first one stays.
inline bool is_more(double gain, double than) {
    return gain - than > 1e-13 * std::abs(gain);
}

template <class Labels, class Record>
class Grower {
 public:
    static constexpr bool wide = sizeof(Record) == sizeof(WideRecord);

    Grower(const Shared& shared, Labels labels, std::vector<Row> global)
        : shared_(shared),
          labels_(std::move(labels)),
          global_(std::move(global)),
          rows_(global_.size()),
          left_(global_.size()) {
        std::iota(rows_.begin(), rows_.end(), 0u);
        width_ = labels_.width();
    }

    SortedLists<Record>& lists() { return lists_; }
    GrownTree& tree() { return tree_; }
    Index size() const { return static_cast<Index>(rows_.size()); }

    // Grows from a task that says where the root stands in the whole tree.
    void grow(NodeTask root, Checkpoint& checkpoint) {
        root.begin = root.list_begin = 0;
        root.count = size();
        scratch_.resize(lists_.empty() ? 0 : rows_.size());
        moved_.resize(rows_.size());
        if (!add_node(root)) return;
        if (shared_.options.max_leaf_nodes > 0)
            grow_best_first(std::move(root), checkpoint);
        else
            grow_depth_first(std::move(root), checkpoint);
    }

    // Copies what nodes look at without lists: numbers that splits are drawn from, and categories.
    void bring_near(const std::vector<Index>& columns) {
        if (shared_.columns.cols() > far_columns * shared_.max_features) return;
        const bool drawn = options().random_splits && shared_.columns.sparse() == nullptr;
        const auto is_code = [&](Index j) { return shared_.columns.categories(j) > 0; };
        if (drawn) near_numbers_ = NearColumns<double>(shared_.columns.cols(), size());
        if (std::any_of(columns.begin(), columns.end(), is_code))
            near_codes_ = NearColumns<std::uint32_t>(shared_.columns.cols(), size());
        for (const Index j : columns) {
            if (is_code(j))
                near_codes_.fill(j, far_codes(j));
            else if (drawn)
                near_numbers_.fill(j, [&](Row row) { return value_of(row, j); });
        }
    }

    // Nodes that were left to others, with their rows and lists here.
    std::vector<NodeTask>& handed_on() { return handed_on_; }

    Labels labels_of(const NodeTask& task) const {
        return labels_.take(rows_.data() + task.begin, task.count);
    }
    std::vector<Row> global_of(const NodeTask& task) const {
        std::vector<Row> out;
        out.reserve(static_cast<std::size_t>(task.count));
        for (Index i = 0; i < task.count; ++i) out.push_back(global_[row(task.begin + i)]);
        return out;
    }
    Row row(Index place) const { return rows_[static_cast<std::size_t>(place)]; }

 private:
    const GrowthOptions& options() const { return shared_.options; }

    // --- nodes ---------------------------------------------------------------------------------

    // Adds the node of a task; whether it may be split.
    bool add_node(NodeTask& task) {
        task.node = static_cast<std::int32_t>(tree_.left.size());
        tree_.value.resize(tree_.value.size() + static_cast<std::size_t>(width_));
        double* const value = tree_.value.data() + Index{task.node} * width_;
        const auto node = labels_.statistics(rows_.data() + task.begin, task.count, value);
        if (options().monotone != nullptr) clip(value, task);
        tree_.left.push_back(-1);
        tree_.right.push_back(-1);
        tree_.feature.push_back(-2);
        tree_.threshold.push_back(-2.0);
        tree_.missing_left.push_back(0);
        tree_.impurity.push_back(node.impurity);
        tree_.samples.push_back(task.count);
        tree_.weight.push_back(node.weight);
        tree_.category_start.push_back(-1);
        return !node.pure && task.depth < options().max_depth &&
               task.count >= options().min_samples_split &&
               task.count >= 2 * options().min_samples_leaf &&
               node.weight >= 2.0 * options().min_weight_leaf;
    }

    void clip(double* value, const NodeTask& task) const {
        if (width_ == 1) {
            value[0] = std::clamp(value[0], task.lower, task.upper);
        } else {
            value[1] = std::clamp(value[1], task.lower, task.upper);
            value[0] = 1.0 - value[1];
        }
    }

    void grow_depth_first(NodeTask root, Checkpoint& checkpoint) {
        std::vector<NodeTask> waiting;
        waiting.push_back(std::move(root));
        while (!waiting.empty()) {
            checkpoint();
            NodeTask task = std::move(waiting.back());
            waiting.pop_back();
            if (wide && task.count <= shared_.hand_on) {
                handed_on_.push_back(std::move(task));
                continue;
            }
            if (!search(task)) continue;
            NodeTask children[2];
            const auto [left, right] = split(task, children);
            if (right) waiting.push_back(std::move(children[1]));
            if (left) waiting.push_back(std::move(children[0]));
        }
    }

    void grow_best_first(NodeTask root, Checkpoint& checkpoint) {
        const auto later = [](const NodeTask& a, const NodeTask& b) {
            return a.decrease != b.decrease ? a.decrease < b.decrease : a.node > b.node;
        };
        std::priority_queue<NodeTask, std::vector<NodeTask>, decltype(later)> waiting(later);
        if (search(root)) waiting.push(std::move(root));
        for (Index leaves = 1; leaves < options().max_leaf_nodes && !waiting.empty(); ++leaves) {
            checkpoint();
            NodeTask task = waiting.top();
            waiting.pop();
            NodeTask children[2];
            const auto [left, right] = split(task, children);
            if (left && search(children[0])) waiting.push(std::move(children[0]));
            if (right && search(children[1])) waiting.push(std::move(children[1]));
        }
    }

    // --- search --------------------------------------------------------------------------------

    // Finds the node's best split; whether there is one worth making.
    bool search(NodeTask& task) {
        const auto node = labels_.enter(rows_.data() + task.begin, task.count);
        const bool all = shared_.max_features >= shared_.columns.cols();
        if (all)
            search_all(task, node);
        else
            search_some(task, node);
        if (!task.found.valid()) return false;
        task.decrease = node.decrease(task.found.gain);
        // as scikit-learn counts: relative to all rows of the tree
        return task.decrease / shared_.total_weight + std::numeric_limits<double>::epsilon() >=
               options().min_impurity_decrease;
    }

    template <class Node>
    void search_all(NodeTask& task, const Node& node) {
        const auto& columns = *task.columns;
        const auto count = static_cast<Index>(columns.size());
        std::vector<Found> found(columns.size());
        const auto look = [&](Index k, ColumnSpace& space) {
            const Index j = columns[static_cast<std::size_t>(k)];
            found[static_cast<std::size_t>(k)] = look_at(j, task, node, space);
        };
        if (wide && task.count * count >= 1 << 16) {
            parallel_for(count, [&](Index k, Checkpoint& checkpoint) {
                checkpoint();
                ColumnSpace space;
                look(k, space);
            });
        } else {
            for (Index k = 0; k < count; ++k) look(k, space_);
        }
        std::vector<Index> kept;
        bool dropped = false;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            dropped = dropped || found[k].constant;
            if (is_more(found[k].gain, task.found.gain)) task.found = std::move(found[k]);
        }
        if (!dropped) return;
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (!found[k].constant) kept.push_back(columns[k]);
        task.columns = std::make_shared<const std::vector<Index>>(std::move(kept));
    }

    // Columns in random order until enough have been drawn, one of them not constant. As in
    // scikit-learn constant ones count: passing over them would make the trees of a forest alike.
    template <class Node>
    void search_some(NodeTask& task, const Node& node) {
        const auto& open = *task.columns;  // increasing
        const Index count = shared_.columns.cols();
        std::vector<Index>& order = drawn_;
        order.resize(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), Index{0});
        const Philox random(shared_.seed, task.path);
        Philox::Block words{};
        std::vector<Index> constant;
        Index looked = 0;
        bool varied = false;
        for (Index k = 0; k < count && looked < static_cast<Index>(open.size()) &&
                          (k < shared_.max_features || !varied);
             ++k) {
            if (k % 4 == 0) words = random({static_cast<std::uint64_t>(k / 4), 0, 0, 0});
            const auto others = static_cast<std::uint64_t>(count - k);
            const auto pick =
                k + static_cast<Index>(words[static_cast<std::size_t>(k % 4)] % others);
            std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(pick)]);
            const Index j = order[static_cast<std::size_t>(k)];
            if (!std::binary_search(open.begin(), open.end(), j)) continue;  // constant above
            ++looked;
            Found found = look_at(j, task, node, space_);
            if (found.constant)
                constant.push_back(j);
            else
                varied = true;
            if (is_more(found.gain, task.found.gain)) task.found = std::move(found);
        }
        if (constant.empty()) return;
        std::vector<Index> kept;
        for (const Index j : *task.columns)
            if (std::find(constant.begin(), constant.end(), j) == constant.end()) kept.push_back(j);
        task.columns = std::make_shared<const std::vector<Index>>(std::move(kept));
    }

    template <class Node>
    Found look_at(Index j, const NodeTask& task, const Node& node, ColumnSpace& space) const;
    template <class Node>
    Found draw_split(Index j, const NodeTask& task, const Node& node, const Bounds& bounds,
                     ColumnSpace& space) const;
    template <class Node>
    Found by_category(Index j, const NodeTask& task, const Node& node, const Bounds& bounds,
                      ColumnSpace& space) const;
    template <class Take>
    void each_rank(Index j, const NodeTask& task, const Take& take) const;
    Index rank_rows(Index j, const NodeTask& task, ColumnSpace& space) const;
    Index sort_rows(Index j, const NodeTask& task, ColumnSpace& space) const;
    const double* values_of(Index j, const NodeTask& task, ColumnSpace& space) const;
    Bounds bounds_of(Index j, const NodeTask& task) const {
        Bounds bounds{options().min_samples_leaf, options().min_weight_leaf};
        // splits of other columns may leave the bounds: their values are clipped
        if (options().monotone != nullptr && options().monotone[j] != 0) {
            bounds.monotone = true;
            bounds.direction = options().monotone[j];
            bounds.lower = task.lower;
            bounds.upper = task.upper;
        }
        return bounds;
    }

    // --- split ---------------------------------------------------------------------------------

    // A column is copied once and looked at in a share of a dozen levels.
    static constexpr Index far_columns = 16;

    double value_of(Row row, Index j) const { return shared_.columns.value(j, global_[row]); }
    auto far_codes(Index j) const {
        return [ranks = shared_.columns.ranks(j), global = global_.data()](Row row) {
            return ranks[global[row]];
        };
    }
    auto codes(Index j) const { return ColumnOfRows(near_codes_.of(j), far_codes(j)); }
    double threshold_of(const Found& found) const;
    void mark_left(const NodeTask& task);
    template <class Goes>
    Index part_rows(const NodeTask& task, const Goes& goes);
    Index part_rows(const NodeTask& task);
    std::pair<bool, bool> split(NodeTask& task, NodeTask* children);
    void split_lists(const NodeTask& task, bool keep_left, bool keep_right);

    const Shared& shared_;
    Labels labels_;
    std::vector<Row> global_;  // the rows of the table that the problem's rows are
    std::vector<Row> rows_;    // nodes are stretches of it
    std::vector<std::uint8_t> left_;
    SortedLists<Record> lists_;
    std::vector<Record> scratch_;
    NearColumns<double> near_numbers_;
    NearColumns<std::uint32_t> near_codes_;
    std::vector<Row> moved_;
    std::vector<Index> drawn_;  // the columns of a node in the order they are drawn in
    ColumnSpace space_;
    Index width_ = 1;
    GrownTree tree_;
    std::vector<NodeTask> handed_on_;
};

}  // namespace stylobate::tree

#include "tree/exact_columns.hpp"
#include "tree/exact_split.hpp"
