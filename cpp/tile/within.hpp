// Rows within a radius of each query (value ≤ radius, in the measure's own units), counted or
// listed.
#pragma once

#include <cstdint>
#include <functional>

#include "tile/strips.hpp"

namespace stylobate::tile {

struct Lists {
    std::vector<std::int64_t> offsets;  // queries + 1
    std::vector<std::int64_t> rows;     // in order of the rows
    std::vector<double> values;
};

struct Within {
    const double* radii = nullptr;  // one for each query
    bool skip_self = false;         // query i does not see row i
};

template <class T>
Lists within_dense(const MatrixView<T>& x, const MatrixView<T>& y, const Within& wish);
Lists within(Strips& strips, const Within& wish);

// Shows every pair within and keeps none. Hits of several queries come from several threads; those
// of one query and segment (Sharing) from one at a time, in order of the rows.
using Hit = std::function<void(Index query, Index row, Index segment)>;
template <class T>
void visit_dense(const MatrixView<T>& x, const MatrixView<T>& y, const Within& wish,
                 const Hit& hit);
void visit_within(Strips& strips, const Within& wish, const Hit& hit);

template <class T>
void count_dense(const MatrixView<T>& x, const MatrixView<T>& y, const Within& wish,
                 std::int64_t* counts);
void count_within(Strips& strips, const Within& wish, std::int64_t* counts);

}  // namespace stylobate::tile
