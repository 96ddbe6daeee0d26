// k-centres: k of the candidates, such that the point served worst is served as well as possible.
#pragma once

#include "cluster/medoids.hpp"

namespace stylobate::medoids {

// Points that are far from one another: `start`, then always the farthest from those before. One
// more than k of them, where there are as many; `radii[t]`: how far the farthest point is from the
// first t + 1. Points and candidates must be the same rows.
struct FarPoints {
    std::vector<Index> points;
    std::vector<double> radii;
};
FarPoints farthest_first(const Costs& costs, Index start, Index k);

// The candidate and the centre (by its number) whose exchange leaves the smallest radius; of equal
// ones the first.
struct Replacement {
    double radius;
    Index candidate, centre;
};
Replacement best_replacement(const Costs& costs, const Service& service);

}  // namespace stylobate::medoids
