// The nearest cluster of some clusters: by a tree of boxes around the centroids, or by products.
#pragma once

#include <memory>
#include <vector>

#include "cluster/agglomeration.hpp"
#include "cluster/point_clusters.hpp"

namespace stylobate::cluster {

// found[i] for each of the clusters `asked`; found[i].slot may name one to start from, −1 for none.
// Of equal values the pair counts that is first in one order of all pairs, so that there is always
// one that is nearest for both its clusters.
void find_nearest(const PointClusters& clusters, const std::vector<Index>& asked,
                  std::vector<Near>& found);

}  // namespace stylobate::cluster
