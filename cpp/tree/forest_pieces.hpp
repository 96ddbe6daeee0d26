// One tree grown by all threads: its large nodes one after the other, then parts of it at once.
//
// A node's split depends on its rows and its path alone, so the parts are those one thread grows;
// they are put together in the order of their nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "forest_grower.hpp"

namespace stylobate::forest {

// `make()` makes a grower of the tree's rows.
template <class Make>
class PiecewiseGrowth {
 public:
    PiecewiseGrowth(const Make& make, std::size_t rows)
        : make_(make),
          grain_(std::max(rows / static_cast<std::size_t>(4 * threads()), least_rows)) {}

    GrownTree grow(const Seedling& root) {
        pieces_.push_back({root});
        std::vector<std::size_t> large{0}, small;
        while (!large.empty()) {
            split(large);
            std::vector<std::size_t> next;
            for (const std::size_t at : large) {
                if (pieces_[at].children.empty()) continue;
                for (int side = 0; side < 2; ++side) {
                    const Seedling child = pieces_[at].children[static_cast<std::size_t>(side)];
                    pieces_[at].child[side] = pieces_.size();
                    (child.end - child.begin > grain_ ? next : small).push_back(pieces_.size());
                    pieces_.push_back({child});
                }
            }
            large = std::move(next);
        }
        grow_whole(small);
        GrownTree tree;
        join(0, tree);
        return tree;
    }

 private:
    static constexpr std::size_t least_rows = 2048;
    static constexpr std::size_t few_nodes = 4;

    struct Piece {
        Seedling root;
        GrownTree tree{};
        std::vector<Seedling> children{};  // left and right, where the tree is one node
        std::size_t child[2] = {0, 0};     // their pieces
    };

    // Few nodes share the threads column by column, more of them node by node.
    void split(const std::vector<std::size_t>& large) {
        const auto one = [&](std::size_t at) {
            Piece& piece = pieces_[at];
            piece.tree = make_().grow_node_alone(piece.root, piece.children);
        };
        if (large.size() < few_nodes) {
            for (const std::size_t at : large) one(at);
            return;
        }
        parallel_for(static_cast<Index>(large.size()),
                     [&](Index i, Checkpoint&) { one(large[static_cast<std::size_t>(i)]); });
    }

    // The largest first, so that none is waited for at the end.
    void grow_whole(std::vector<std::size_t>& small) {
        const auto rows = [&](std::size_t at) {
            return pieces_[at].root.end - pieces_[at].root.begin;
        };
        std::stable_sort(small.begin(), small.end(),
                         [&](std::size_t a, std::size_t b) { return rows(a) > rows(b); });
        parallel_for(static_cast<Index>(small.size()), [&](Index i, Checkpoint& checkpoint) {
            Piece& piece = pieces_[small[static_cast<std::size_t>(i)]];
            piece.tree = make_().grow(piece.root, checkpoint);
        });
    }

    void join(std::size_t at, GrownTree& tree) {
        Piece& piece = pieces_[at];
        const auto first = static_cast<std::int32_t>(tree.left.size());
        append(piece.tree, first, tree);
        piece.tree = {};
        if (piece.children.empty()) return;
        join(piece.child[0], tree);
        tree.right[static_cast<std::size_t>(first)] = static_cast<std::int32_t>(tree.left.size());
        join(piece.child[1], tree);
    }

    static void append(const GrownTree& from, std::int32_t first, GrownTree& to) {
        const auto add = [](const auto& some, auto& all) {
            all.insert(all.end(), some.begin(), some.end());
        };
        for (const std::int32_t child : from.left)
            to.left.push_back(child < 0 ? -1 : child + first);
        for (const std::int32_t child : from.right) {
            to.right.push_back(child < 0 ? -1 : child + first);
        }
        add(from.feature, to.feature);
        add(from.threshold, to.threshold);
        add(from.missing_left, to.missing_left);
        add(from.impurity, to.impurity);
        add(from.samples, to.samples);
        add(from.weight, to.weight);
        add(from.value, to.value);
        add(from.category_start, to.category_start);
    }

    const Make& make_;
    std::size_t grain_;
    std::vector<Piece> pieces_;
};

}  // namespace stylobate::forest
