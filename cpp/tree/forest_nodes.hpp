// The nodes of a tree while it grows: one record each, arrays of the tree at the end.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest_splits.hpp"
#include "tree/growth.hpp"

namespace stylobate::forest {

class GrowingTree {
 public:
    void start() { nodes_.clear(), values_.clear(); }
    // A leaf, until it is split; its number. Its values are to be set.
    std::size_t add(const NodeSummary& summary, std::size_t count) {
        nodes_.push_back({summary.impurity, summary.weight, static_cast<std::uint32_t>(count)});
        return nodes_.size() - 1;
    }
    // Room for the values of the node added last.
    double* add_values(std::size_t width) {
        values_.resize(values_.size() + width);
        return values_.data() + values_.size() - width;
    }
    // The left child comes next.
    void split(std::size_t node, const Split& split) {
        Node& at = nodes_[node];
        at.feature = static_cast<std::int32_t>(split.column.feature);
        at.last = split.last, at.next = split.next, at.threshold = split.threshold;
        at.missing_left = split.missing_left;
    }
    void set_right(std::size_t node, std::size_t child) {
        nodes_[node].right = static_cast<std::int32_t>(child);
    }

    // Thresholds all at once: the values lie anywhere in memory, and so the next need not wait for
    // the last.
    tree::GrownTree finished(const RankedColumns& columns) const {
        tree::GrownTree tree;
        const std::size_t count = nodes_.size();
        tree.left.resize(count), tree.right.resize(count), tree.feature.resize(count);
        tree.threshold.resize(count), tree.missing_left.resize(count);
        tree.impurity.resize(count), tree.samples.resize(count), tree.weight.resize(count);
        tree.category_start.assign(count, -1);
        for (std::size_t i = 0; i < count; ++i) {
            const Node& node = nodes_[i];
            const bool leaf = node.feature < 0;
            tree.left[i] = leaf ? -1 : static_cast<std::int32_t>(i + 1);
            tree.right[i] = node.right;
            tree.feature[i] = node.feature;
            tree.threshold[i] = leaf ? node.threshold : threshold(node, columns);
            tree.missing_left[i] = node.missing_left;
            tree.impurity[i] = node.impurity;
            tree.samples[i] = node.count;
            tree.weight[i] = node.weight;
        }
        tree.value.assign(values_.begin(), values_.end());
        return tree;
    }

 private:
    struct Node {
        double impurity, weight;
        std::uint32_t count;
        std::int32_t right = -1, feature = -2;
        Rank last = 0, next = 0;
        bool missing_left = false;
        double threshold = -2.0;
    };

    static double threshold(const Node& node, const RankedColumns& columns) {
        if (!std::isnan(node.threshold)) return node.threshold;
        const std::vector<double>& values = columns.values(node.feature);
        const double a = values[node.last], b = values[node.next];
        const double middle = a / 2.0 + b / 2.0;
        return middle >= a && middle < b ? middle : a;
    }

    std::vector<Node> nodes_;
    std::vector<double> values_;
};

}  // namespace stylobate::forest
