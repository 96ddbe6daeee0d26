// Cells of numbers as doubles, and as 64-bit keys in the order of the values.
#pragma once

#include <bit>
#include <cstdint>

#include "scan/column.hpp"

namespace stylobate::scan {

// What the keys of a column stand for: keys of one kind compare and merge.
enum class KeyKind : std::uint8_t { none, boolean, whole, natural, real, text };

KeyKind key_kind(const ColumnView& view);

inline constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

inline std::uint64_t key_of_real(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // −0 and 0 are one value
    return bits ^ (static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> 63) | sign_bit);
}
inline double real_of_key(std::uint64_t key) {
    return std::bit_cast<double>(key ^ (key >> 63 != 0 ? sign_bit : ~std::uint64_t{0}));
}

inline constexpr Index block_rows = 4096;

// Some rows of a column of numbers; entries of cells that are missing hold anything.
struct CellBlock {
    double numbers[block_rows];
    std::uint64_t keys[block_rows];
    std::uint64_t hashes[block_rows];
    std::uint8_t there[block_rows];
    Index rows = 0, present = 0;
};

// Drops the cells that are missing from numbers, keys and hashes.
void compact(CellBlock& block);

// Rows first … first + count − 1 (count ≤ block_rows) of a column of numbers, dictionaries of
// numbers included. NaN is missing.
void decode(const ColumnView& view, Index first, Index count, CellBlock& out);

}  // namespace stylobate::scan
