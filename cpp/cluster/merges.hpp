// What algorithms of hierarchies hand over: which clusters were joined, and how high.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::cluster {

enum class Linkage { single, complete, average, weighted, centroid, median, ward, minimax };

// Joins the clusters of rows `one` and `other`.
struct Merge {
    std::int64_t one, other;
    double height;
};

// SciPy's matrix of n − 1 rows: two clusters, the lower number first, height and size. The merges
// in this order, or by height (of equal ones, as they come).
std::vector<double> linkage_matrix(Index n, std::vector<Merge> merges, bool by_height);

// A cluster that an algorithm starts from: one of its rows, its size and the height it has.
struct Item {
    std::int64_t row = 0;
    double size = 1.0, height = 0.0;
};
std::vector<Item> single_rows(Index n);

}  // namespace stylobate::cluster
