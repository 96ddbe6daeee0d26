// Kernels of hierarchies.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::linkage {

// Points column after column, `ld` apart; columns may be read up to 8 numbers beyond the last.
struct PointColumns {
    const double* data;
    Index ld, depth;
};

enum class Gather : int {
    squares,       // out[j] = ‖q − xⱼ‖²
    most_square,   // out[j] = max(out[j], ‖q − xⱼ‖²)
    sum_of_roots,  // out[j] += weight ‖q − xⱼ‖
};

struct Kernels {
    // Of the points first … first + count − 1; `out` has room for whole groups of 8.
    void (*point_distances)(const double* query, const PointColumns& points, Index first,
                            Index count, int gather, double weight, double* out);
    // The place of the first smallest number; n ≥ 1, no NaN.
    Index (*least_entry)(const double* values, Index n);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

}  // namespace stylobate::linkage
