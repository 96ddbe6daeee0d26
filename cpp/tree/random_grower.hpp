// One tree of random splits.
#pragma once

#include <limits>

#include "stylobate/random.hpp"
#include "tree/growing_nodes.hpp"
#include "tree/random_targets.hpp"

namespace stylobate::tree {

// Random words of a node, four from each block.
class NodeWords {
 public:
    NodeWords(std::uint64_t seed, std::uint64_t path) : random_(seed, path) {}
    std::uint64_t next() {
        if (used_ % 4 == 0) block_ = random_({used_ / 4, 0, 0, 0});
        return block_[used_++ % 4];
    }

 private:
    Philox random_;
    Philox::Block block_{};
    std::uint64_t used_ = 0;
};

// Grows one tree after the other; what they need of memory stays.
template <class Key, class Labels>
class RandomGrower {
 public:
    // Grown from the rows of the table, whose weights add up to `total`.
    RandomGrower(const KeyRows<Key>& table, const GrowthOptions& options, const Labels& labels,
                 double total)
        : table_(table),
          options_(options),
          total_(total),
          max_features_(options.max_features > 0 ? options.max_features : table.cols()),
          labels_(labels),
          rows_(table),
          goes_left_(Labels::moves ? static_cast<std::size_t>(table.rows()) : 0),
          order_(static_cast<std::size_t>(table.cols())),
          drawn_(order_.size()) {
        const auto lanes = static_cast<std::size_t>(table.stride());
        for (auto* each : {&least_, &most_, &present_, &shift_, &limit_}) each->assign(lanes, 0);
    }

    GrownTree grow(std::uint64_t seed, Checkpoint& checkpoint) {
        seed_ = seed;
        nodes_.start(labels_.width());
        labels_.start();
        waiting_.assign(1, {rows_.all(), 0, 1, -1});
        while (!waiting_.empty()) {
            if (nodes_.size() % 64 == 0) checkpoint();  // asks for the time, which takes some
            Task task = waiting_.back();
            waiting_.pop_back();
            const WaitingNode node{task.span, waiting_.size()};
            if (add_node(task, node)) split(task, node);
        }
        return nodes_.tree();
    }

 private:
    struct Task {
        RowSpan span;
        Index depth;
        std::uint64_t path;
        std::int32_t right_of;  // the parent of a right child, else −1
    };
    struct Drawn {
        double threshold = 0.0;
        bool missing_seen = false, missing_left = false;
    };
    struct Best {
        Index column = -1;
        double gain = -std::numeric_limits<double>::infinity();
    };

    static std::uint64_t next_path(std::uint64_t path) { return path * 0xBF58476D1CE4E5B9u + 1; }

    bool large_enough(Index count, Index depth) const {
        return depth < options_.max_depth && count >= options_.min_samples_split &&
               count >= 2 * options_.min_samples_leaf;
    }

    // Whether the node may be split.
    bool add_node(const Task& task, const WaitingNode& node) {
        double* const value = nodes_.add(task.right_of);
        const NodeStatistics found = labels_.statistics(node, value);
        nodes_.describe(task.span.count, found.weight, found.impurity);
        return !found.pure && large_enough(task.span.count, task.depth) &&
               found.weight >= 2.0 * options_.min_weight_leaf;
    }

    void split(const Task& task, WaitingNode node) {
        node.span = rows_.fetched(node.span);
        const Index column = search(task.path, node);
        if (column < 0) return;
        const Index count = node.span.count, left = labels_.count(column);
        const auto parts = rows_.parts(node.span, left);
        const auto goes_on = [&](const RowSpan& part, bool is_left) {
            return large_enough(part.count, task.depth + 1) &&
                   !labels_.surely_pure(column, is_left);
        };
        std::uint8_t* const goes = Labels::moves ? goes_left_.data() : nullptr;
        if (Labels::moves || goes_on(parts.left, true) || goes_on(parts.right, false))
            rows_.part(node.span, parts, column, shift_[at(column)], limit_[at(column)], goes);
        labels_.part(node, column, goes);
        const Drawn& drawn = drawn_[at(column)];
        // where none was missing, missing ones go with the many
        const bool missing_left = drawn.missing_seen ? drawn.missing_left : 2 * left > count;
        const std::int32_t here = nodes_.size() - 1;
        nodes_.split(column, drawn.threshold, missing_left);
        const std::uint64_t path = task.path * 2;
        waiting_.push_back({parts.right, task.depth + 1, next_path(path + 1), here});
        waiting_.push_back({parts.left, task.depth + 1, next_path(path), -1});
    }

