// Hierarchies of clusters that are as far apart as their centroids say, in memory of O(n).
#pragma once

#include "cluster/merges.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {

// Centroids of items, column after column, `ld` apart with 8 numbers of room after the last.
struct CentroidColumns {
    Buffer data;
    Index ld = 0, depth = 0;

    CentroidColumns(Index count, Index columns)
        : data(area(count + 16, columns)), ld(count + 16), depth(columns) {}
    double& at(Index i, Index l) { return data[l * ld + i]; }
    double at(Index i, Index l) const { return data[l * ld + i]; }
};

// ward, centroid or median
std::vector<Merge> centroid_linkage(CentroidColumns centroids, std::vector<Item> items,
                                    Linkage linkage, Checkpoint& checkpoint);

}  // namespace stylobate::cluster
