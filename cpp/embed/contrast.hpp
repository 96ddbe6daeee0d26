// One step of FastICA: what the rotated white rows say about their contrast.
#pragma once

#include <vector>

#include "stylobate/simd.hpp"

namespace stylobate::embed {

enum class Contrast { logcosh, exp, cube };

// g in place of n numbers; returns Σ g′. `alpha` is logcosh's.
using ContrastKernel = double (*)(double* y, Index n, double alpha);
ContrastKernel contrast_kernel(Contrast which);

// Components × rows: component l of row i lies at data[l·ld + i]; ld is a multiple of 8 and at
// least the number of rows, the entries beyond them are finite.
struct WhiteRows {
    const double* data = nullptr;
    Index components = 0, rows = 0, ld = 0;
};

struct ContrastSums {
    std::vector<double> products;  // g(WZ)Zᵀ, directions × components
    std::vector<double> slopes;    // Σ g′ of every direction
};

// Blocks of rows that stay in cache, in chunks that do not depend on threads, merged in order.
ContrastSums contrast_sums(const WhiteRows& z, const double* w, Index directions, Contrast which,
                           double alpha);

}  // namespace stylobate::embed
