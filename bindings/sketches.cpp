#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "columns.hpp"
#include "scan/sketch_columns.hpp"
#include "scan/sketch_hash.hpp"

namespace stylobate::bindings {
namespace {

using scan::ColumnSketch;
using scan::Distinct;
using scan::Frequent;
using scan::Quantiles;
using scan::Shape;
using scan::SketchSizes;
using scan::TableSketch;

constexpr const char* kind_names[] = {"none", "boolean", "whole", "natural", "real", "text"};

// ── shapes: eleven numbers

constexpr std::size_t shape_size = 11;

Output shape_array(const Shape& s) {
    return array({s.count, s.infinite, s.zeros, s.negatives, s.low, s.high, s.mean, s.unit,
                  s.squares, s.cubes, s.fourths},
                 {shape_size});
}

Shape shape_of(const Vector<double>& x) {
    require(x.shape(0) == shape_size, "a shape has eleven numbers");
    const double* const v = x.data();
    Shape out;
    out.count = v[0], out.infinite = v[1], out.zeros = v[2], out.negatives = v[3];
    out.low = v[4], out.high = v[5], out.mean = v[6], out.unit = v[7];
    out.squares = v[8], out.cubes = v[9], out.fourths = v[10];
    return out;
}

Output merge_shapes(const Vector<double>& a, const Vector<double>& b) {
    Shape out = shape_of(a);
    out.merge(shape_of(b));
    return shape_array(out);
}

// ── quantiles

nb::tuple sorted(const Quantiles& sketch) {
    std::vector<std::uint64_t> keys;
    std::vector<std::int64_t> weights;
    sketch.sorted(keys, weights);
    return nb::make_tuple(owned(std::move(keys)), owned(std::move(weights)));
}

// ── frequent values

using Words = Vector<std::uint64_t>;
using Counts = Vector<std::int64_t>;
using Bytes = Vector<std::uint8_t>;

nb::list frequent_texts(const Frequent& frequent, const Counts& which) {
    nb::list out;
    for (std::size_t i = 0; i < which.shape(0); ++i) {
        const std::int64_t e = which.data()[i];
        require(e >= 0 && static_cast<std::size_t>(e) < frequent.entries().size(),
                "there is no such value");
        const scan::Text text = frequent.text(frequent.entries()[e]);
        out.append(nb::bytes(text.data, static_cast<std::size_t>(text.size)));
    }
    return out;
}

// hashes, keys (ends of the texts), counts, lates, sizes of the texts, their bytes
nb::tuple frequent_state(const Frequent& frequent) {
    std::vector<std::uint64_t> hashes, keys, sizes;
    std::vector<std::int64_t> counts, lates;
    std::vector<std::uint8_t> bytes;
    for (const Frequent::Entry& entry : frequent.entries()) {
        hashes.push_back(entry.hash);
        counts.push_back(entry.count);
        lates.push_back(entry.late);
        sizes.push_back(entry.size);
        if (frequent.holds_texts()) {
            const scan::Text text = frequent.text(entry);
            bytes.insert(bytes.end(), text.data, text.data + text.size);
            keys.push_back(bytes.size());
        } else {
            keys.push_back(entry.key);
        }
    }
    return nb::make_tuple(owned(std::move(hashes)), owned(std::move(keys)),
                          owned(std::move(counts)), owned(std::move(lates)),
                          owned(std::move(sizes)), owned(std::move(bytes)));
}

Frequent frequent_restored(Index limit, bool is_text, std::int64_t total, std::int64_t error,
                           bool exact, const Words& hashes, const Words& keys, const Counts& counts,
                           const Counts& lates, const Words& sizes, const Bytes& bytes) {
    Frequent out(limit);
    const std::size_t n = hashes.shape(0);
    require(
        keys.shape(0) == n && counts.shape(0) == n && lates.shape(0) == n && sizes.shape(0) == n,
        "the arrays of frequent values differ in length");
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < n; ++i) {
        Frequent::Entry entry{hashes.data()[i], keys.data()[i], counts.data()[i], lates.data()[i],
                              sizes.data()[i]};
        scan::Text text;
        if (is_text) {
            const std::uint64_t end = entry.key;
            require(begin <= end && end <= bytes.shape(0) &&
                        end - begin == std::min<std::uint64_t>(entry.size, Frequent::most_bytes),
                    "the texts of frequent values do not fit their sizes");
            static const char nothing = 0;
            text = {end == begin ? &nothing : reinterpret_cast<const char*>(bytes.data()) + begin,
                    static_cast<Index>(end - begin)};
            begin = end;
        }
        out.restore_entry(entry, text);
    }
    out.restore(total, error, exact);
    return out;
}

// ── distinct values

double distinct_estimate(int bits, const Bytes& registers) {
    return Distinct::restored(bits, registers.data(), static_cast<Index>(registers.shape(0)))
        .estimate();
}

nb::object distinct_registers(int bits, const Words& hashes) {
    Distinct out(bits);
    out.absorb(hashes.data(), static_cast<Index>(hashes.shape(0)));
    return nb::cast(owned(std::vector<std::uint8_t>(out.registers())));
}

// None where all values are known, else the registers
nb::object registers(const ColumnSketch& sketch) {
    if (sketch.frequent.is_exact()) return nb::none();
    return nb::cast(owned(std::vector<std::uint8_t>(sketch.distinct.registers())));
}

nb::object hashes(const ColumnSketch& sketch) {
    std::vector<std::uint64_t> out;
    for (const Frequent::Entry& entry : sketch.frequent.entries()) out.push_back(entry.hash);
    return nb::cast(owned(std::move(out)));
}

nb::object lengths(const ColumnSketch& sketch) {
    const scan::Lengths& l = sketch.lengths;
    return nb::cast(
        owned(std::vector<std::int64_t>{l.count, l.empty, l.bytes, l.least_bytes, l.most_bytes,
                                        l.characters, l.least_characters, l.most_characters}));
}

// ── columns and tables

SketchSizes sizes(Index k, int bits, Index limit, std::uint64_t seed) {
    SketchSizes out;
    out.quantiles = k;
    out.distinct_bits = bits;
    out.frequent = limit;
    out.seed = seed;
    return out;
}

ColumnSketch sketch_column(const Column& column, Index k, int bits, Index limit, std::uint64_t seed,
                           bool with_shape, bool with_quantiles, bool with_values) {
    SketchSizes chosen = sizes(k, bits, limit, seed);
    chosen.with_shape = with_shape;
    chosen.with_quantiles = with_quantiles;
    chosen.with_values = with_values;
    ColumnSketch out(chosen);
    GilReleased release;
    parallel_for(1,
                 [&](Index, Checkpoint& checkpoint) { out.absorb(column.view, {}, checkpoint); });
    return out;
}

void absorb_table(TableSketch& sketch, const std::vector<ColumnHandle>& columns,
                  std::int64_t start) {
    const auto views = views_of(columns);
    GilReleased release;
    sketch.absorb(views, start);
}

nb::list patterns(const TableSketch& sketch) {
    nb::list out;
    for (auto& [columns, rows] : sketch.patterns.patterns()) {
        nb::list positions;
        for (const std::int64_t each : columns) positions.append(each);
        out.append(nb::make_tuple(nb::tuple(positions), rows));
    }
    return out;
}

nb::tuple sample_rows(std::uint64_t seed, std::int64_t start, Index n, std::uint64_t most) {
    require(start >= 0 && n >= 0, "rows are numbered from 0");
    std::vector<std::int64_t> rows;
    std::vector<std::uint64_t> priorities;
    {
        GilReleased release;
        scan::sample_rows(seed, start, n, most, rows, priorities);
    }
    return nb::make_tuple(owned(std::move(rows)), owned(std::move(priorities)));
}

void bind_values(nb::module_& module) {
    nb::class_<Quantiles>(module, "Quantiles", "Quantiles of 64-bit keys.")
        .def_prop_ro("k", &Quantiles::k)
        .def_prop_ro("count", &Quantiles::count)
        .def_prop_ro("variance", &Quantiles::variance)
        .def_prop_ro("low", &Quantiles::low)
        .def_prop_ro("high", &Quantiles::high)
        .def("sorted", &sorted, "Keys in order, and the weight of each.")
        .def("merged",
             [](const Quantiles& a, const Quantiles& b) {
                 Quantiles out = a;
                 out.merge(b);
                 return out;
             })
        .def("state", [](const Quantiles& q) { return owned(q.state()); })
        .def_static("restored", [](const Words& state) {
            return Quantiles::restored(state.data(), static_cast<Index>(state.shape(0)));
        });
    nb::class_<Frequent>(module, "Frequent", "Counts of values, of all or of the frequent ones.")
        .def_prop_ro("limit", &Frequent::limit)
        .def_prop_ro("is_exact", &Frequent::is_exact)
        .def_prop_ro("is_text", &Frequent::holds_texts)
        .def_prop_ro("total", &Frequent::total)
        .def_prop_ro("error", &Frequent::error)
        .def("texts", &frequent_texts, nb::arg("which"))
        .def("merged",
             [](const Frequent& a, const Frequent& b) {
                 Frequent out = a;
                 out.merge(b);
                 return out;
             })
        .def("state", &frequent_state)
        .def_static("restored", &frequent_restored);
    module.def("merge_shapes", &merge_shapes);
    module.def("distinct_estimate", &distinct_estimate, nb::arg("bits"), nb::arg("registers"));
    module.def("distinct_registers", &distinct_registers, nb::arg("bits"), nb::arg("hashes"));
}

}  // namespace

