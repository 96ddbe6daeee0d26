// Kernels of k-medoids: what candidates would change, from strips of points × candidates.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::medoids {

// Some points as they are served now. A candidate whose measure is not below the limit changes
// nothing for the point.
struct ServedPoints {
    const double *limits, *nearest, *second, *weights;
    const double* labels;  // whole numbers
};

struct Kernels {
    // A strip c: points × one panel of candidates, row-major; `root`: c holds squares of
    // dissimilarities d. NaN changes nothing.
    //
    // sums[j] += w (d − level) where c is below the limit
    void (*medoid_below)(const double* c, Index points, bool root, const double* limits,
                         const double* levels, const double* weights, double* sums);
    // gains[j] += w min(d − nearest, 0), and for the point's medoid m
    // losses[m][j] += w (min(max(d, nearest), second) − second)
    void (*medoid_swaps)(const double* c, Index points, bool root, const ServedPoints& served,
                         double* gains, double* losses);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

}  // namespace stylobate::medoids
