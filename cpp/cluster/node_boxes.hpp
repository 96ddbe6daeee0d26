// Boxes around the rows below each node of a partition, and how near and far two boxes are.
#pragma once

#include <vector>

#include "tile/partition.hpp"
#include "tile/tree.hpp"

namespace stylobate::cluster {

class NodeBoxes {
 public:
    struct Bounds {
        double near, far;
    };

    // The measures of kd-trees: squared, manhattan, chebyshev, power.
    NodeBoxes(const tile::Partition& partition, const tile::TreeMetric& metric);

    // Of any row below one node and any row below the other. Exact but for rounding.
    Bounds between(Index one, Index other) const;
    double near(const double* row, Index node) const;

 private:
    void fill(const tile::Partition& partition, const tile::Partition::Range& range);
    const double* low(Index node) const { return sides_.data() + node * 2 * cols_; }
    template <class Take>
    auto measured(const Take& take) const;

    tile::Measure measure_;
    double p_;
    Index cols_;
    std::vector<double> sides_;  // of each node the lower, then the upper ends
};

}  // namespace stylobate::cluster
