// Rows cut into the leaves of a balanced tree: halves along the widest side, down to 16 rows.
//
// A subtree of m leaves has 2m − 1 nodes in preorder: its left half (m + 1) / 2 leaves starts at
// the next node, its right half follows. Every leaf but the last is full, so a leaf is its number:
// 16 rows side by side, column after column, as kernels().leaf_values reads them. Equal values are
// cut by row, so the tree depends on the table alone.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/views.hpp"

namespace stylobate::tile {

class Partition {
 public:
    static constexpr Index width = 16;

    struct Node {
        double low, high;    // largest value on the left, smallest on the right
        Index column;        // that they are values of
        std::int64_t least;  // smallest row number below this node
    };

    // A node and the leaves below it.
    struct Range {
        Index node, leaf, leaves;
        Range first() const { return {node + 1, leaf, left(leaves)}; }
        Range second() const {
            return {right_node(node, leaves), leaf + left(leaves), leaves - left(leaves)};
        }
    };

    explicit Partition(const MatrixView<double>& x);

    static Index left(Index leaves) { return (leaves + 1) / 2; }
    static Index right_node(Index node, Index leaves) { return node + 2 * left(leaves); }

    Index rows() const { return rows_; }
    Index cols() const { return cols_; }
    Index leaves() const { return leaves_; }
    Range root() const { return {0, 0, leaves_}; }
    const Node& node(Index i) const { return nodes_[static_cast<std::size_t>(i)]; }
    const double* block(Index leaf) const { return blocks_.data() + leaf * width * cols_; }
    Index count(Index leaf) const { return leaf + 1 < leaves_ ? width : rows_ - leaf * width; }
    unsigned mask(Index leaf) const { return (1u << count(leaf)) - 1u; }
    // The rows in the order of the leaves.
    const std::vector<std::int64_t>& order() const { return order_; }
    const std::vector<double>& lowest() const { return lowest_; }  // of each column
    const std::vector<double>& highest() const { return highest_; }

    void gather(Index place, double* row) const {
        const double* const from = block(place / width) + place % width;
        for (Index l = 0; l < cols_; ++l) row[l] = from[l * width];
    }
    Index leaf_of(const double* row) const;  // where a search for it starts

 private:
    struct Keyed;
    void split(const MatrixView<double>& x, const Range& range, Keyed* keyed);
    void split_all(const MatrixView<double>& x, const Range& range, Keyed* keyed,
                   Checkpoint& checkpoint);
    void sort(const MatrixView<double>& x);
    void fill(const MatrixView<double>& x);

    Index rows_, cols_, leaves_;
    std::vector<Node> nodes_;
    std::vector<std::int64_t> order_;
    std::vector<double> lowest_, highest_;
    Buffer blocks_;
};

}  // namespace stylobate::tile
