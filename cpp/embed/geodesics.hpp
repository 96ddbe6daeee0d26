// Lengths of shortest paths in a graph of neighbours, from many vertices.
#pragma once

#include <cstdint>

#include "stylobate/views.hpp"

namespace stylobate::embed {

// Edges of vertex v: columns[offsets[v]] … columns[offsets[v + 1] − 1], with their lengths ≥ 0.
struct Edges {
    Index vertices = 0;
    const std::int64_t* offsets = nullptr;  // vertices + 1
    const std::int64_t* columns = nullptr;
    const double* lengths = nullptr;
};

// out[s · vertices + v]: from sources[s] to v along edges; infinity where no path leads.
//
// From many vertices of a graph that is nearly flat, by elimination (elimination.hpp): lengths are
// right to rounding. Else vertices wait in buckets of distance as wide as a quarter of a mean edge
// (delta-stepping): what is taken too early is corrected, and lengths are those of Dijkstra's
// method to the last bit, for sums along a path do not fall.
void geodesics(const Edges& edges, const std::int64_t* sources, Index count, double* out);

}  // namespace stylobate::embed
