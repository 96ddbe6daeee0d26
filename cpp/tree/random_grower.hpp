// One tree of random splits.
#pragma once

#include <limits>

#include "stylobate/random.hpp"
#include "tree/key_rows.hpp"
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

template <class Key, class Labels>
class RandomGrower {
 public:
    // Grown from the rows listed, whose weights add up to `total`.
    RandomGrower(const KeyRows<Key>& table, const GrowthOptions& options, const Labels& labels,
                 const std::vector<Row>& rows, double total, std::uint64_t seed)
        : table_(table),
          options_(options),
          seed_(seed),
          total_(total),
          max_features_(options.max_features > 0 ? options.max_features : table.cols()),
          width_(labels.width()),
          top_rows_(rows),
          moved_(rows.size()),
          order_(static_cast<std::size_t>(table.cols())),
          drawn_(order_.size()) {
        const auto lanes = static_cast<std::size_t>(table.stride());
        for (auto* each : {&least_, &most_, &present_, &shift_, &limit_}) each->assign(lanes, 0);
        for (std::size_t k = 0; k < levels; ++k)
            if (static_cast<Index>(rows.size()) > near_rows[k])
                blocks_.push_back({{}, {}, labels.empty(near_rows[k])});
    }

    GrownTree grow(Labels& labels, Checkpoint& checkpoint) {
        const Task root{0, static_cast<Index>(top_rows_.size()), 0, 1, -1, false};
        grow(root, {table_.keys(), top_rows_.data(), &labels, 0}, checkpoint);
        return std::move(tree_);
    }

 private:
    // Nodes of at most so many rows get a copy of them: within the second cache, then the first.
    static constexpr std::size_t levels = 2;
    static constexpr Index near_rows[levels] = {8192, 512};

    struct Task {
        Index begin, count, depth;
        std::uint64_t path;
        std::int32_t parent;
        bool right;
    };
    struct Place {  // where the rows of a task are
        const Key* keys;
        Row* rows;
        Labels* labels;
        std::size_t level;  // of the copy made next
    };
    struct Block {
        std::vector<Key> keys;
        std::vector<Row> rows;
        Labels labels;
    };
    struct Drawn {
        double threshold = 0.0;
        bool missing_seen = false, missing_left = false;
    };

    void grow(const Task& root, const Place& place, Checkpoint& checkpoint) {
        std::vector<Task> waiting{root};
        while (!waiting.empty()) {
            if (tree_.left.size() % 64 == 0) checkpoint();  // asks for the time, which takes some
            const Task task = waiting.back();
            waiting.pop_back();
            if (place.level < blocks_.size() && task.count <= near_of(place.level)) {
                grow_copy(task, place, checkpoint);
                continue;
            }
            const std::int32_t node = static_cast<std::int32_t>(tree_.left.size());
            if (!add_node(task, place)) continue;
            const Index column = search(task, place);
            if (column < 0) continue;
            const Index left = part(task, place, column);
            finish(node, column, 2 * left > task.count);
            const std::uint64_t path = task.path * 2;
            waiting.push_back({task.begin + left, task.count - left, task.depth + 1,
                               next_path(path + 1), node, true});
            waiting.push_back({task.begin, left, task.depth + 1, next_path(path), node, false});
        }
    }

    static std::uint64_t next_path(std::uint64_t path) { return path * 0xBF58476D1CE4E5B9u + 1; }
    Index near_of(std::size_t level) const {
        return near_rows[level + levels - blocks_.size()];  // small tables begin with small copies
    }

    void grow_copy(Task task, const Place& from, Checkpoint& checkpoint) {
        Block& block = blocks_[from.level];
        const auto stride = static_cast<std::size_t>(table_.stride());
        const auto count = static_cast<std::size_t>(task.count);
        const Row* const rows = from.rows + task.begin;
        block.keys.resize(std::max(block.keys.size(), count * stride));
        block.rows.resize(std::max(block.rows.size(), count));
        for (std::size_t i = 0; i < count; ++i) {
            const Key* const keys = from.keys + rows[i] * stride;
            std::copy(keys, keys + stride, block.keys.data() + i * stride);
            block.rows[i] = static_cast<Row>(i);
        }
        block.labels.take(*from.labels, rows, task.count);
        task.begin = 0;
        const Place here{block.keys.data(), block.rows.data(), &block.labels, from.level + 1};
        grow(task, here, checkpoint);
    }

    // Whether the node may be split.
    bool add_node(const Task& task, const Place& place) {
        tree_.value.resize(tree_.value.size() + static_cast<std::size_t>(width_));
        double* const value = tree_.value.data() + static_cast<Index>(tree_.left.size()) * width_;
        const NodeStatistics node =
            place.labels->statistics(place.rows + task.begin, task.count, value);
        if (task.parent >= 0)
            (task.right ? tree_.right : tree_.left)[static_cast<std::size_t>(task.parent)] =
                static_cast<std::int32_t>(tree_.left.size());
        tree_.left.push_back(-1);
        tree_.right.push_back(-1);
        tree_.feature.push_back(-2);
        tree_.threshold.push_back(-2.0);
        tree_.missing_left.push_back(0);
        tree_.impurity.push_back(node.impurity);
        tree_.samples.push_back(task.count);
        tree_.weight.push_back(node.weight);
        tree_.category_start.push_back(-1);
        return !node.pure && task.depth < options_.max_depth &&
               task.count >= options_.min_samples_split &&
               task.count >= 2 * options_.min_samples_leaf &&
               node.weight >= 2.0 * options_.min_weight_leaf;
    }

