// Hierarchies of points by Euclidean distance, without the matrix of all distances.
//
// In rounds all pairs of clusters that are nearest to each other are joined (which leaves every
// other nearest pair as it is, for linkages that bring no cluster nearer by joining); a tree of
// boxes around the centroids finds the nearest cluster, for centroids bound how far apart clusters
// are. What is left after a few rounds goes the way of a chain: by centroids for ward, from the
// triangle of the remaining clusters' distances for the others.
#pragma once

#include "cluster/merges.hpp"

namespace stylobate::cluster {

// ward, complete, average, weighted, centroid and median. `rest`: how many clusters are left to the
// chain, 0 for the usual number.
std::vector<Merge> point_linkage(const MatrixView<double>& x, Linkage linkage, Index rest = 0);

}  // namespace stylobate::cluster
