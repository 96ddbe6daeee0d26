// Floating-point numbers as whole numbers of the opposite order, and sorting by them.
//
// The largest score has the smallest key, so that sums over sorted keys start at the top, where
// the curves of ranking do. −0 and 0 have one key.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "stylobate/views.hpp"

namespace stylobate::scan {

template <class T>
using KeyOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
constexpr KeyOf<T> top_bit = KeyOf<T>{1} << (8 * sizeof(T) - 1);

template <class T>
KeyOf<T> key_of(T score) {
    const auto bits = std::bit_cast<KeyOf<T>>(score + T(0));
    return (bits & top_bit<T>) != 0 ? bits : ~(bits | top_bit<T>);
}

template <class T>
T score_of(KeyOf<T> key) {
    return std::bit_cast<T>((key & top_bit<T>) != 0 ? key : ~key & ~top_bit<T>);
}

// What is sorted: a key alone, or with a weight.
template <class Key>
struct Plain {
    using Sum = std::int64_t;
    Key key;
    Sum weight() const { return 1; }
};
template <class Key>
struct Weighted {
    using Sum = double;
    Key key;
    double value;
    Sum weight() const { return value; }
};

template <class Record>
void insertion_sort(Record* first, Index n) {
    for (Index i = 1; i < n; ++i) {
        const Record moved = first[i];
        Index j = i;
        for (; j > 0 && moved.key < first[j - 1].key; --j) first[j] = first[j - 1];
        first[j] = moved;
    }
}

// Sorts by key; equal keys keep their order. Each level spreads the range of the keys over cells
// of about four records, so keys that are spread evenly need one level, and none need more than
// 64 / min_bits: the range of a cell is that of its parent divided by the number of cells.
template <class Record, int most_bits = 12>
void sort_by_key(Record* first, Record* scratch, Index n) {
    constexpr Index few = 20;
    constexpr int min_bits = 4;
    if (n <= few) return insertion_sort(first, n);
    auto low = first[0].key, high = low;
    for (Index i = 1; i < n; ++i) {
        low = std::min(low, first[i].key);
        high = std::max(high, first[i].key);
    }
    if (low == high) return;
    const int width = std::bit_width(high - low);
    const int wanted = std::bit_width(static_cast<std::uint64_t>(n)) - 2;
    const int bits = std::min(std::clamp(wanted, min_bits, most_bits), width);
    const int shift = width - bits;
    std::uint32_t starts[(1 << most_bits) + 1] = {};
    std::uint32_t* const counts = starts + 1;
    for (Index i = 0; i < n; ++i) ++counts[(first[i].key - low) >> shift];
    const Index cells = Index{1} << bits;
    for (Index c = 1; c < cells; ++c) counts[c] += counts[c - 1];
    for (Index i = 0; i < n; ++i) scratch[starts[(first[i].key - low) >> shift]++] = first[i];
    std::copy(scratch, scratch + n, first);
    // starts[c] is now the end of cell c
    for (Index c = 0, begin = 0; c < cells; begin = starts[c], ++c) {
        const Index count = static_cast<Index>(starts[c]) - begin;
        if (count < 2) continue;
        if (count <= few)
            insertion_sort(first + begin, count);
        else
            sort_by_key<Record, 8>(first + begin, scratch + begin, count);
    }
}

}  // namespace stylobate::scan
