// Places of new points in a map that stays as it is.
//
// Each new point is placed by itself, where
//   (ν + 1)/2 Σ_j p_j log(1 + d_j/ν) + (n/Z) Σ_j (1 + d_j/ν)^(−(ν + 1)/2)
// is least nearby: what the divergence becomes, to first order, when one point joins n.
#pragma once

#include "embed/affinities.hpp"
#include "embed/tsne_descent.hpp"

namespace stylobate::tsne {

struct PlacementOptions {
    double dof;
    double z;  // of the map
    Index max_iter;
    double tolerance;  // of the gradient's length
};

// `starts` (m × d) becomes the places; edges go from new points to points of the map. Returns the
// lengths of the gradients that are left.
std::vector<double> place_points(const Map& map, const Edges& edges, Index m,
                                 const PlacementOptions& options, float* starts);

}  // namespace stylobate::tsne
