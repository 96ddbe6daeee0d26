#include "scan/arrow.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

constexpr std::int64_t most_cells = std::int64_t{1} << 56;  // lengths times cells do not overflow
constexpr std::int64_t most_columns = std::int64_t{1} << 24;
constexpr std::int64_t flag_ordered = 1;

void refuse(bool condition, const std::string& column, const char* what) {
    if (!condition) return;
    std::string text("Arrow column '");
    text.append(column).append("' cannot be read: ").append(what).append(".");
    throw InvalidArgument(text);
}

struct Layout {
    Cell cell = Cell::other;
    Index width = 0;
    double factor = 1.0;
};

// d:precision,scale[,bits]
Layout decimal(std::string_view format) {
    int numbers[3] = {0, 0, 128}, found = 0;
    const std::string text(format.substr(2));
    const char* at = text.c_str();
    for (; found < 3; ++found) {
        char* end = nullptr;
        numbers[found] = static_cast<int>(std::strtol(at, &end, 10));
        if (end == at) break;
        at = end;
        if (*at != ',') {
            ++found;
            break;
        }
        ++at;
    }
    if (found < 2 || std::abs(numbers[1]) > 400) return {};
    const double factor = std::pow(10.0, numbers[1]);
    switch (numbers[2]) {
        case 32:
            return {Cell::d32, 0, factor};
        case 64:
            return {Cell::d64, 0, factor};
        case 128:
            return {Cell::d128, 0, factor};
        case 256:
            return {Cell::d256, 0, factor};
        default:
            return {};
    }
}

Layout temporal(std::string_view format) {
    const std::string_view rest = format.substr(1);
    if (rest == "dD" || rest == "ts" || rest == "tm") return {Cell::i32};
    if (rest == "dm" || rest == "tu" || rest == "tn") return {Cell::i64};
    if (rest.size() >= 2 && (rest[0] == 's' || rest[0] == 'D')) return {Cell::i64};
    return {};  // intervals of months and days have no order
}

Layout layout_of(std::string_view format) {
    if (format.size() == 1) {
        switch (format[0]) {
            case 'n':
                return {Cell::nothing};
            case 'b':
                return {Cell::boolean};
            case 'c':
                return {Cell::i8};
            case 'C':
                return {Cell::u8};
            case 's':
                return {Cell::i16};
            case 'S':
                return {Cell::u16};
            case 'i':
                return {Cell::i32};
            case 'I':
                return {Cell::u32};
            case 'l':
                return {Cell::i64};
            case 'L':
                return {Cell::u64};
            case 'e':
                return {Cell::f16};
            case 'f':
                return {Cell::f32};
            case 'g':
                return {Cell::f64};
            case 'u':
            case 'z':
                return {Cell::text32};
            case 'U':
            case 'Z':
                return {Cell::text64};
            default:
                return {};
        }
    }
    if (format == "vu" || format == "vz") return {Cell::text_view};
    if (format.starts_with("w:")) {
        const std::string digits(format.substr(2));
        const long width = std::strtol(digits.c_str(), nullptr, 10);
        return width > 0 && width < (1L << 31) ? Layout{Cell::bytes, width} : Layout{};
    }
    if (format.starts_with("d:")) return decimal(format);
    return !format.empty() && format[0] == 't' && format.size() >= 3 ? temporal(format) : Layout{};
}

// How many buffers an array of these cells has; text views have one more for each part.
std::int64_t least_buffers(Cell cell) {
    if (cell == Cell::nothing || cell == Cell::other) return 0;
    return cell == Cell::text32 || cell == Cell::text64 || cell == Cell::text_view ? 3 : 2;
}

template <class Offset>
void check_offsets(const ColumnView& view, const std::string& name) {
    const auto* const at = reinterpret_cast<const Offset*>(view.offsets) + view.offset;
    bool rising = at[0] >= 0;
    for (Index i = 0; i < view.length; ++i) rising &= at[i] <= at[i + 1];
    refuse(!rising, name, "its offsets decrease or are negative");
    refuse(at[view.length] > at[0] && view.values == nullptr, name, "its bytes are missing");
}

void fill_texts(ColumnView& view, const ArrowArray& array, const std::string& name) {
    if (view.cell == Cell::text_view) {
        const std::int64_t n_parts = array.n_buffers - 3;
        view.values = static_cast<const std::uint8_t*>(array.buffers[1]);
        view.stride = 16;
        view.parts = reinterpret_cast<const std::uint8_t* const*>(array.buffers + 2);
        view.part_sizes = static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1]);
        view.n_parts = static_cast<Index>(n_parts);
        refuse(n_parts > 0 && view.part_sizes == nullptr, name, "sizes of its buffers are missing");
        refuse(view.length > 0 && view.values == nullptr, name, "its views are missing");
        return;
    }
    view.offsets = static_cast<const std::uint8_t*>(array.buffers[1]);
    view.values = static_cast<const std::uint8_t*>(array.buffers[2]);
    if (view.length == 0) return;
    refuse(view.offsets == nullptr, name, "its offsets are missing");
    if (view.cell == Cell::text32)
        check_offsets<std::int32_t>(view, name);
    else
        check_offsets<std::int64_t>(view, name);
}

void check_counts(const ArrowSchema& schema, const ArrowArray& array, const std::string& name,
                  Index first, Index length) {
    refuse(schema.format == nullptr, name, "its schema has no format");
    refuse(array.length < 0 || array.length > most_cells || array.offset < 0 ||
               array.offset > most_cells,
           name, "its length or offset is out of range");
    refuse(first < 0 || length < 0 || first > array.length || length > array.length - first, name,
           "it is shorter than its batch");
    refuse(array.n_buffers < 0 || (array.n_buffers > 0 && array.buffers == nullptr), name,
           "its buffers are missing");
}

}  // namespace

