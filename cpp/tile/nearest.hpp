// The k rows nearest to each query, nearest first, equal ones in order of their rows; NaN is last.
#pragma once

#include <cstdint>

#include "tile/strips.hpp"

namespace stylobate::tile {

enum class Codes { where_quick, never, always };

struct Nearest {
    Index k = 1;
    bool skip_self = false;            // query i does not see row i
    Codes codes = Codes::where_quick;  // whether rows as bytes drop far pairs; no answer shows it
};

// How many pairs each filter looked at, and how many were measured exactly.
struct Looked {
    std::int64_t codes = 0, singles = 0, products = 0, exact = 0;
};

// values and rows: queries × k. Inner products are ranked from the largest. k may be at most the
// number of rows a query sees.
template <class T>
Looked nearest_dense(const MatrixView<T>& x, const MatrixView<T>& y, bool inner,
                     const Nearest& wish, double* values, std::int64_t* rows);
void nearest(Strips& strips, bool largest, const Nearest& wish, double* values, std::int64_t* rows);

}  // namespace stylobate::tile
