// Clusters of dense rows, from whatever shows pairs within a radius.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings.hpp"
#include "cluster/dbscan.hpp"

namespace stylobate::bindings {

using RowWeights = std::optional<Vector<double>>;

inline nb::tuple labels_and_core(cluster::DensityClusters&& found) {
    return nb::make_tuple(owned(std::move(found.labels)), owned(std::move(found.core)));
}

inline cluster::Density density_of(double radius, double least, const RowWeights& weights,
                                   Index rows) {
    require(!weights || static_cast<Index>(weights->shape(0)) == rows, "one weight for each row");
    return {radius, least, weights ? weights->data() : nullptr};
}

// `visit(within, hit)` as of tile::Pairs and tile::Tree.
template <class Visit>
nb::tuple density_clusters(Index rows, Index segments, double radius, double least,
                           const RowWeights& weights, const Visit& visit) {
    const cluster::Density wish = density_of(radius, least, weights, rows);
    const std::vector<double> radii(static_cast<std::size_t>(rows), radius);
    cluster::DensityClusters found;
    {
        GilReleased release;
        found = cluster::dbscan_pairs(rows, segments, wish, [&](const tile::Hit& hit) {
            visit(tile::Within{radii.data(), false}, hit);
        });
    }
    return labels_and_core(std::move(found));
}

}  // namespace stylobate::bindings
