// The nodes of a tree that is being grown depth first, left before right.
#pragma once

#include <ranges>
#include <vector>

#include "tree/growth.hpp"

namespace stylobate::tree {

// One record a node, so that adding one is one step; arrays are made of them at the end.
class GrowingNodes {
 public:
    // A new tree, whose values have so many numbers.
    void start(Index width) {
        width_ = static_cast<std::size_t>(width);
        nodes_.clear();
        values_.clear();
    }
    std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }

    // A leaf, so far; the right child of a node, unless that is −1. Gives room for its value.
    double* add(std::int32_t right_of) {
        if (right_of >= 0) nodes_[static_cast<std::size_t>(right_of)].right = size();
        nodes_.push_back({});
        values_.resize(values_.size() + width_);
        return values_.data() + values_.size() - width_;
    }
    // Of the node added last.
    void describe(Index samples, double weight, double impurity) {
        Node& node = nodes_.back();
        node.samples = samples;
        node.weight = weight;
        node.impurity = impurity;
    }
    void split(Index column, double threshold, bool missing_left) {
        Node& node = nodes_.back();
        node.feature = static_cast<std::int32_t>(column);
        node.threshold = threshold;
        node.missing_left = missing_left ? 1 : 0;
    }
    // Where it was not known when the node was split.
    void set_threshold(std::int32_t node, double threshold) {
        nodes_[static_cast<std::size_t>(node)].threshold = threshold;
    }

    GrownTree tree() const {
        GrownTree out;
        const auto fill = [&](auto& values, auto get) {
            const auto all = nodes_ | std::views::transform(get);
            values.assign(all.begin(), all.end());
        };
        fill(out.right, &Node::right);
        fill(out.feature, &Node::feature);
        fill(out.threshold, &Node::threshold);
        fill(out.missing_left, &Node::missing_left);
        fill(out.impurity, &Node::impurity);
        fill(out.samples, &Node::samples);
        fill(out.weight, &Node::weight);
        out.left.resize(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i)  // the left child comes next
            out.left[i] = nodes_[i].feature < 0 ? -1 : static_cast<std::int32_t>(i) + 1;
        out.value = values_;
        out.category_start.assign(nodes_.size(), -1);
        return out;
    }

 private:
    struct Node {
        std::int32_t right = -1, feature = -2;
        double threshold = -2.0, impurity = 0.0, weight = 0.0;
        std::int64_t samples = 0;
        std::uint8_t missing_left = 0;
    };

    std::size_t width_ = 0;
    std::vector<Node> nodes_;
    std::vector<double> values_;
};

}  // namespace stylobate::tree
