// Scales of rows' neighbourhoods, at which the memberships of all neighbours sum to a given number.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::layout {

struct ScaleOptions {
    double connectivity;  // how many neighbours (interpolated) are full members
    double target;        // the sum of memberships
    double mean;          // distance of all rows' neighbours, for rows whose own tell nothing
};

// For each row of sorted distances (none negative, finite) the distance ρ of its last full member,
// and σ with Σ exp(−max(0, d − ρ) / σ) = target, or the nearest to it that a scale of at least a
// thousandth of the row's mean distance allows.
void neighbour_scales(const double* distances, Index rows, Index neighbours,
                      const ScaleOptions& options, double* rho, double* sigma);

}  // namespace stylobate::layout
