// From a spanning tree to the hierarchy of its components, and to the part of it that matters: the
// clusters of at least so many rows (the condensed tree of HDBSCAN).
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::cluster {

// Row k merges the nodes left[k] and right[k] into node n + k; below n nodes are rows. The left one
// has the smallest row of both.
struct Merges {
    std::vector<std::int64_t> left, right, size;
    std::vector<double> height;
};

// Of n − 1 edges in any order; equal heights in the order of the edges.
Merges single_linkage(Index rows, const std::int64_t* from, const std::int64_t* to,
                      const double* height);

// Entry k says that `child` (a row, or a cluster from n on) left cluster `parent` at lambda, one
// over the distance. The root is cluster n; children come after their parents. Merges of one height
// are undone together, so that the tree does not depend on which of equal edges a spanning tree
// has.
struct CondensedTree {
    std::vector<std::int64_t> parent, child, size;
    std::vector<double> lambda;
};
CondensedTree condensed(Index rows, const std::int64_t* left, const std::int64_t* right,
                        const double* height, const std::int64_t* size, Index smallest);

}  // namespace stylobate::cluster
