// Flat trees and forests of them, packed for prediction.
//
// A tree is a set of equal-length arrays, children after their parents. A forest packs all its
// trees into nodes of 16 bytes whose children are neighbours in memory; a row takes a tree's path
// by "child + (goes right)", and many rows walk at once, so that the latency of one hides behind
// the others. Rows by the thousand walk a form of fewer and shorter steps (cells.hpp), made when
// there are enough of them to pay for it. Sums over trees are taken in the order of the trees: same
// bits for any thread count, and either way.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tree/packed.hpp"

namespace stylobate::tree {

// One tree, as its arrays; nothing owned. Node i is a leaf if left[i] < 0. A split by threshold
// sends x <= threshold left; one by categories (category_start[i] >= 0) the codes whose bits are
// set in the words categories[start + 1 …], of which there are categories[start].
struct TreeView {
    Index nodes = 0;
    const std::int32_t* left = nullptr;
    const std::int32_t* right = nullptr;
    const std::int32_t* feature = nullptr;
    const double* threshold = nullptr;
    const std::uint8_t* missing_left = nullptr;
    const double* value = nullptr;                 // nodes × width, C order
    const std::int32_t* category_start = nullptr;  // null: no splits by categories
    const std::uint32_t* categories = nullptr;
    Index category_words = 0;
};

class CellForest;

class Forest {
 public:
    // Refuses arrays that do not make trees of `features` columns with values of `width` numbers.
    Forest(const std::vector<TreeView>& trees, Index features, Index width);
    ~Forest();

    Index trees() const { return static_cast<Index>(packed_.roots.size()); }
    Index features() const { return packed_.features; }
    Index width() const { return packed_.width; }
    Index nodes_of(Index tree) const { return packed_.node_counts[static_cast<std::size_t>(tree)]; }

    // Whether so many rows have been asked for that they walk by ranks.
    bool ranked() const { return cells_ != nullptr; }

    // out(i, columns[t] + k) += value k of row i's leaf in tree t, for t = first … last − 1.
    // `columns` null: all trees add to the same columns. out: rows × out_cols, C order.
    template <class T>
    void add(const MatrixView<T>& x, Index first, Index last, const std::int32_t* columns,
             double* out, Index out_cols) const;

    // out(i, t): the leaf of row i in tree t, as a node of the tree given. rows × trees, C order.
    template <class T>
    void leaves(const MatrixView<T>& x, std::int64_t* out) const;

    // The nodes row i passes, all trees' nodes numbered one after the other, as compressed rows.
    struct Paths {
        std::vector<std::int64_t> offsets;  // rows + 1
        std::vector<std::int64_t> nodes;
    };
    template <class T>
    Paths paths(const MatrixView<T>& x) const;

 private:
    const CellForest* cells(Index rows, Index trees) const;
    template <class Rows, class Body>
    void walking(const Rows& rows, Index count, Index trees, const Body& body) const;

    PackedTrees packed_;
    mutable std::atomic<Index> rows_seen_ = 0;
    mutable std::once_flag cells_made_;
    mutable std::unique_ptr<const CellForest> cells_;
};

// The arrays of one tree are sound: children after parents, every node but the root a child once.
void check_tree(const TreeView& tree, Index features);

}  // namespace stylobate::tree
