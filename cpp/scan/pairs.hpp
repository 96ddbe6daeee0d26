// Pairs in the right order, counted without sorting.
//
// Two sets of records are spread over the same cells; pairs from different cells are told by the
// cells alone, and the few that share one are compared with each other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "scan/keys.hpp"
#include "stylobate/views.hpp"

namespace stylobate::scan {

template <class Record>
struct Side {
    Record* records;
    Record* scratch;
    Index size;

    typename Record::Sum weight() const {
        typename Record::Sum sum = 0;
        for (Index i = 0; i < size; ++i) sum += records[i].weight();
        return sum;
    }
};

// Twice the weight of the pairs (above, below) with above.key < below.key, plus that of the ties.
template <class Record>
typename Record::Sum compared_pairs(const Side<Record>& above, const Side<Record>& below) {
    typename Record::Sum twice = 0;
    for (Index i = 0; i < above.size; ++i) {
        typename Record::Sum won = 0;
        const auto key = above.records[i].key;
        for (Index j = 0; j < below.size; ++j) {
            const Record& other = below.records[j];
            const int half_points = (key <= other.key) + (key < other.key);
            won += half_points * other.weight();
        }
        twice += won * above.records[i].weight();
    }
    return twice;
}

// Puts the records in the order of their cells; ends[c] becomes the end of cell c.
template <class Record, class Key>
void spread_side(const Side<Record>& side, Key low, int shift, Index cells, std::uint32_t* ends) {
    std::fill(ends, ends + cells + 1, 0u);
    for (Index i = 0; i < side.size; ++i) ++ends[((side.records[i].key - low) >> shift) + 1];
    for (Index c = 1; c < cells; ++c) ends[c] += ends[c - 1];
    for (Index i = 0; i < side.size; ++i)
        side.scratch[ends[(side.records[i].key - low) >> shift]++] = side.records[i];
}

// As compared_pairs, for any number of records, which it overwrites.
template <class Record, int most_bits>
typename Record::Sum ordered_pairs(const Side<Record>& above, const Side<Record>& below) {
    constexpr Index few = 64;  // comparisons
    if (above.size == 0 || below.size == 0) return 0;
    if (above.size <= few && below.size <= few && above.size * below.size <= few)
        return compared_pairs(above, below);
    auto low = above.records[0].key, high = low;
    for (const Side<Record>* side : {&above, &below})
        for (Index i = 0; i < side->size; ++i) {
            low = std::min(low, side->records[i].key);
            high = std::max(high, side->records[i].key);
        }
    if (low == high) return above.weight() * below.weight();
    const int width = std::bit_width(high - low);
    const int wanted = std::bit_width(static_cast<std::uint64_t>(above.size + below.size)) - 2;
    const int bits = std::min(std::clamp(wanted, 4, most_bits), width);
    const Index cells = Index{1} << bits;
    std::uint32_t ends[2][(1 << most_bits) + 1];
    spread_side(above, low, width - bits, cells, ends[0]);
    spread_side(below, low, width - bits, cells, ends[1]);
    typename Record::Sum twice = 0, passed = 0;
    for (Index c = 0, a = 0, b = 0; c < cells; a = ends[0][c], b = ends[1][c], ++c) {
        const Side<Record> up{above.scratch + a, above.records + a, ends[0][c] - a};
        const Side<Record> down{below.scratch + b, below.records + b, ends[1][c] - b};
        const auto gained = up.weight();  // before the records are moved
        if (down.size > 0) {
            twice += 2 * passed * down.weight();
            if (up.size > 0) twice += ordered_pairs<Record, 8>(up, down);
        }
        passed += gained;
    }
    return twice;
}

}  // namespace stylobate::scan
