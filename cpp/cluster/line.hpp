// k-means of numbers: the best clusters of sorted values are stretches of them, which dynamic
// programming finds.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::cluster {

// values ascending, n of them, weights positive; 1 ≤ k ≤ n. Returns the first value of each
// cluster.
std::vector<Index> best_stretches(const double* values, const double* weights, Index n, Index k);

}  // namespace stylobate::cluster
