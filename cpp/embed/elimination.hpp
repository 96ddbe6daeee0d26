// Vertices of a graph taken out one after the other, those with few edges first; whenever one goes,
// its neighbours are joined by edges as long as the way through it, so that no distance changes.
//
// Distances from a source then follow from two sweeps over the edges to vertices that went later:
// up to them, and back. Where rows lie near a surface these are few (the fill of a sparse Cholesky
// factor), and several sources are swept together: quicker than a search for each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::embed {

struct Edge {
    std::uint32_t to;
    double length;
};

struct Graph {
    std::vector<Index> offsets;
    std::vector<Edge> edges;
};

// Places are in order of elimination.
struct Elimination {
    static constexpr Index lanes = 8;  // sources swept together
    std::vector<std::uint32_t> vertex, place;
    Graph later;  // of each place the edges to later places

    // out[l · n + v] for up to `lanes` sources; `room` has n · lanes numbers.
    void sweep(const std::int64_t* sources, Index count, double* room, double* out) const;
};

// None if the graph is not symmetric with sorted edges, or if there would be more than `most`
// edges.
std::optional<Elimination> eliminate(const Graph& graph, Index most);

}  // namespace stylobate::embed
