// Sums over all rows of the mapped values: densities, kernel expansions.
#pragma once

#include "tile/strips.hpp"

namespace stylobate::tile {

// out[q] = Σⱼ weights[j] · map(value(q, j)); log maps give log Σⱼ weights[j] · e^map without
// leaving the range. weights may be null (ones).
void sum_rows(Strips& strips, const Mapping& mapping, const double* weights, double* out);

}  // namespace stylobate::tile
