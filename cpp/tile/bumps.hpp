// Densities: sums of bumps on points, where most points are far away or close together.
#pragma once

#include "stylobate/views.hpp"
#include "tile/boxes.hpp"
#include "tile/measure.hpp"

namespace stylobate::tile {

// K(‖q − x‖ / h) not normalised: Map::exponential is the Gaussian e^(−u²/2), Map::root_exponential
// e^(−u); tophat, epanechnikov, linear and cosine are 0 for u ≥ 1.
struct Bumps {
    Map kind = Map::exponential;
    double width = 1.0;     // h
    double relative = 0.0;  // errors allowed in Σ w K: relative · sum + absolute · Σ w;
    double absolute = 0.0;  // with 0 and 0 the sum is exact up to rounding
};

// out[i] = log Σⱼ weights[j] · K(‖qᵢ − xⱼ‖ / h), −∞ where no bump reaches; weights may be null
// (ones), else they are not negative and not all 0. At most `most_bump_columns` columns.
void log_bump_sums(const MatrixView<double>& queries, const MatrixView<double>& points,
                   const double* weights, const Bumps& bumps, double* out);

// The same of points that are arranged already.
void log_bump_sums(const MatrixView<double>& queries, const BoxPoints& points, const Bumps& bumps,
                   double* out);

inline constexpr Index most_bump_columns = 16;

}  // namespace stylobate::tile