void bind_sketches(nb::module_& module) {
    bind_values(module);
    nb::class_<ColumnSketch>(module, "ColumnSketch", "All sketches of a column.")
        .def_prop_ro("kind",
                     [](const ColumnSketch& s) { return kind_names[static_cast<int>(s.kind)]; })
        .def_ro("rows", &ColumnSketch::rows)
        .def_ro("missing", &ColumnSketch::missing)
        .def_prop_ro("shape", [](const ColumnSketch& s) { return nb::cast(shape_array(s.shape)); })
        .def_prop_ro("quantiles", [](const ColumnSketch& s) { return s.quantiles; })
        .def_prop_ro("frequent", [](const ColumnSketch& s) { return s.frequent; })
        .def_prop_ro("registers", &registers)
        .def_prop_ro("hashes", &hashes)
        .def_prop_ro("lengths", &lengths)
        .def_prop_ro("distinct", &ColumnSketch::distinct_values);
    module.def("sketch_column", &sketch_column, nb::arg("column"), nb::arg("k"), nb::arg("bits"),
               nb::arg("limit"), nb::arg("seed"), nb::arg("with_shape"), nb::arg("with_quantiles"),
               nb::arg("with_values"));
    nb::class_<TableSketch>(module, "TableSketch", "Sketches of all columns of a table.")
        .def(
            "__init__",
            [](TableSketch* self, Index columns, Index k, int bits, Index limit, std::uint64_t seed,
               bool rows, Index most_rows, Index most_patterns) {
                new (self) TableSketch(columns, sizes(k, bits, limit, seed), rows, most_rows,
                                       most_patterns);
            },
            nb::arg("columns"), nb::arg("k"), nb::arg("bits"), nb::arg("limit"), nb::arg("seed"),
            nb::arg("rows"), nb::arg("most_rows"), nb::arg("most_patterns"))
        .def("absorb", &absorb_table, nb::arg("columns"), nb::arg("start"))
        .def("merged",
             [](const TableSketch& a, const TableSketch& b) {
                 auto out = std::make_unique<TableSketch>(a);
                 out->merge(b);
                 return out;
             })
        .def("column",
             [](const TableSketch& s, Index j) {
                 require(j >= 0 && j < static_cast<Index>(s.columns.size()), "no such column");
                 return s.columns[j];
             })
        .def_prop_ro("n_columns", [](const TableSketch& s) { return s.columns.size(); })
        .def_ro("rows", &TableSketch::rows)
        .def_prop_ro("distinct_rows", [](const TableSketch& s) { return s.row_set.distinct(); })
        .def_prop_ro("distinct_is_exact", [](const TableSketch& s) { return s.row_set.is_exact(); })
        .def_prop_ro("repeated", [](const TableSketch& s) { return s.row_set.examples(); })
        .def_prop_ro("complete_rows", [](const TableSketch& s) { return s.patterns.complete(); })
        .def_prop_ro("other_patterns", [](const TableSketch& s) { return s.patterns.others(); })
        .def("patterns", &patterns, "Columns missing together, and in how many rows.");
    module.def("sample_rows", &sample_rows, nb::arg("seed"), nb::arg("start"), nb::arg("n"),
               nb::arg("most"), "Rows whose random number is below `most`, and the numbers.");
}

}  // namespace stylobate::bindings
