// A binary tree of boxes around points that lie close together.
#pragma once

#include <vector>

#include "stylobate/buffer.hpp"
#include "stylobate/simd.hpp"

namespace stylobate::tile {

// The rows in the order of recursive median splits of the widest coordinate, down to `smallest`
// rows; the first part of a split has a multiple of `unit` rows. `halved(begin, end, unit)` is
// where a range was split.
void order_by_halving(const MatrixView<double>& x, std::vector<Index>& order, Index smallest,
                      Index unit);
inline Index halved(Index begin, Index end, Index unit) {
    return begin + ((end - begin + 1) / 2 + unit - 1) / unit * unit;
}

// The order in which the boxes of a tree hold the rows.
std::vector<Index> box_order(const MatrixView<double>& x);

// Smallest and largest squared distance between two boxes, each `depth` lower and then `depth`
// upper ends. A little wider than they are, so that rounding cannot put a pair outside.
struct Distances {
    double near, far;
};
Distances between(const double* one, const double* other, Index depth);

class Boxes {
 public:
    struct Node {
        Index begin, end;             // places of its points
        Index left = -1, right = -1;  // −1: none, a leaf
        double weight = 0.0;
    };

    // Rows of weight 0 are left out; weights are divided by the largest. `ordered`: the rows are in
    // the order of `box_order` already, which saves finding it.
    Boxes(const MatrixView<double>& x, const double* weights, bool ordered = false);

    const Node& node(Index k) const { return nodes_[static_cast<std::size_t>(k)]; }
    const double* box(Index k) const { return boxes_.data() + k * 2 * depth_; }
    PointGroups points(const Node& node) const;
    const double* weights(const Node& node) const { return weights_.data() + node.begin; }
    double largest_weight() const { return largest_; }
    Index depth() const { return depth_; }

    // The squared distance to the nearest point, and that point's weight.
    struct Nearest {
        double square, weight;
    };
    Nearest nearest(const double* query) const;

 private:
    Index add(Index begin, Index end);
    void search(Index k, const double* query, const double* query_box, Nearest& best) const;

    Index depth_, ld_ = 0;
    double largest_ = 1.0;
    Buffer coordinates_, weights_;
    std::vector<Node> nodes_;
    std::vector<double> boxes_;
};

}  // namespace stylobate::tile
