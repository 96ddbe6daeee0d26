// A tree grown from histograms.
#pragma once

#include <memory>
#include <vector>

#include "tree/boost_growth.hpp"
#include "tree/histogram.hpp"
#include "tree/split.hpp"

namespace stylobate::boost {

struct GrownNode {
    NodeSums known;
    Split split;   // the best there is
    Range rows{};  // of the growth's order of the rows
    std::int32_t left = -1, right = -1;
    Index depth = 0;
    std::uint64_t key = 1;            // of its place in the tree: random choices hang on it
    std::vector<std::uint32_t> sets;  // of features that may still meet here
    std::unique_ptr<Histogram> histogram;
    bool parted = false;  // whether its rows lie in the order of its children
};

constexpr Index most_leaves = 65535;  // of a tree, whatever the rules say

// Grows trees of the same rows one after the other.
//
// Best first, yet in batches: the nodes of largest gain are split together, before it is known
// which of them the limit on leaves will leave in the tree. What is split in vain is dropped, the
// tree is the one that splitting one node at a time gives, and threads have more to do at once.
class Growth {
 public:
    Growth(const BinnedRows& bins, const GrowthRules& rules);

    // The nodes of a tree in pre-order, for tree number `tree` of the model.
    std::vector<GrownNode> grow(const PackedPairs& pairs, std::uint64_t tree);

    // The rows in the last tree's order: a leaf's lie side by side.
    const std::int32_t* order() const { return order_.data(); }
    const GrowthRules& rules() const { return rules_; }
    const BinnedRows& bins() const { return bins_; }

 private:
    using Nodes = std::vector<std::int32_t>;
    // Children whose histograms come from one reading of rows: `read`'s, and `rest`'s (−1: none)
    // as what is left of their parent's. Parts read by other threads are still to be merged.
    struct Family {
        std::int32_t read, rest;
        std::vector<std::unique_ptr<Histogram>> parts;
    };

    // grow.cpp: which nodes are split, and in which order
    bool before(std::int32_t a, std::int32_t b) const;
    void push(std::int32_t node);
    std::int32_t pop();
    Nodes next_batch(std::int32_t first, Index remaining) const;
    void make_children(std::int32_t parent);
    bool may_split(const GrownNode& node) const;
    std::vector<std::uint8_t> features_for(const GrownNode& node) const;
    std::vector<GrownNode> in_order(const std::vector<std::uint8_t>& inner);

    // grow_rows.cpp: passes over rows and histograms
    void plant(const PackedPairs& pairs);
    void expand(const Nodes& batch, const PackedPairs& pairs, bool last);
    void part_rows(const Nodes& batch);
    Index part_chunk(const GrownNode& node, const Range& range);
    void read_rows(std::vector<Family>& families, const PackedPairs& pairs);
    void find_splits(std::vector<Family>& families);
    std::vector<Family> families_of(const Nodes& batch);
    void make_room(std::size_t wanted, const Nodes& batch);
    std::unique_ptr<Histogram> blank();
    void recycle(std::unique_ptr<Histogram>& histogram);

    GrownNode& node(std::int32_t i) { return nodes_[static_cast<std::size_t>(i)]; }
    const GrownNode& node(std::int32_t i) const { return nodes_[static_cast<std::size_t>(i)]; }

    const BinnedRows& bins_;
    GrowthRules rules_;
    Objective objective_;
    std::uint64_t tree_ = 0;
    bool whole_ = true;  // the rows still lie in their own order
    Array<std::int32_t> order_, lefts_, rights_;
    std::vector<GrownNode> nodes_;
    Nodes frontier_;  // a heap of nodes that may be split
    std::vector<std::unique_ptr<Histogram>> spare_;
    std::size_t held_ = 0, most_held_;
};

}  // namespace stylobate::boost
