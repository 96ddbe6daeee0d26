// Rows of one table looked up for the rows of another, written column by column.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

// Values of a table, row after row.
struct RowTable {
    const double* values;
    Index rows, cols;
};

// out[where[j] · stride + i] = row places[i], column j. Every place must be a row of the table;
// throws InvalidArgument if one is not.
void gather_rows(const RowTable& table, const std::int64_t* places, Index n,
                 const std::vector<Index>& where, double* out, Index stride);

}  // namespace stylobate::scan
