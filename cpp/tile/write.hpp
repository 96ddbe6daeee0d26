// The matrix of all values, mapped on the way, for those who asked for it.
#pragma once

#include "tile/strips.hpp"

namespace stylobate::tile {

// Which values are written. Of the same rows on both sides half of the values is computed, and
// mirrored, or what lies above the diagonal is left as it is (but for squares beside it), for those
// who read the other half alone.
enum class Half { none, mirrored, lower };

// out[q · stride + j] = map(value(q, j)).
template <class T>
void write(Strips& strips, const Mapping& mapping, Half half, T* out, Index stride);

}  // namespace stylobate::tile
