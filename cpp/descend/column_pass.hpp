// Readings of all columns: their products with a few vectors, on all threads.
#pragma once

#include <vector>

#include "descend/columns.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

constexpr Index column_cell = 16;  // columns that are read, or left alone, together

// out[f][j] = Σᵢ x[i][j]·vectors[f][i]; cells of columns whose entry in `awake` is 0 are left as
// they are (`awake` empty: all are read).
void correlate(const Columns& x, const std::vector<double>& vectors, Index count,
               const std::vector<char>& awake, std::vector<double>& out);

// What regressions on these columns begin with, from one reading.
struct Measures {
    std::vector<double> sums;      // Σω x by row of weights and column
    std::vector<double> squares;   // Σω x²
    std::vector<double> products;  // Σ x·v by target v and column
};
Measures measure(const Columns& x, const double* weights, Index n_weights, const double* targets,
                 Index n_targets);

}  // namespace stylobate::descend