std::shared_ptr<const Column> arrow_column(const ArrowSchema& schema, const ArrowArray& array,
                                           std::shared_ptr<const void> owner, Index first,
                                           Index length) {
    auto out = std::make_shared<Column>();
    out->name = schema.name == nullptr ? "" : schema.name;
    const std::string& name = out->name;
    check_counts(schema, array, name, first, length);
    out->format = schema.format;
    out->owner = owner;
    const Layout layout = layout_of(out->format);
    ColumnView& view = out->view;
    view.cell = layout.cell;
    view.width = layout.width;
    view.factor = layout.factor;
    view.length = length;
    view.offset = static_cast<Index>(array.offset) + first;
    refuse(array.n_buffers < least_buffers(view.cell), name, "it has too few buffers");
    const bool has_validity = view.cell != Cell::nothing && array.n_buffers > 0 &&
                              (out->format[0] != '+' || out->format[1] != 'u');
    if (has_validity && array.null_count != 0)
        view.validity = static_cast<const std::uint8_t*>(array.buffers[0]);
    refuse(array.null_count > 0 && has_validity && view.validity == nullptr, name,
           "it counts missing cells but does not say which");
    if (view.cell == Cell::text32 || view.cell == Cell::text64 || view.cell == Cell::text_view) {
        fill_texts(view, array, name);
    } else if (view.cell != Cell::nothing && view.cell != Cell::other) {
        view.values = static_cast<const std::uint8_t*>(array.buffers[1]);
        view.stride = view.cell == Cell::bytes ? view.width : cell_bytes(view.cell);
        refuse(length > 0 && view.values == nullptr, name, "its values are missing");
    }
    refuse((schema.dictionary == nullptr) != (array.dictionary == nullptr), name,
           "schema and array differ in having a dictionary");
    if (schema.dictionary != nullptr) {
        refuse(view.cell < Cell::i8 || view.cell > Cell::u64, name,
               "the codes of its dictionary are not whole numbers");
        refuse(array.dictionary->length < 0 || schema.dictionary->dictionary != nullptr, name,
               "its dictionary is no plain column");
        out->dictionary = arrow_column(*schema.dictionary, *array.dictionary, owner, 0,
                                       static_cast<Index>(array.dictionary->length));
        view.dictionary = &out->dictionary->view;
        out->ordered = (schema.flags & flag_ordered) != 0;
    }
    out->null_count = count_missing(view);
    return out;
}

ArrowBatch arrow_batch(const ArrowSchema& schema, std::shared_ptr<OwnedArray> owned) {
    const ArrowArray& array = owned->raw;
    ArrowBatch out;
    check_counts(schema, array, "batch", 0, static_cast<Index>(array.length));
    out.rows = static_cast<Index>(array.length);
    if (std::string_view(schema.format) != "+s") {
        out.columns.push_back(arrow_column(schema, array, owned, 0, out.rows));
        return out;
    }
    refuse(schema.n_children != array.n_children || schema.n_children < 0 ||
               schema.n_children > most_columns,
           "batch", "schema and array differ in columns");
    refuse(array.n_children > 0 && (array.children == nullptr || schema.children == nullptr),
           "batch", "its columns are missing");
    for (std::int64_t j = 0; j < array.n_children; ++j) {
        refuse(array.children[j] == nullptr || schema.children[j] == nullptr, "batch",
               "one of its columns is missing");
        out.columns.push_back(arrow_column(*schema.children[j], *array.children[j], owned,
                                           static_cast<Index>(array.offset), out.rows));
    }
    return out;
}

ArrowReader::ArrowReader(ArrowArrayStream* stream) : stream_(*stream) {
    stream->release = nullptr;  // moved: the producer's capsule has nothing left to release
    if (stream_.release == nullptr)
        throw InvalidArgument("The Arrow stream has been read already; ask for a new one.");
    try {
        if (stream_.get_schema == nullptr || stream_.get_next == nullptr)
            throw InvalidArgument("The Arrow stream has no functions to be read by.");
        schema_ = std::make_shared<OwnedSchema>();
        const int code = stream_.get_schema(&stream_, &schema_->raw);
        if (code != 0) fail(code);
        if (schema_->raw.release == nullptr || schema_->raw.format == nullptr)
            throw InvalidArgument("The Arrow stream has no schema.");
    } catch (...) {
        stream_.release(&stream_);
        throw;
    }
}

ArrowReader::~ArrowReader() {
    schema_.reset();
    if (stream_.release != nullptr) stream_.release(&stream_);
}

bool ArrowReader::next(ArrowBatch& out) {
    auto array = std::make_shared<OwnedArray>();
    const int code = stream_.get_next(&stream_, &array->raw);
    if (code != 0) {
        array->raw.release = nullptr;  // on failure the producer leaves it undefined
        fail(code);
    }
    if (array->raw.release == nullptr) return false;
    out = arrow_batch(schema_->raw, std::move(array));
    return true;
}

void ArrowReader::fail(int code) {
    const char* const said =
        stream_.get_last_error == nullptr ? nullptr : stream_.get_last_error(&stream_);
    throw ProducerError(said != nullptr && *said != 0 ? said : std::strerror(code));
}

}  // namespace stylobate::scan
