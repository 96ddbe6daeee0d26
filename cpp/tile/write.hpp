// The matrix of all values, mapped on the way, for those who asked for it.
#pragma once

#include "tile/strips.hpp"

namespace stylobate::tile {

// out[q · stride + j] = map(value(q, j)). `symmetric`: both sides are the same rows, so half of the
// values is computed and mirrored.
template <class T>
void write(Strips& strips, const Mapping& mapping, bool symmetric, T* out, Index stride);

}  // namespace stylobate::tile
