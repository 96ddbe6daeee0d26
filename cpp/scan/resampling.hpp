// Areas under the curves of rows that are drawn again: the inner loop of a bootstrap.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

enum class Area { roc, precision };

// Rows in the order of one model's scores: row i is at threshold cells[i] / 2, counted from the
// highest, and its cell is odd if it is positive.
struct RankedRows {
    const std::uint32_t* cells = nullptr;
    Index thresholds = 0;
};

// Who may be drawn for whom: stratum s holds the rows members[offsets[s]] … members[offsets[s + 1]
// − 1] and keeps its size. Without members there is one stratum of all rows.
struct Strata {
    const std::uint32_t* members = nullptr;
    std::vector<Index> offsets;  // starts with 0, ends with the number of rows
};

// The area of every model for every resample (n_resamples × n_models, by rows); NaN where a
// resample lacks a class that the area needs. Resample r depends on the seed and r alone. Weights
// (null for ones) go with their rows.
std::vector<double> resampled_areas(const std::vector<RankedRows>& models, const double* weights,
                                    const Strata& strata, Area area, std::uint64_t seed,
                                    Index n_resamples);

}  // namespace stylobate::scan
