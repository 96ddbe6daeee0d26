// A column as its distinct values in order and, for every row, the place of its value; ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "scan/column.hpp"
#include "stylobate/views.hpp"

namespace stylobate::scan {

struct OrderedCodes {
    std::vector<std::int64_t> codes;  // −1 where missing
    std::vector<std::int64_t> first;  // a row of each distinct value, the least value first
};

// NaN is missing; −0 and 0 are one value.
OrderedCodes ordered_codes(const double* values, Index n);
// The lowest number there is is missing, as NumPy's NaT.
OrderedCodes ordered_codes(const std::int64_t* values, Index n);
// Texts without data are missing; the order is that of the bytes, in UTF-8 that of the characters.
OrderedCodes ordered_codes(const Text* texts, Index n);

// Average ranks, less their mean, among the rows where `rows` is not 0, of a column with places
// 0 … levels − 1 there. `out` has an element for each such row.
void centred_ranks(const std::int64_t* places, const std::uint8_t* rows, Index n, Index levels,
                   double* out);

}  // namespace stylobate::scan
