// Hierarchies in which only neighbours in a graph are joined.
#pragma once

#include "cluster/merges.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {

// A symmetric graph without loops: neighbours of row i are indices[offsets[i]] … in any order.
struct ConnectedRows {
    const std::int64_t* offsets;
    const std::int64_t* indices;
    const double* values;  // of the edges; null for ward, which has the rows
    Index n;
};

// Node n + k of the tree joins children[2k] < children[2k + 1], at heights[k].
struct ConnectedTree {
    std::vector<std::int64_t> children;
    std::vector<double> heights;
    std::vector<std::int64_t> parents;  // of all nodes; their own where they have none
};

// ward (of the rows x), complete or average; joins until `clusters` are left, of a graph that hangs
// together. Between unions that are neighbours by some of their edges only those edges count.
ConnectedTree connected_linkage(const ConnectedRows& graph, const MatrixView<double>& x,
                                Linkage linkage, Index clusters, Checkpoint& checkpoint);

}  // namespace stylobate::cluster