    // The column whose drawn split gains most; -1 if none may be made.
    Index search(std::uint64_t path, const WaitingNode& node) {
        const KeyView<Key> view = rows_.view(node.span);
        KeyKernels<Key>::extremes()(view.keys, table_.stride(), view.rows, node.span.count,
                                    least_.data(), most_.data(),
                                    table_.gaps() ? present_.data() : nullptr);
        Index varying = 0;
        for (Index j = 0; j < table_.cols(); ++j) {  // all are written, some are kept
            order_[at(varying)] = j;
            varying += least_[at(j)] != most_[at(j)] ? 1 : 0;
        }
        NodeWords words(seed_, path);
        Best best;
        // as scikit-learn does: constant columns do not count, those that cannot be split do
        Index asked = std::min(max_features_, varying);
        if (Labels::pairs_alike && node.span.count == 2) asked = std::min<Index>(asked, 1);
        for (Index k = 0; k < asked; ++k) draw(k, varying, words);
        if (asked > 0) labels_.look(view, node, shift_.data(), limit_.data());
        for (Index k = 0; k < asked; ++k) offer(order_[at(k)], node.span.count, best);
        if (best.column < 0 || best.gain / total_ + std::numeric_limits<double>::epsilon() <
                                   options_.min_impurity_decrease)
            return -1;
        return best.column;
    }

    // Puts a column drawn from the rest in place k, and draws its threshold.
    void draw(Index k, Index varying, NodeWords& words) {
        const std::uint64_t word = words.next();
        const auto rest = static_cast<std::uint64_t>(varying - k);
        const auto pick = k + static_cast<Index>(((word >> 32) * rest) >> 32);
        std::swap(order_[at(k)], order_[at(pick)]);
        const Index j = order_[at(k)];
        const Key low = least_[at(j)];
        const Key high = table_.gaps() ? static_cast<Key>(present_[at(j)] - 1) : most_[at(j)];
        Drawn& drawn = drawn_[at(j)];
        drawn = {};
        drawn.missing_seen = most_[at(j)] == KeyRows<Key>::missing;
        Key last = low;
        if (low == high) {  // only missing values are told apart
            drawn.threshold = std::numeric_limits<double>::infinity();
        } else {
            const KeyValues& values = table_.values(j);
            const double share = static_cast<double>(word & 0x7FFFFFFFu) * 0x1.0p-31;
            const double least = values[low], most = values[high];
            drawn.threshold = least * (1.0 - share) + most * share;
            if (!(drawn.threshold < most) || drawn.threshold < least) drawn.threshold = least;
            if (high - low > 1)  // else there is nothing to look for
                last = static_cast<Key>(values.last_up_to(low, high, drawn.threshold));
            drawn.missing_left = drawn.missing_seen && (word >> 31 & 1u) != 0;
        }
        shift_[at(j)] = drawn.missing_left ? 1 : 0;
        limit_[at(j)] = static_cast<Key>(last + shift_[at(j)]);
    }

    void offer(Index j, Index count, Best& best) {
        const Index left = labels_.count(j);
        const double weight = labels_.weight(j);
        if (std::min(left, count - left) < options_.min_samples_leaf ||
            std::min(weight, labels_.weight() - weight) < options_.min_weight_leaf)
            return;
        const double gain = labels_.gain(j);
        // of columns equally good but for rounding (of close numbers far from zero, too) the first
        // one stays; of numbers too large to square, none
        if (gain - best.gain > 1e-10 * std::abs(gain) &&
            gain < std::numeric_limits<double>::infinity())
            best = {j, gain};
    }

    static std::size_t at(Index place) { return static_cast<std::size_t>(place); }

    const KeyRows<Key>& table_;
    const GrowthOptions& options_;
    std::uint64_t seed_ = 0;
    double total_;
    Index max_features_;
    Labels labels_;
    RandomRows<Key> rows_;
    GrowingNodes nodes_;
    std::vector<Task> waiting_;
    std::vector<std::uint8_t> goes_left_;
    std::vector<Index> order_;
    std::vector<Drawn> drawn_;
    std::vector<Key> least_, most_, present_, shift_, limit_;
};

}  // namespace stylobate::tree
