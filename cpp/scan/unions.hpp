// Moments of unions of parts that have no row in common, from the moments of the parts.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

// The moments of several parts, one after the other.
struct MomentsStack {
    const double* weight;   // count
    const double* mean;     // count × q
    const double* scatter;  // count × q × q
    Index count, q;
};

struct Unions {
    std::vector<double> weight, mean, scatter;
};

// Union k is of the parts members[offsets[k] … offsets[k + 1] − 1], increasing, at least one each.
Unions merge_parts(const MomentsStack& parts, const std::vector<Index>& offsets,
                   const std::vector<Index>& members);

}  // namespace stylobate::scan
