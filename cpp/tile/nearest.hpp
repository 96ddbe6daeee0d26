// The k rows nearest to each query, nearest first, equal ones in order of their rows; NaN is last.
#pragma once

#include <cstdint>

#include "tile/strips.hpp"

namespace stylobate::tile {

struct Nearest {
    Index k = 1;
    bool skip_self = false;  // query i does not see row i
};

// values and rows: queries × k. Inner products are ranked from the largest. k may be at most the
// number of rows a query sees.
template <class T>
void nearest_dense(const MatrixView<T>& x, const MatrixView<T>& y, bool inner, const Nearest& wish,
                   double* values, std::int64_t* rows);
void nearest(Strips& strips, bool largest, const Nearest& wish, double* values, std::int64_t* rows);

}  // namespace stylobate::tile
