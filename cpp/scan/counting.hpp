// Labels counted: pairs of whole numbers from a small range, and which of two values a row has.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

// Rows (and their weight) for each pair of labels low, low + 1, … low + width − 1.
struct PairCounts {
    bool whole = true;     // false if some label is no whole number (NaN among them)
    bool counted = false;  // false if the labels' range is wider than allowed
    std::int64_t low = 0;
    Index width = 0;
    std::vector<std::int64_t> rows;  // width × width, by the first label
    std::vector<double> weights;     // the same; empty without weights
};

// Counts (a[i], b[i]). One pass where a sample of the labels tells their range, else two.
template <class T>
PairCounts count_pairs(const T* a, const T* b, const double* weights, Index n, Index most_width);

// The two values of labels, the lesser first (equal if there is one only), and which rows have the
// greater; nothing if there are more than two, or NaN. `greater` holds n bytes.
template <class T>
std::optional<std::pair<T, T>> two_values(const T* labels, Index n, std::uint8_t* greater);

// What each row holds, as a number: values are numbered as they appear.
struct Codes {
    std::vector<std::int32_t> codes;
    std::vector<std::int64_t> first;  // the first row of each value
};

// Rows of `bytes` bytes each, equal if all bytes are. rows < 2³¹.
Codes code_items(const std::uint8_t* items, Index rows, Index bytes);

}  // namespace stylobate::scan
