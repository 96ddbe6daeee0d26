// Clustering features in a balanced tree (Zhang, Ramakrishnan & Livny, BIRCH, 1996).
//
// A feature is the number, the sum and the sum of squares of rows that lie close together; a node
// holds a few of them, above the leaves each with the node it sums.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::cluster {

// A tree as plain numbers, features node by node, the leaves first and in their order.
struct FeatureTreeState {
    std::vector<std::int64_t> nodes;            // features of each node; the root is the last
    std::vector<std::int64_t> children;         // of each feature the node below, −1 in leaves
    std::vector<double> counts, squares, sums;  // features, features, features × columns
    Index leaves = 0;                           // nodes that are leaves
};

class FeatureTree {
 public:
    FeatureTree(Index cols, double threshold, Index most);
    FeatureTree(const FeatureTreeState& state, Index cols, double threshold, Index most);
    ~FeatureTree();

    void insert(const double* row);
    FeatureTreeState state() const;

 private:
    struct Feature;
    struct Node;

    bool insert(Node& node, Feature& added);
    void split(Node& parent, Index place);
    Index nearest(const Node& node, const Feature& feature) const;
    Feature single(const double* row) const;
    void add(Feature& to, const Feature& other) const;
    bool merge(Feature& to, const Feature& other) const;
    static void replace(const Node& old, Node& one, Node& two);
    void write(const Node& node, FeatureTreeState& out) const;
    using Numbers = std::unordered_map<const Node*, std::int64_t>;
    std::int64_t number(const Node& node, const Numbers& leaves, FeatureTreeState& out) const;

    Index cols_;
    double threshold_;
    Index most_;
    std::unique_ptr<Node> root_;
};

}  // namespace stylobate::cluster
