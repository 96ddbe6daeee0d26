#include "scan/sketch_cells.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "scan/kernels.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

template <class T>
T read(const std::uint8_t* from) {
    T out;
    std::memcpy(&out, from, sizeof(T));
    return out;
}

double half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    const double size = exponent == 31  ? (fraction != 0 ? std::nan("") : HUGE_VAL)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(fraction + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

// Two's complement of 64-bit words, lowest first.
template <int words>
double wide(const std::uint8_t* from) {
    std::uint64_t part[words];
    std::memcpy(part, from, sizeof part);
    const bool negative = (part[words - 1] & sign_bit) != 0;
    std::uint64_t carry = negative;
    double size = 0.0, place = 1.0;
    for (std::uint64_t& each : part) {
        if (negative) {
            each = ~each + carry;
            carry = carry != 0 && each == 0;
        }
        size += static_cast<double>(each) * place;
        place *= 0x1p64;
    }
    return negative ? -size : size;
}

struct Value {
    double number;
    std::uint64_t key;
    bool there = true;
};

Value real(double number) {
    return {number, key_of_real(number), number == number};
}

template <class T>
Value whole(T value) {
    if constexpr (std::is_signed_v<T>)
        return {static_cast<double>(value),
                static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) ^ sign_bit};
    else
        return {static_cast<double>(value), static_cast<std::uint64_t>(value)};
}

template <Cell cell>
Value value_at(const ColumnView& view, Index i) {
    const std::uint8_t* const at = view.at(i);
    if constexpr (cell == Cell::boolean) {
        const Index bit = view.offset + i;
        return whole<std::uint8_t>(view.values[bit >> 3] >> (bit & 7) & 1);
    } else if constexpr (cell == Cell::truth) {
        return whole<std::uint8_t>(*at != 0);
    } else if constexpr (cell == Cell::i8) {
        return whole(read<std::int8_t>(at));
    } else if constexpr (cell == Cell::i16) {
        return whole(read<std::int16_t>(at));
    } else if constexpr (cell == Cell::i32) {
        return whole(read<std::int32_t>(at));
    } else if constexpr (cell == Cell::i64) {
        Value out = whole(read<std::int64_t>(at));
        out.there = !view.lowest_is_missing || out.key != 0;
        return out;
    } else if constexpr (cell == Cell::u8) {
        return whole(read<std::uint8_t>(at));
    } else if constexpr (cell == Cell::u16) {
        return whole(read<std::uint16_t>(at));
    } else if constexpr (cell == Cell::u32) {
        return whole(read<std::uint32_t>(at));
    } else if constexpr (cell == Cell::u64) {
        return whole(read<std::uint64_t>(at));
    } else if constexpr (cell == Cell::f16) {
        return real(half(read<std::uint16_t>(at)));
    } else if constexpr (cell == Cell::f32) {
        return real(read<float>(at));
    } else if constexpr (cell == Cell::f64) {
        return real(read<double>(at));
    } else if constexpr (cell == Cell::d32) {
        return real(read<std::int32_t>(at) / view.factor);
    } else if constexpr (cell == Cell::d64) {
        return real(static_cast<double>(read<std::int64_t>(at)) / view.factor);
    } else if constexpr (cell == Cell::d128) {
        return real(wide<2>(at) / view.factor);
    } else {
        return real(wide<4>(at) / view.factor);
    }
}

// Calls body with the type of the cells as a constant.
template <class Body>
void with_cell(Cell cell, const Body& body) {
    switch (cell) {
#define STYLOBATE_CASE(name) \
    case Cell::name:         \
        return body(std::integral_constant<Cell, Cell::name>());
        STYLOBATE_CASE(boolean)
        STYLOBATE_CASE(truth)
        STYLOBATE_CASE(i8)
        STYLOBATE_CASE(i16)
        STYLOBATE_CASE(i32)
        STYLOBATE_CASE(i64)
        STYLOBATE_CASE(u8)
        STYLOBATE_CASE(u16)
        STYLOBATE_CASE(u32)
        STYLOBATE_CASE(u64)
        STYLOBATE_CASE(f16)
        STYLOBATE_CASE(f32)
        STYLOBATE_CASE(f64)
        STYLOBATE_CASE(d32)
        STYLOBATE_CASE(d64)
        STYLOBATE_CASE(d128)
        STYLOBATE_CASE(d256)
#undef STYLOBATE_CASE
        default:
            throw InvalidArgument("the column holds no numbers");
    }
}

}  // namespace

KeyKind key_kind(const ColumnView& view) {
    const Cell cell = view.dictionary != nullptr ? view.dictionary->cell : view.cell;
    if (is_text(cell)) return KeyKind::text;
    if (cell == Cell::boolean || cell == Cell::truth) return KeyKind::boolean;
    if (cell >= Cell::i8 && cell <= Cell::i64) return KeyKind::whole;
    if (cell >= Cell::u8 && cell <= Cell::u64) return KeyKind::natural;
    return is_number(cell) ? KeyKind::real : KeyKind::none;
}

void compact(CellBlock& block) {
    if (block.present == block.rows) return;
    Index to = 0;
    for (Index i = 0; i < block.rows; ++i) {
        block.numbers[to] = block.numbers[i];
        block.keys[to] = block.keys[i];
        block.hashes[to] = block.hashes[i];
        to += block.there[i];
    }
}

namespace {

static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
unsigned long long* words(std::uint64_t* x) {
    return reinterpret_cast<unsigned long long*>(x);
}

// Doubles side by side, all there: the common case, by vectors. False if it is not that.
bool decode_dense(const ColumnView& view, Index first, Index count, CellBlock& out) {
    if (view.cell != Cell::f64 || view.stride != 8 || view.validity != nullptr ||
        view.dictionary != nullptr)
        return false;
    std::memcpy(out.numbers, view.at(first), static_cast<std::size_t>(count) * 8);
    if (!kernels().all_finite(out.numbers, count)) return false;
    kernels().real_keys(out.numbers, count, words(out.keys), words(out.hashes));
    std::memset(out.there, 1, static_cast<std::size_t>(count));
    out.present = count;
    return true;
}

}  // namespace

void decode(const ColumnView& view, Index first, Index count, CellBlock& out) {
    out.rows = count;
    if (decode_dense(view, first, count, out)) return;
    const ColumnView* const dictionary = view.dictionary;
    with_cell(dictionary != nullptr ? dictionary->cell : view.cell, [&](auto cell) {
        for (Index i = 0; i < count; ++i) {
            Value value{0.0, 0, false};
            if (dictionary == nullptr) {
                value = value_at<cell>(view, first + i);
            } else if (view.is_there(first + i)) {
                const Index code = code_at(view, first + i);
                value = value_at<cell>(*dictionary, code);
                value.there = value.there && dictionary->is_there(code);
            }
            out.numbers[i] = value.number;
            out.keys[i] = value.key;
            out.there[i] = value.there;
        }
    });
    if (view.validity != nullptr && dictionary == nullptr)
        for (Index i = 0; i < count; ++i) out.there[i] &= view.is_there(first + i);
    Index present = 0;
    for (Index i = 0; i < count; ++i) present += out.there[i];
    out.present = present;
    kernels().hash_keys(words(out.keys), count, words(out.hashes));
}

}  // namespace stylobate::scan
