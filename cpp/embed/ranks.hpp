// Ranks of rows by distance: the nearest row has rank 1, equal distances rank by number, and a row
// has no rank seen from itself. Ranks before and after an embedding say how far to trust it.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::embed {

// Distances of some rows to all n rows; own[i] is the row that line i is seen from.
struct SeenFrom {
    MatrixView<double> distances;  // columns side by side
    const std::int64_t* own;
};

// ranks[i · k + j]: of row columns[i · k + j] seen from line i.
void column_ranks(const SeenFrom& seen, const std::int64_t* columns, Index k, std::int64_t* ranks);

// What two ranks of the same rows share, for the k nearest of each line.
struct RankAgreement {
    std::vector<std::int64_t> kept;      // of the k nearest, those that are so both times
    std::vector<std::int64_t> intruded;  // Σ (first rank − k) over the k nearest by the second
    std::vector<std::int64_t> lost;      // Σ (second rank − k) over the k nearest by the first
    std::vector<std::int64_t> larger;    // [r]: pairs of all lines whose larger rank is r; n long
};

RankAgreement rank_agreement(const SeenFrom& first, const MatrixView<double>& second, Index k);

}  // namespace stylobate::embed
