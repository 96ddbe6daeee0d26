// Hierarchies from stored dissimilarities: the upper triangle, row by row, as SciPy has it.
#pragma once

#include "cluster/merges.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {

// `values`: n(n − 1)/2 of the items, n = items.size(), overwritten. Any linkage but minimax.
std::vector<Merge> stored_linkage(double* values, std::vector<Item> items, Linkage linkage,
                                  Checkpoint& checkpoint);

}  // namespace stylobate::cluster
