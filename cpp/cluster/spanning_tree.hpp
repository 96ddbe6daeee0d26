// Minimum spanning trees of rows, without the matrix of their distances.
//
// Borůvka's rounds: every component but the largest takes its shortest edge out. Lists of the
// nearest rows answer most components; what they leave open is searched in a tree of boxes, pairs
// of nodes at a time, skipping nodes that are one component and pairs farther apart than an edge
// already found (March, Ram & Gray, Fast Euclidean minimum spanning tree, 2010).
//
// Of edges of equal length any may be taken; which one depends on the rows alone, never on the
// number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "tile/tree.hpp"

namespace stylobate::cluster {

// rows − 1 edges, the shortest first, in the numbers of the measure (squares for `squared`).
struct SpanningTree {
    std::vector<std::int64_t> from, to;
    std::vector<double> lengths;
};

// The k nearest other rows of each row, nearest first, and their values: rows × k.
struct NearestLists {
    const double* values = nullptr;
    const std::int64_t* rows = nullptr;
    Index k = 0;
};

// Measures squared, manhattan, chebyshev and power; rows without NaN.
//
// `core`: a number for each row, in the numbers of the measure; a pair then has the length
// max(value, core, core), which is mutual reachability (Campello, Moulavi & Sander, 2013); null for
// the values themselves. `known`: lists somebody has already; none: found here.
SpanningTree spanning_tree(const MatrixView<double>& x, const tile::TreeMetric& metric,
                           const double* core = nullptr, const NearestLists& known = {});

}  // namespace stylobate::cluster
