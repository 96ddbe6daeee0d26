// What has been found near a query: a value and a row, the nearest first and ties by row.
#pragma once

#include <cmath>
#include <cstdint>

namespace stylobate::tile {

struct Entry {
    double value;
    std::int64_t row;
};

inline bool before(const Entry& a, const Entry& b) {  // NaN is last
    if (a.value < b.value) return true;
    if (a.value > b.value) return false;
    const bool a_nan = std::isnan(a.value), b_nan = std::isnan(b.value);
    return a_nan != b_nan ? b_nan : a.row < b.row;
}

}  // namespace stylobate::tile
