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

#include "stylobate/views.hpp"

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

// 16 bytes. A leaf is its own child.
struct PackedNode {
    double threshold;  // by categories: the bits of the offset of its words
    std::uint32_t feature_and_kind;
    std::uint32_t child;  // the left one; the right one is next
};

class CellForest;

class Forest {
 public:
    // Refuses arrays that do not make trees of `features` columns with values of `width` numbers.
    Forest(const std::vector<TreeView>& trees, Index features, Index width);
    ~Forest();

    Index trees() const { return static_cast<Index>(roots_.size()); }
    Index features() const { return features_; }
    Index width() const { return width_; }
    Index nodes_of(Index tree) const { return node_counts_[static_cast<std::size_t>(tree)]; }

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
    void append(const TreeView& tree);
    const CellForest* cells(Index rows, Index trees) const;
    template <class Rows, class Body>
    void walking(const Rows& rows, Index count, Index trees, const Body& body) const;

    Index features_;
    Index width_;
    Index split_columns_ = 0;  // columns that some tree splits
    std::vector<PackedNode> nodes_;
    std::vector<std::int32_t> original_;  // of each packed node, its number in the tree given
    std::vector<std::uint32_t> roots_;
    std::vector<Index> node_counts_;
    std::vector<double> values_;  // of each packed node
    std::vector<std::uint32_t> words_;

    mutable std::atomic<Index> rows_seen_ = 0;
    mutable std::once_flag cells_made_;
    mutable std::unique_ptr<const CellForest> cells_;
};

// The arrays of one tree are sound: children after parents, every node but the root a child once.
void check_tree(const TreeView& tree, Index features);

}  // namespace stylobate::tree
