// Rows in the leaves of a balanced tree, with the box around the rows of every node.
#pragma once

#include <vector>

#include "tile/partition.hpp"

namespace stylobate::cluster {

class BoxedPartition {
 public:
    using Range = tile::Partition::Range;

    explicit BoxedPartition(const MatrixView<double>& x);
    const tile::Partition& part() const { return part_; }
    Index nodes() const { return 2 * part_.leaves() - 1; }
    // Lower ends of the node's box, then upper ends.
    const double* box(Index node) const { return boxes_.data() + node * 2 * part_.cols(); }
    // The squared distance from a point to a box.
    double squared_distance(const double* point, Index node) const;

    // The smallest of a number of each row, for every node.
    std::vector<double> lowest(const double* of_row) const;

 private:
    void enclose(const Range& range);
    void lowest(const Range& range, const double* of_row, std::vector<double>& out) const;

    tile::Partition part_;
    std::vector<double> boxes_;
};

}  // namespace stylobate::cluster
