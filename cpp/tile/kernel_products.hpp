// Products of the matrix of all pairs' values with a few columns; the matrix is never written.
#pragma once

#include "tile/strips.hpp"

namespace stylobate::tile {

// out[q][c] = Σⱼ value(q, j) · v(j, c), rows of out v.cols apart. Beside out it holds a copy of v
// and sums of the queries' size, padded to whole vectors. `symmetric`: both sides are the same
// rows, so that of many of them half of the values is computed; the sums then take up to 32 times
// that.
void multiply_pairs(Strips& strips, const MatrixView<double>& v, bool symmetric, double* out);

}  // namespace stylobate::tile
