// Whether arrays make a tree.
#include <limits>

#include "stylobate/errors.hpp"
#include "tree/flat.hpp"

namespace stylobate::tree {
namespace {

void require(bool condition, const char* message) {
    if (!condition) throw InvalidArgument(message);
}

void check_words(const TreeView& tree, Index node) {
    const Index start = tree.category_start[node];
    require(tree.categories != nullptr && start < tree.category_words,
            "a tree's category_start lies outside its categories");
    const Index count = tree.categories[start];
    require(count <= tree.category_words - start - 1, "a tree's categories end within a split");
}

}  // namespace

void check_tree(const TreeView& tree, Index features) {
    require(tree.nodes >= 1, "a tree has no nodes");
    require(tree.nodes < std::numeric_limits<std::int32_t>::max(), "a tree has too many nodes");
    Index children = 0;
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(tree.nodes), 0);
    for (Index i = 0; i < tree.nodes; ++i) {
        if (tree.left[i] < 0) continue;
        for (const Index child : {Index{tree.left[i]}, Index{tree.right[i]}}) {
            require(child > i && child < tree.nodes && seen[static_cast<std::size_t>(child)] == 0,
                    "a tree's children must come after their parents, each once");
            seen[static_cast<std::size_t>(child)] = 1;
            ++children;
        }
        require(tree.feature[i] >= 0 && tree.feature[i] < features,
                "a tree splits a feature that is not there");
        if (tree.category_start != nullptr && tree.category_start[i] >= 0) check_words(tree, i);
    }
    require(children == tree.nodes - 1, "a tree has nodes that are nobody's children");
}

}  // namespace stylobate::tree
