#include "scan/arrow.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "columns.hpp"
#include "scan/sketch_cells.hpp"

namespace stylobate::bindings {
namespace {

using scan::Cell;
using scan::ColumnView;

// ── streams

class Stream {
 public:
    explicit Stream(const nb::capsule& capsule) {
        require(PyCapsule_IsValid(capsule.ptr(), "arrow_array_stream"),
                "an Arrow stream comes as a capsule named arrow_array_stream");
        auto* const raw = static_cast<ArrowArrayStream*>(
            PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
        GilReleased release;  // the producer may compute its schema
        reader_ = std::make_unique<scan::ArrowReader>(raw);
    }

    // Names and formats of the columns, known before the first batch.
    nb::list schema() const {
        nb::list out;
        const ArrowSchema& whole = reader_->schema();
        const auto add = [&](const ArrowSchema& each) {
            const ArrowSchema& values = each.dictionary != nullptr ? *each.dictionary : each;
            out.append(nb::make_tuple(each.name == nullptr ? "" : each.name,
                                      values.format == nullptr ? "" : values.format));
        };
        if (std::string_view(whole.format) != "+s") {
            add(whole);
            return out;
        }
        require(whole.n_children >= 0 && (whole.n_children == 0 || whole.children != nullptr),
                "the Arrow schema has no columns");
        for (std::int64_t j = 0; j < whole.n_children; ++j) {
            require(whole.children[j] != nullptr, "the Arrow schema has no such column");
            add(*whole.children[j]);
        }
        return out;
    }

    // None at the end, else (rows, columns).
    nb::object next() {
        scan::ArrowBatch batch;
        bool more = false;
        {
            GilReleased release;
            more = reader_->next(batch);
        }
        if (!more) return nb::none();
        nb::list columns;
        for (const auto& column : batch.columns)
            columns.append(std::const_pointer_cast<Column>(column));
        return nb::make_tuple(batch.rows, columns);
    }

 private:
    std::unique_ptr<scan::ArrowReader> reader_;
};

// ── arrays that share the memory of a column

nb::capsule keep(const std::shared_ptr<const void>& owner) {
    return nb::capsule(new std::shared_ptr<const void>(owner), [](void* p) noexcept {
        delete static_cast<std::shared_ptr<const void>*>(p);
    });
}

template <class T>
nb::object shared(const Column& column, const std::uint8_t* first, Index length, Index stride) {
    if (length == 0) return nb::cast(owned(std::vector<T>()));
    const std::size_t shape[1] = {static_cast<std::size_t>(length)};
    const std::int64_t strides[1] = {stride / Index{sizeof(T)}};
    return nb::cast(nb::ndarray<nb::numpy, const T>(first, 1, shape, keep(column.owner), strides));
}

nb::object values(const Column& column) {
    const ColumnView& view = column.view;
    const std::uint8_t* const first = view.values == nullptr ? nullptr : view.at(0);
    if (view.stride % std::max<Index>(scan::cell_bytes(view.cell), 1) != 0) return nb::none();
    switch (view.cell) {
#define STYLOBATE_CASE(name, type) \
    case Cell::name:               \
        return shared<type>(column, first, view.length, view.stride);
        STYLOBATE_CASE(truth, std::uint8_t)
        STYLOBATE_CASE(i8, std::int8_t)
        STYLOBATE_CASE(i16, std::int16_t)
        STYLOBATE_CASE(i32, std::int32_t)
        STYLOBATE_CASE(i64, std::int64_t)
        STYLOBATE_CASE(u8, std::uint8_t)
        STYLOBATE_CASE(u16, std::uint16_t)
        STYLOBATE_CASE(u32, std::uint32_t)
        STYLOBATE_CASE(u64, std::uint64_t)
        STYLOBATE_CASE(f16, std::uint16_t)
        STYLOBATE_CASE(f32, float)
        STYLOBATE_CASE(f64, double)
#undef STYLOBATE_CASE
        default:
            return nb::none();
    }
}

// (bytes of the bitmap, bit of the first cell), or None where every cell is there
nb::object validity(const Column& column) {
    const ColumnView& view = column.view;
    if (view.validity == nullptr) return nb::none();
    const Index first = view.offset / 8, last = (view.offset + view.length + 7) / 8;
    return nb::make_tuple(shared<std::uint8_t>(column, view.validity + first, last - first, 1),
                          view.offset % 8);
}

nb::object offsets(const Column& column) {
    const ColumnView& view = column.view;
    if (view.offsets == nullptr) return nb::none();
    if (view.cell == Cell::text32)
        return shared<std::int32_t>(column, view.offsets + 4 * view.offset, view.length + 1, 4);
    return shared<std::int64_t>(column, view.offsets + 8 * view.offset, view.length + 1, 8);
}

// The bytes that offsets of texts point into.
nb::object bytes(const Column& column) {
    const ColumnView& view = column.view;
    if (view.offsets == nullptr || view.length == 0) return nb::none();
    Index end = 0;
    if (view.cell == Cell::text32)
        end = reinterpret_cast<const std::int32_t*>(view.offsets)[view.offset + view.length];
    else
        end = reinterpret_cast<const std::int64_t*>(view.offsets)[view.offset + view.length];
    return shared<std::uint8_t>(column, view.values, end, 1);
}

// ── cells as Python knows them

using Rows = std::optional<Vector<std::int64_t>>;

// Calls body(position in the output, row) for the rows asked for.
template <class Body>
Index for_rows(const Column& column, const Rows& rows, const Body& body) {
    const Index n = rows ? static_cast<Index>(rows->shape(0)) : column.view.length;
    for (Index i = 0; i < n; ++i) {
        const Index row = rows ? static_cast<Index>(rows->data()[i]) : i;
        require(row >= 0 && row < column.view.length, "there is no such row");
        body(i, row);
    }
    return n;
}

// Where the value of a row lies: the column or its dictionary, or null where it is missing.
const ColumnView* cell_of(const ColumnView& view, Index row, Index& at) {
    at = row;
    if (!view.is_there(row)) return nullptr;
    if (view.dictionary == nullptr) return &view;
    at = scan::code_at(view, row);
    return view.dictionary->is_there(at) ? view.dictionary : nullptr;
}

// Cells that lie as T, by themselves: the common case, without keys and hashes. Calls
// put(position in the output, value) for those that are there.
template <class T, class Put>
void direct(const Column& column, const Rows& rows, const Put& put) {
    const ColumnView& view = column.view;
    for_rows(column, rows, [&](Index i, Index row) {
        if (!view.is_there(row)) return;
        T value;
        std::memcpy(&value, view.at(row), sizeof(T));
        put(i, value);
    });
}

// False if the cells lie otherwise.
template <class Put>
bool direct(const Column& column, const Rows& rows, const Put& put) {
    if (column.view.dictionary != nullptr || column.view.lowest_is_missing) return false;
    switch (column.view.cell) {
        case Cell::f64:
            direct<double>(column, rows, put);
            return true;
        case Cell::i64:
            direct<std::int64_t>(column, rows, put);
            return true;
        case Cell::i32:
            direct<std::int32_t>(column, rows, put);
            return true;
        default:
            return false;
    }
}

nb::object numbers(const Column& column, const Rows& rows) {
    const bool some = static_cast<bool>(rows);
    std::vector<double> out(some ? rows->shape(0) : static_cast<std::size_t>(column.view.length),
                            std::numeric_limits<double>::quiet_NaN());
    require(scan::is_number(column.of_values().view.cell), "the column holds no numbers");
    {
        GilReleased release;
        const bool done =
            direct(column, rows, [&](Index i, auto value) { out[i] = static_cast<double>(value); });
        const auto block = done ? nullptr : std::make_unique<scan::CellBlock>();
        if (done) {
        } else if (some) {
            for_rows(column, rows, [&](Index i, Index row) {
                scan::decode(column.view, row, 1, *block);
                if (block->there[0] != 0) out[i] = block->numbers[0];
            });
        } else {
            for (Index first = 0; first < column.view.length; first += scan::block_rows) {
                const Index count = std::min(scan::block_rows, column.view.length - first);
                scan::decode(column.view, first, count, *block);
                for (Index i = 0; i < count; ++i)
                    if (block->there[i] != 0) out[first + i] = block->numbers[i];
            }
        }
    }
    return nb::cast(owned(std::move(out)));
}

// Whole numbers (0 where missing) and whether each is there.
nb::tuple wholes(const Column& column, const Rows& rows) {
    const std::size_t n = rows ? rows->shape(0) : static_cast<std::size_t>(column.view.length);
    const scan::KeyKind kind = scan::key_kind(column.view);
    require(kind == scan::KeyKind::whole || kind == scan::KeyKind::natural ||
                kind == scan::KeyKind::boolean,
            "the column holds no whole numbers");
    std::vector<std::int64_t> out(n);
    std::vector<std::uint8_t> there(n);
    const bool done = direct(column, rows, [&](Index i, auto value) {
        out[i] = static_cast<std::int64_t>(value);
        there[i] = 1;
    });
    if (done) return nb::make_tuple(owned(std::move(out)), owned(std::move(there)));
    const auto block = std::make_unique<scan::CellBlock>();
    for_rows(column, rows, [&](Index i, Index row) {
        scan::decode(column.view, row, 1, *block);
        there[i] = block->there[0];
        if (there[i] == 0) return;
        const std::uint64_t flip = kind == scan::KeyKind::whole ? scan::sign_bit : 0;
        out[i] = static_cast<std::int64_t>(block->keys[0] ^ flip);
    });
    return nb::make_tuple(owned(std::move(out)), owned(std::move(there)));
}

nb::object there(const Column& column, const Rows& rows) {
    std::vector<std::uint8_t> out(rows ? rows->shape(0)
                                       : static_cast<std::size_t>(column.view.length));
    for_rows(column, rows, [&](Index i, Index row) {
        Index at = 0;
        out[i] = cell_of(column.view, row, at) != nullptr;
    });
    return nb::cast(owned(std::move(out)));
}

nb::list texts(const Column& column, const Rows& rows) {
    const char kind = column.of_values().format.empty() ? 'u' : column.of_values().format.back();
    const bool binary = kind == 'z' || kind == 'Z' || column.of_values().view.cell == Cell::bytes;
    nb::list out;
    for_rows(column, rows, [&](Index, Index row) {
        Index at = 0;
        const ColumnView* const view = cell_of(column.view, row, at);
        if (view == nullptr) {
            out.append(nb::none());
            return;
        }
        const scan::Text text = scan::text_at(*view, at);
        if (binary) {
            out.append(nb::bytes(text.data, static_cast<std::size_t>(text.size)));
            return;
        }
        PyObject* const made = PyUnicode_DecodeUTF8(text.data, text.size, "replace");
        if (made == nullptr) throw nb::python_error();
        out.append(nb::steal(made));
    });
    return out;
}

ColumnHandle slice(const ColumnHandle& column, Index first, Index count) {
    require(first >= 0 && count >= 0 && first <= column->view.length &&
                count <= column->view.length - first,
            "the slice is not within the column");
    auto out = std::make_shared<Column>(*column);
    out->view = column->view.slice(first, count);
    out->null_count = scan::count_missing(out->view);
    return out;
}

// ── columns made here

Cell cell_of_type(nb::dlpack::dtype type) {
    using Code = nb::dlpack::dtype_code;
    const int bits = type.bits;
    if (type.lanes != 1) return Cell::other;
    if (type.code == static_cast<std::uint8_t>(Code::Bool)) return Cell::truth;
    if (type.code == static_cast<std::uint8_t>(Code::Int))
        return bits == 8 ? Cell::i8 : bits == 16 ? Cell::i16 : bits == 32 ? Cell::i32 : Cell::i64;
    if (type.code == static_cast<std::uint8_t>(Code::UInt))
        return bits == 8 ? Cell::u8 : bits == 16 ? Cell::u16 : bits == 32 ? Cell::u32 : Cell::u64;
    if (type.code == static_cast<std::uint8_t>(Code::Float) && bits <= 64)
        return bits == 16 ? Cell::f16 : bits == 32 ? Cell::f32 : Cell::f64;
    return Cell::other;
}

using Strided = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

ColumnHandle column_of_array(const std::string& name, const std::string& format,
                             const Strided& values, bool lowest_is_missing) {
    auto out = std::make_shared<Column>();
    out->name = name;
    out->format = format;
    out->view.cell = cell_of_type(values.dtype());
    require(out->view.cell != Cell::other, "the array holds no numbers");
    out->view.length = static_cast<Index>(values.shape(0));
    out->view.values = static_cast<const std::uint8_t*>(values.data());
    out->view.stride = values.stride(0) * scan::cell_bytes(out->view.cell);
    out->view.lowest_is_missing = lowest_is_missing;
    out->owner = std::shared_ptr<const void>(new Strided(values), [](const void* p) {
        GilTaken acquire;
        delete static_cast<const Strided*>(p);
    });
    return out;
}

struct TextStore {
    std::string bytes;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint8_t> validity;
};

// Strings and bytes as they are; None and what `is_missing` marks are missing.
ColumnHandle column_of_texts(const std::string& name, const nb::sequence& texts) {
    auto store = std::make_shared<TextStore>();
    Index count = 0, missing = 0;
    for (const nb::handle text : texts) {
        if (count % 8 == 0) store->validity.push_back(0);
        if (PyUnicode_Check(text.ptr())) {
            Py_ssize_t size = 0;
            const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
            if (data != nullptr) {
                store->bytes.append(data, static_cast<std::size_t>(size));
            } else {  // lone surrogates
                PyErr_Clear();
                const auto encoded = nb::steal<nb::bytes>(
                    PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
                if (!encoded.is_valid()) throw nb::python_error();
                store->bytes.append(encoded.c_str(), encoded.size());
            }
            store->validity.back() |= static_cast<std::uint8_t>(1u << (count % 8));
        } else {
            require(text.is_none(), "the texts must be strings or None");
            ++missing;
        }
        store->offsets.push_back(static_cast<std::int64_t>(store->bytes.size()));
        ++count;
    }
    auto out = std::make_shared<Column>();
    out->name = name;
    out->format.assign(1, 'U');
    out->null_count = missing;
    out->view.cell = Cell::text64;
    out->view.length = count;
    out->view.validity = missing > 0 ? store->validity.data() : nullptr;
    out->view.values = reinterpret_cast<const std::uint8_t*>(store->bytes.data());
    out->view.offsets = reinterpret_cast<const std::uint8_t*>(store->offsets.data());
    out->owner = store;
    return out;
}

}  // namespace

void bind_arrow(nb::module_& module) {
    nb::class_<Column>(module, "Column", "Cells of one type, shared with whoever made them.")
        .def_ro("name", &Column::name)
        .def_ro("format", &Column::format, "As Arrow writes types.")
        .def_ro("null_count", &Column::null_count)
        .def_ro("ordered", &Column::ordered)
        .def_prop_ro(
            "value_format", [](const Column& c) { return c.of_values().format; },
            "The format of the values: the dictionary's where there is one.")
        .def_prop_ro(
            "dictionary",
            [](const Column& c) { return std::const_pointer_cast<Column>(c.dictionary); },
            nb::sig("def dictionary(self) -> Column | None"))
        .def_prop_ro("is_text",
                     [](const Column& c) { return scan::is_text(c.of_values().view.cell); })
        .def_prop_ro("is_number",
                     [](const Column& c) { return scan::is_number(c.of_values().view.cell); })
        .def("__len__", [](const Column& c) { return c.view.length; })
        .def_prop_ro("values", &values, "The cells, or the codes of a dictionary, shared.")
        .def_prop_ro("validity", &validity, "The bitmap, shared, and the bit of the first cell.")
        .def_prop_ro("offsets", &offsets)
        .def_prop_ro("bytes", &bytes)
        .def("numbers", &numbers, nb::arg("rows").none() = nb::none(),
             "The cells as doubles; NaN where missing.")
        .def("wholes", &wholes, nb::arg("rows").none() = nb::none(),
             "Whole numbers, and whether each is there.")
        .def("there", &there, nb::arg("rows").none() = nb::none(), "Which cells are there.")
        .def("texts", &texts, nb::arg("rows").none() = nb::none(), "Strings, bytes or None.");
    module.def("slice_column", &slice, nb::arg("column"), nb::arg("first"), nb::arg("count"));
    module.def("column_of_array", &column_of_array, nb::arg("name"), nb::arg("format"),
               nb::arg("values"), nb::arg("lowest_is_missing"), "A column that shares an array.");
    module.def("column_of_texts", &column_of_texts, nb::arg("name"), nb::arg("texts"),
               "A column of copies of strings.");
    nb::class_<Stream>(module, "ArrowStream", "Batches of an Arrow stream; takes over the capsule.")
        .def(nb::init<const nb::capsule&>(), nb::arg("capsule"))
        .def("schema", &Stream::schema, "Name and format of each column.")
        .def("next", &Stream::next, "Rows and columns of the next batch; None at the end.");
}

}  // namespace stylobate::bindings
