// A column of cells of any type, somewhere in memory: what the sketches read.
//
// The cells lie as Arrow lays them out, or at a stride as NumPy does. Nothing here owns the memory
// but `Column`, which keeps its owner alive.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "stylobate/views.hpp"

namespace stylobate::scan {

enum class Cell : std::uint8_t {
    nothing,  // Arrow's null type: every cell is missing
    boolean,  // bits
    truth,    // bytes, as NumPy's bool
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f16,
    f32,
    f64,
    d32,  // decimals: whole numbers divided by `factor`
    d64,
    d128,
    d256,
    text32,  // bytes between 32-bit offsets
    text64,
    text_view,
    bytes,  // `width` bytes each
    other   // nested and the like: only whether a cell is missing is known
};

constexpr bool is_text(Cell cell) {
    return cell >= Cell::text32 && cell <= Cell::bytes;
}
constexpr bool is_number(Cell cell) {
    return cell >= Cell::boolean && cell <= Cell::d256;
}

// Bytes of one cell of a type that has such; 0 else.
constexpr Index cell_bytes(Cell cell) {
    switch (cell) {
        case Cell::truth:
        case Cell::i8:
        case Cell::u8:
            return 1;
        case Cell::i16:
        case Cell::u16:
        case Cell::f16:
            return 2;
        case Cell::i32:
        case Cell::u32:
        case Cell::f32:
        case Cell::d32:
            return 4;
        case Cell::i64:
        case Cell::u64:
        case Cell::f64:
        case Cell::d64:
            return 8;
        case Cell::d128:
        case Cell::text_view:
            return 16;
        case Cell::d256:
            return 32;
        default:
            return 0;
    }
}

struct ColumnView {
    Cell cell = Cell::nothing;
    Index length = 0;
    Index offset = 0;                        // of the first cell, in cells
    const std::uint8_t* validity = nullptr;  // bit offset + i set: cell i is there; null: all are
    const std::uint8_t* values = nullptr;    // the cells, or the bytes of texts
    Index stride = 0;                        // bytes between cells
    const std::uint8_t* offsets = nullptr;   // of texts
    Index width = 0;                         // of `bytes`
    double factor = 1.0;                     // decimals are divided by it
    bool lowest_is_missing = false;          // NumPy's NaT
    const std::uint8_t* const* parts = nullptr;  // where the bytes of text views lie
    const std::int64_t* part_sizes = nullptr;
    Index n_parts = 0;
    const ColumnView* dictionary = nullptr;  // the cells are positions in it

    bool is_there(Index i) const {
        if (validity == nullptr) return cell != Cell::nothing;
        const Index bit = offset + i;
        return (validity[bit >> 3] >> (bit & 7) & 1) != 0;
    }
    const std::uint8_t* at(Index i) const { return values + (offset + i) * stride; }

    // Cells first … first + count − 1; the caller has checked that there are such.
    ColumnView slice(Index first, Index count) const {
        ColumnView out = *this;
        out.offset += first;
        out.length = count;
        return out;
    }
};

// A view with what it stands on.
struct Column {
    std::string name;
    std::string format;  // as Arrow writes types; "?" is NumPy's bool
    ColumnView view;
    Index null_count = 0;  // by the validity alone
    bool ordered = false;  // of a dictionary
    std::shared_ptr<const void> owner;
    std::shared_ptr<const Column> dictionary;

    const Column& of_values() const { return dictionary ? *dictionary : *this; }
};

// Cells that the validity calls missing.
Index count_missing(const ColumnView& view);

// One text of a column, in bytes.
struct Text {
    const char* data = nullptr;
    Index size = 0;
};

// The text of a cell that is there; refused where a view points outside its parts. Not of
// dictionaries.
Text text_at(const ColumnView& view, Index i);

// The position in the dictionary; refused where there is none such.
Index code_at(const ColumnView& view, Index i);

}  // namespace stylobate::scan
