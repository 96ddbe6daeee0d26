// The shortest edges out of components of rows, by a tree of boxes.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cluster/boxed_partition.hpp"
#include "tile/tree.hpp"

namespace stylobate::cluster {

struct Edge {
    double length = std::numeric_limits<double>::infinity();
    std::int64_t from = -1, to = -1;
};

class ForeignSearch {
 public:
    // `core` as in spanning_tree.hpp; both must outlive this.
    ForeignSearch(const MatrixView<double>& x, const tile::TreeMetric& metric, const double* core);

    // Shortens best[c] to the shortest edge out of component c, for the components whose rows are
    // `open`: those that may have a shorter one than best. `component` of each row counts from 0.
    void shorten(const std::vector<Index>& component, const std::vector<char>& open,
                 std::vector<Edge>& best);

 private:
    struct Round;
    using Range = tile::Partition::Range;

    double between(Index a, Index b) const;
    void mark(const Range& range, Round& round) const;
    void walk(Round& round, const Range& queries, const Range& rows, double bound) const;
    void compare(Round& round, const Range& queries, const Range& rows) const;

    BoxedPartition tree_;
    const tile::Partition& part_;
    tile::TreeMetric metric_;
    const double* core_;
    std::vector<double> lowest_core_;  // of each node
    Buffer rows_;                      // in the order of the leaves, columns side by side
};

}  // namespace stylobate::cluster
