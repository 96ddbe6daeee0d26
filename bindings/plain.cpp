#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "scan/plain_table.hpp"

namespace stylobate::bindings {
namespace {

using scan::PlainChunk;
using scan::PlainColumn;
using scan::PlainFormat;
using scan::PlainSource;
using scan::PlainTable;
using scan::PlainType;

PlainFormat format_of(const std::string& name) {
    if (name == "text") return {PlainType::text};
    if (name == "real") return {PlainType::real};
    if (name == "whole") return {PlainType::whole};
    if (name == "day") return {PlainType::day};
    require(name.starts_with("moment") && name.size() >= 7 && name.size() <= 8,
            "a column is text, real, whole, day or moment");
    return {PlainType::moment, name[6], name.ends_with(".")};
}

PlainTable* make(const std::string& path, std::uint64_t begin, std::uint64_t end, char delimiter,
                 bool returns, const std::vector<std::string>& columns,
                 std::vector<std::string> missing, std::vector<std::string> blanks,
                 std::uint64_t chunk_bytes, void* place) {
    PlainSource source{path, begin, end, delimiter, returns, {}, {}, {}};
    for (const std::string& name : columns) source.columns.push_back(format_of(name));
    source.missing = std::move(missing);
    source.blanks = std::move(blanks);
    return new (place) PlainTable(std::move(source), chunk_bytes);
}

// (bits of what is there or None, values or offsets, bytes of texts or None, missing, blanks)
nb::tuple column_of(PlainColumn&& column, PlainType type) {
    nb::object there = nb::none(), values, bytes = nb::none();
    if (column.missing > 0) there = nb::cast(owned(std::move(column.validity)));
    if (type == PlainType::real)
        values = nb::cast(owned(std::move(column.reals)));
    else if (type == PlainType::text || type == PlainType::day)
        values = nb::cast(owned(std::move(column.days)));
    else
        values = nb::cast(owned(std::move(column.wholes)));
    if (type == PlainType::text) {
        auto held = std::make_unique<std::vector<char>>(std::move(column.bytes));
        auto* const first = reinterpret_cast<std::uint8_t*>(held->data());
        const std::size_t size = held->size();
        nb::capsule owner(held.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<char>*>(p); });
        bytes = nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(first, {size}, owner));
    }
    return nb::make_tuple(there, values, bytes, column.missing, column.blanks);
}

// None in doubt, else a list of (rows, columns, how often each spelling is met, longest line).
nb::object read(PlainTable& table, Index first, Index count) {
    std::vector<PlainChunk> chunks;
    {
        GilReleased release;
        chunks = table.read(first, count);
    }
    if (chunks.empty() && count > 0) return nb::none();
    nb::list out;
    for (PlainChunk& chunk : chunks) {
        nb::list columns;
        for (std::size_t j = 0; j < chunk.columns.size(); ++j)
            columns.append(column_of(std::move(chunk.columns[j]), table.source().columns[j].type));
        out.append(nb::make_tuple(chunk.rows, columns, chunk.spelled, chunk.longest_line));
    }
    return out;
}

}  // namespace

void bind_plain(nb::module_& module) {
    nb::class_<PlainTable>(module, "PlainTable", "A text table that is plain in every cell.")
        .def(
            "__init__",
            [](PlainTable* self, const std::string& path, std::uint64_t begin, std::uint64_t end,
               const std::string& delimiter, bool returns, const std::vector<std::string>& columns,
               std::vector<std::string> missing, std::vector<std::string> blanks,
               std::uint64_t chunk_bytes) {
                require(delimiter.size() == 1, "the delimiter must be one byte");
                make(path, begin, end, delimiter[0], returns, columns, std::move(missing),
                     std::move(blanks), chunk_bytes, self);
            },
            nb::arg("path"), nb::arg("begin"), nb::arg("end"), nb::arg("delimiter"),
            nb::arg("returns"), nb::arg("columns"), nb::arg("missing"), nb::arg("blanks"),
            nb::arg("chunk_bytes") = PlainTable::default_bytes)
        .def_prop_ro("n_chunks", &PlainTable::n_chunks)
        .def("read", &read, nb::arg("first"), nb::arg("count"),
             "Rows, columns and spellings of some chunks; None if a cell is in doubt.");
}

}  // namespace stylobate::bindings
