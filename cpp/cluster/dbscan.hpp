// Density-based clusters: core rows that see each other are one cluster, other rows join the first
// cluster a core row of which sees them. Neighbours are met, never stored.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tile/tree.hpp"

namespace stylobate::cluster {

struct Density {
    double radius = 0.0;              // in the measure's own units
    double least = 1.0;               // rows, or weight, that a core row sees, itself included
    const double* weights = nullptr;  // of the rows, or all 1
};

struct DensityClusters {
    std::vector<std::int64_t> labels;  // −1: of no cluster
    std::vector<std::uint8_t> core;
};

// Of a measure that splits into columns, by boxes: near boxes are joined without a look at their
// rows, and rows that are joined already are not looked at again.
DensityClusters dbscan_boxes(const MatrixView<double>& x, const tile::TreeMetric& metric,
                             const Density& wish);

// Of any symmetric measure: `visit` shows all pairs within the radius (query, row, segment), as
// tile::Pairs and tile::Tree do; those of a query and segment come in one fixed order.
DensityClusters dbscan_pairs(Index rows, Index segments, const Density& wish,
                             const std::function<void(const tile::Hit&)>& visit);

// Along edges that may lead one way only: `each(row, take)` shows take the rows that a row sees.
using Edges = std::function<void(Index row, const std::function<void(Index)>& take)>;
std::vector<std::int64_t> dbscan_edges(const std::vector<std::uint8_t>& core, const Edges& each);

}  // namespace stylobate::cluster
