// Products of the matrix of all pairs' values with a few columns; the matrix is never written.
#pragma once

#include "tile/strips.hpp"

namespace stylobate::tile {

// out[q][c] = Σⱼ value(q, j) · v(j, c), rows of out v.cols apart. Beside out it holds a copy of v
// and sums of the queries' size, padded to whole vectors.
void multiply_pairs(Strips& strips, const MatrixView<double>& v, double* out);

}  // namespace stylobate::tile