    // The column whose drawn split gains most; -1 if none may be made.
    Index search(const Task& task, const Place& place) {
        const Row* const rows = place.rows + task.begin;
        const Index stride = table_.stride();
        extremes(place.keys, stride, rows, task.count, least_.data(), most_.data(),
                 present_.data());
        Index varying = 0;
        for (Index j = 0; j < table_.cols(); ++j)
            if (least_[at(j)] != most_[at(j)]) order_[at(varying++)] = j;
        NodeWords words(seed_, task.path);
        Best best;
        // as scikit-learn does: constant columns do not count, those that cannot be split do
        const Index asked = std::min(max_features_, varying);
        for (Index k = 0; k < asked; ++k) draw(k, varying, words);
        if (asked > 0)
            place.labels->look(place.keys, rows, task.count, shift_.data(), limit_.data());
        for (Index k = 0; k < asked; ++k) offer(order_[at(k)], task, *place.labels, best);
        if (best.column < 0 || best.gain / total_ + std::numeric_limits<double>::epsilon() <
                                   options_.min_impurity_decrease)
            return -1;
        return best.column;
    }

    struct Best {
        Index column = -1;
        double gain = -std::numeric_limits<double>::infinity();
    };

    // Puts a column drawn from the rest in place k, and draws its threshold.
    void draw(Index k, Index varying, NodeWords& words) {
        const std::uint64_t word = words.next();
        const auto rest = static_cast<std::uint64_t>(varying - k);
        const auto pick = k + static_cast<Index>(((word >> 32) * rest) >> 32);
        std::swap(order_[at(k)], order_[at(pick)]);
        const Index j = order_[at(k)];
        const Key low = least_[at(j)], high = static_cast<Key>(present_[at(j)] - 1);
        Drawn& drawn = drawn_[at(j)];
        drawn = {};
        drawn.missing_seen = most_[at(j)] == KeyRows<Key>::missing;
        Key last = low;
        if (low == high) {  // only missing values are told apart
            drawn.threshold = std::numeric_limits<double>::infinity();
        } else {
            const double share = static_cast<double>(word & 0x7FFFFFFFu) * 0x1.0p-31;
            const double least = table_.value(j, low), most = table_.value(j, high);
            drawn.threshold = least * (1.0 - share) + most * share;
            if (!(drawn.threshold < most) || drawn.threshold < least) drawn.threshold = least;
            last = table_.last(j, low, high, drawn.threshold);
            drawn.missing_left = drawn.missing_seen && (word >> 31 & 1u) != 0;
        }
        shift_[at(j)] = drawn.missing_left ? 1 : 0;
        limit_[at(j)] = static_cast<Key>(last + shift_[at(j)]);
    }

    void offer(Index j, const Task& task, Labels& labels, Best& best) const {
        const Index left = labels.count(j);
        const double weight = labels.weight(j);
        if (std::min(left, task.count - left) < options_.min_samples_leaf ||
            std::min(weight, labels.weight() - weight) < options_.min_weight_leaf)
            return;
        const double gain = labels.gain(j);
        // of columns equally good but for rounding (of close numbers far from zero, too) the first
        // one stays; of numbers too large to square, none
        if (gain - best.gain > 1e-10 * std::abs(gain) &&
            gain < std::numeric_limits<double>::infinity())
            best = {j, gain};
    }

    // Rows of the left part first, in their order; gives how many those are.
    Index part(const Task& task, const Place& place, Index j) {
        Row* const rows = place.rows + task.begin;
        const Key shift = shift_[at(j)], limit = limit_[at(j)];
        const auto stride = static_cast<std::size_t>(table_.stride());
        const Key* const keys = place.keys + j;
        Index left = 0;
        for (Index i = 0; i < task.count; ++i) {
            const Row row = rows[i];
            rows[left] = moved_[at(i - left)] = row;  // both are written, one is kept
            left += static_cast<Index>(static_cast<Key>(keys[row * stride] + shift) <= limit);
        }
        std::copy(moved_.begin(), moved_.begin() + (task.count - left), rows + left);
        return left;
    }

    void finish(std::int32_t node, Index column, bool many_left) {
        const auto place = static_cast<std::size_t>(node);
        const Drawn& drawn = drawn_[at(column)];
        tree_.feature[place] = static_cast<std::int32_t>(column);
        tree_.threshold[place] = drawn.threshold;
        // where none was missing, missing ones go with the many
        tree_.missing_left[place] = drawn.missing_seen ? drawn.missing_left : many_left;
    }

    static std::size_t at(Index place) { return static_cast<std::size_t>(place); }

    const KeyRows<Key>& table_;
    const GrowthOptions& options_;
    std::uint64_t seed_;
    double total_;
    Index max_features_, width_;
    std::vector<Row> top_rows_, moved_;
    std::vector<Block> blocks_;
    std::vector<Index> order_;
    std::vector<Drawn> drawn_;
    std::vector<Key> least_, most_, present_, shift_, limit_;
    GrownTree tree_;
};

}  // namespace stylobate::tree
