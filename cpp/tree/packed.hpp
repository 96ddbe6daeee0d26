// Trees packed for walks: nodes of 16 bytes whose children are neighbours in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/memory.hpp"

namespace stylobate::tree {

struct TreeView;

// 16 bytes. A leaf is its own child.
struct PackedNode {
    double threshold;  // by categories: the bits of the offset of its words
    std::uint32_t feature_and_kind;
    std::uint32_t child;  // the left one; the right one is next
};

constexpr std::uint32_t missing_left_bit = 1u << 31;
constexpr std::uint32_t category_bit = 1u << 30;
constexpr int left_is_leaf = 28;  // the place of the bit; the right child's is the next one
constexpr std::uint32_t feature_mask = (1u << left_is_leaf) - 1;

// Trees one after the other, each level by level: the nodes every row passes lie together.
struct PackedTrees {
    // Refuses arrays that do not make trees of `features` columns.
    PackedTrees(const std::vector<TreeView>& trees, Index features, Index width);

    Index features, width;
    Index split_columns = 0;  // columns that some tree splits
    std::vector<std::uint32_t> roots;
    std::vector<Index> node_counts;
    boost::Array<PackedNode> nodes;
    boost::Array<std::int32_t> original;  // of each node, its number in the tree given
    boost::Array<double> values;          // of each node
    std::vector<std::uint32_t> words;     // of categories

 private:
    void pack(const TreeView& tree, std::uint32_t base, std::uint64_t first_word);
    Index columns_split(const std::vector<TreeView>& trees) const;
};

}  // namespace stylobate::tree
