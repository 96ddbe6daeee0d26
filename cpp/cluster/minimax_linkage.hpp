// Minimax linkage: clusters are as far apart as the radius of their union around its best centre,
// one of its rows (Bien & Tibshirani, Hierarchical clustering with prototypes, 2011).
#pragma once

#include "cluster/merges.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {

struct PrototypeMerges {
    std::vector<Merge> merges;
    std::vector<std::int64_t> prototypes;  // the centre of each union
};

// `values`: the upper triangle of n rows' dissimilarities, overwritten. Needs n² numbers more.
PrototypeMerges minimax_linkage(double* values, Index n, Checkpoint& checkpoint);

}  // namespace stylobate::cluster
