// Kernel of multidimensional scaling: one point against many.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::stress {

// Points to compare with: coordinate c of point j is coordinates[c · stride + j].
struct Points {
    const double* coordinates;
    Index stride, count, dimensions;
};

struct Kernels {
    // For a point x with dissimilarities δ and weights w (null: all 1) to the points, d the
    // distances: half[c] = Σ w (1 − δ/d)(x_c − y_jc), sums[0] = Σ w (d − δ)², sums[1] = Σ w d².
    // Pairs whose δ is NaN do not count; at d = 0 the direction is taken as 0.
    void (*stress_row)(const Points& points, const double* x, const double* delta,
                       const double* weights, double* half, double* sums);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

}  // namespace stylobate::stress
