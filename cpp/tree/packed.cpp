#include "tree/packed.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tree/flat.hpp"

namespace stylobate::tree {
namespace {

void require(bool condition, const char* message) {
    if (!condition) throw InvalidArgument(message);
}

template <class Visit>
void for_trees(const std::vector<TreeView>& trees, const Visit& visit) {
    parallel_for(static_cast<Index>(trees.size()), [&](Index t, Checkpoint& checkpoint) {
        checkpoint();
        visit(static_cast<std::size_t>(t), trees[static_cast<std::size_t>(t)]);
    });
}

}  // namespace

PackedTrees::PackedTrees(const std::vector<TreeView>& trees, Index columns, Index numbers)
    : features(columns), width(numbers) {
    require(features >= 1 && features < static_cast<Index>(feature_mask), "too many features");
    require(width >= 1, "leaves must hold a value");
    for_trees(trees, [&](std::size_t, const TreeView& tree) { check_tree(tree, features); });
    std::vector<std::uint64_t> first_words;
    Index total = 0;
    for (const TreeView& tree : trees) {
        roots.push_back(static_cast<std::uint32_t>(total));
        node_counts.push_back(tree.nodes);
        first_words.push_back(words.size());
        if (tree.categories != nullptr)
            words.insert(words.end(), tree.categories, tree.categories + tree.category_words);
        total += tree.nodes;
        require(total < std::numeric_limits<std::int32_t>::max(), "the forest has too many nodes");
    }
    nodes = boost::Array<PackedNode>(total);
    original = boost::Array<std::int32_t>(total);
    values = boost::Array<double>(area(total, width));
    for_trees(trees,
              [&](std::size_t t, const TreeView& tree) { pack(tree, roots[t], first_words[t]); });
    split_columns = columns_split(trees);
}

void PackedTrees::pack(const TreeView& tree, std::uint32_t base, std::uint64_t first_word) {
    std::int32_t* const order = original.data() + base;  // a queue: children behind all before
    std::uint32_t known = 1;
    order[0] = 0;
    for (std::uint32_t k = 0; k < known; ++k) {
        const std::int32_t node = order[k];
        PackedNode packed{0.0, 0, base + k};
        if (tree.left[node] >= 0) {
            const std::int32_t left = tree.left[node], right = tree.right[node];
            packed.child = base + known;
            packed.threshold = tree.threshold[node];
            packed.feature_and_kind = static_cast<std::uint32_t>(tree.feature[node]) |
                                      (tree.missing_left[node] != 0 ? missing_left_bit : 0u);
            if (tree.category_start != nullptr && tree.category_start[node] >= 0) {
                packed.feature_and_kind |= category_bit;
                packed.threshold = std::bit_cast<double>(
                    first_word + static_cast<std::uint64_t>(tree.category_start[node]));
            }
            packed.feature_and_kind |=
                static_cast<std::uint32_t>(tree.left[left] < 0) << left_is_leaf |
                static_cast<std::uint32_t>(tree.left[right] < 0) << (left_is_leaf + 1);
            order[known++] = left;
            order[known++] = right;
        }
        nodes[Index{base} + k] = packed;
        std::copy_n(tree.value + Index{node} * width, width,
                    values.data() + (Index{base} + k) * width);
    }
}

Index PackedTrees::columns_split(const std::vector<TreeView>& trees) const {
    std::vector<std::uint8_t> split(static_cast<std::size_t>(features), 0);
    for (const TreeView& tree : trees)
        for (Index i = 0; i < tree.nodes; ++i)
            if (tree.left[i] >= 0) split[static_cast<std::size_t>(tree.feature[i])] = 1;
    return std::count(split.begin(), split.end(), 1);
}

}  // namespace stylobate::tree
