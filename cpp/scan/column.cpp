#include "scan/column.hpp"

#include <bit>
#include <cstring>

#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

template <class T>
T read(const std::uint8_t* from) {
    T out;
    std::memcpy(&out, from, sizeof(T));
    return out;
}

template <class Offset>
Text between(const ColumnView& view, Index i) {
    const std::uint8_t* const at = view.offsets + (view.offset + i) * Index{sizeof(Offset)};
    const auto first = read<Offset>(at), last = read<Offset>(at + sizeof(Offset));
    if (first < 0 || last < first) throw InvalidArgument("the offsets of a text column decrease");
    return {reinterpret_cast<const char*>(view.values) + first, static_cast<Index>(last - first)};
}

// Arrow's views: 12 bytes or fewer lie in the view itself, else (size, prefix, part, offset).
Text viewed(const ColumnView& view, Index i) {
    constexpr std::int32_t most_inline = 12;
    const std::uint8_t* const at = view.at(i);
    const auto size = read<std::int32_t>(at);
    if (size < 0) throw InvalidArgument("a text view has a negative size");
    if (size <= most_inline) return {reinterpret_cast<const char*>(at + 4), size};
    const auto part = read<std::int32_t>(at + 8), first = read<std::int32_t>(at + 12);
    if (part < 0 || part >= view.n_parts || first < 0 ||
        std::int64_t{first} + size > view.part_sizes[part] || view.parts[part] == nullptr)
        throw InvalidArgument("a text view points outside its buffers");
    return {reinterpret_cast<const char*>(view.parts[part]) + first, size};
}

std::int64_t whole_at(const ColumnView& view, Index i) {
    switch (view.cell) {
        case Cell::i8:
            return read<std::int8_t>(view.at(i));
        case Cell::i16:
            return read<std::int16_t>(view.at(i));
        case Cell::i32:
            return read<std::int32_t>(view.at(i));
        case Cell::i64:
            return read<std::int64_t>(view.at(i));
        case Cell::u8:
            return read<std::uint8_t>(view.at(i));
        case Cell::u16:
            return read<std::uint16_t>(view.at(i));
        case Cell::u32:
            return read<std::uint32_t>(view.at(i));
        case Cell::u64:
            return static_cast<std::int64_t>(read<std::uint64_t>(view.at(i)));
        default:
            throw InvalidArgument("the positions in a dictionary must be whole numbers");
    }
}

}  // namespace

Index count_missing(const ColumnView& view) {
    if (view.cell == Cell::nothing) return view.length;
    if (view.validity == nullptr) return 0;
    Index there = 0, i = 0;
    for (; i < view.length && (view.offset + i) % 8 != 0; ++i) there += view.is_there(i);
    for (; i + 8 <= view.length; i += 8)
        there += std::popcount(view.validity[(view.offset + i) / 8]);
    for (; i < view.length; ++i) there += view.is_there(i);
    return view.length - there;
}

Text text_at(const ColumnView& view, Index i) {
    switch (view.cell) {
        case Cell::text32:
            return between<std::int32_t>(view, i);
        case Cell::text64:
            return between<std::int64_t>(view, i);
        case Cell::text_view:
            return viewed(view, i);
        case Cell::bytes:
            return {reinterpret_cast<const char*>(view.at(i)), view.width};
        default:
            throw InvalidArgument("the column holds no text");
    }
}

Index code_at(const ColumnView& view, Index i) {
    const std::int64_t code = whole_at(view, i);
    if (code < 0 || code >= view.dictionary->length)
        throw InvalidArgument("a column has a code that is not in its dictionary");
    return static_cast<Index>(code);
}

}  // namespace stylobate::scan
