// A binary tree of boxes around points that lie close together.
#pragma once

#include <vector>

#include "stylobate/buffer.hpp"
#include "tile/kernels.hpp"

namespace stylobate::tile {

// The rows in the order of recursive median splits of the widest coordinate, down to `smallest`
// rows; the first part of a split has a multiple of `unit` rows. `halved(begin, end, unit)` is
// where a range was split.
void order_by_halving(const MatrixView<double>& x, std::vector<Index>& order, Index smallest,
                      Index unit);
inline Index halved(Index begin, Index end, Index unit) {
    return begin + ((end - begin + 1) / 2 + unit - 1) / unit * unit;
}

// Points as the boxes of a tree hold them: column after column, in the order of recursive median
// splits of the widest one.
struct BoxPoints {
    const double* columns = nullptr;  // depth × ld
    const double* weights = nullptr;  // ld, at most 1, and 0 from `rows` on; null: all 1
    Index rows = 0, ld = 0, depth = 0;
    double largest = 1.0;  // what the weights were divided by
};

// Memory for them, filled from rows in any order; those of weight 0 are left out. No list of row
// numbers is needed: the only memory is the points' own.
struct ArrangedPoints {
    template <class T>
    ArrangedPoints(const MatrixView<T>& x, const double* given);
    BoxPoints view() const;

    Buffer columns, weights;  // no weights: all 1
    Index rows = 0, ld = 0, depth = 0;
    double largest = 1.0;
};

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

    // The points' memory must outlive the boxes.
    explicit Boxes(const BoxPoints& points);

    const Node& node(Index k) const { return nodes_[static_cast<std::size_t>(k)]; }
    const double* box(Index k) const { return boxes_.data() + k * 2 * depth_; }
    PointGroups points(const Node& node) const;
    const double* weights(const Node& node) const {
        if (held_.weights != nullptr) return held_.weights + node.begin;
        return node.end == held_.rows ? last_.data() : ones_.data();
    }
    double largest_weight() const { return held_.largest; }
    Index depth() const { return held_.depth; }

    // The squared distance to the nearest point, and that point's weight.
    struct Nearest {
        double square, weight;
    };
    Nearest nearest(const double* query) const;

 private:
    Index add(Index begin, Index end);
    void search(Index k, const double* query, const double* query_box, Nearest& best) const;

    BoxPoints held_;
    Index depth_;
    Buffer ones_, last_;  // weights of a leaf, and of the last one, where none are given
    std::vector<Node> nodes_;
    std::vector<double> boxes_;
};

}  // namespace stylobate::tile
