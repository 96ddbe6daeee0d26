// Approximate nearest rows: codes, numbering, graph and walks, all of them plain arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>

#include "measures.hpp"
#include "stylobate/buffer.hpp"
#include "tile/hnsw.hpp"

namespace stylobate::bindings {
namespace {

using Codes = Packed<unsigned char>;
using Links = Packed<std::uint32_t>;

tile::Coding coding_of(const Vector<double>& low, double scale, bool bytes, bool manhattan) {
    require(scale > 0.0 && low.shape(0) >= 1, "a coding needs a positive scale and columns");
    require(!bytes || low.shape(0) <= 65536, "codes of a byte take up to 65,536 columns");
    const auto measure = bytes ? (manhattan ? tile::CodeMeasure::byte_manhattan
                                            : tile::CodeMeasure::byte_squared)
                               : (manhattan ? tile::CodeMeasure::float_manhattan
                                            : tile::CodeMeasure::float_squared);
    return {measure, {low.data(), low.data() + low.shape(0)}, scale};
}

tile::CodeRows codes_of(const Codes& codes, const tile::Coding& coding) {
    require(static_cast<Index>(codes.shape(1)) == coding.stride(),
            "codes and coding differ in columns");
    return {coding.measure, codes.data(), static_cast<Index>(codes.shape(0)), coding.stride()};
}

std::pair<Array<std::uint32_t>, Array<std::int64_t>> numbering(Index rows, Index degree,
                                                               std::uint64_t seed) {
    tile::Numbering made;
    {
        nb::gil_scoped_release release;
        made = tile::hnsw_numbering(rows, degree, seed);
    }
    return {owned(std::move(made.order)), owned(std::move(made.sizes))};
}

template <class T>
std::pair<Array<unsigned char>, Array<double>> encode(const Packed<T>& rows,
                                                      const Vector<std::uint32_t>& order,
                                                      const Vector<double>& low, double scale,
                                                      bool bytes, bool manhattan) {
    const tile::Coding coding = coding_of(low, scale, bytes, manhattan);
    const std::size_t count = order.shape(0);
    require(rows.shape(1) == low.shape(0), "rows and coding differ in columns");
    for (std::size_t i = 0; i < count; ++i)
        require(order.data()[i] < rows.shape(0), "order names a row there is not");
    std::vector<unsigned char> codes(
        static_cast<std::size_t>(area(static_cast<Index>(count), coding.stride())));
    std::vector<double> errors(count);
    {
        nb::gil_scoped_release release;
        const auto columns = static_cast<Index>(rows.shape(1));
        const MatrixView<T> view{rows.data(), static_cast<Index>(rows.shape(0)), columns, columns,
                                 1};
        tile::encode_rows(coding, view, order.data(), static_cast<Index>(count), codes.data(),
                          errors.data());
    }
    return {owned(std::move(codes), {count, static_cast<std::size_t>(coding.stride())}),
            owned(std::move(errors))};
}

void check_sizes(const Vector<std::int64_t>& sizes, std::size_t rows) {
    require(sizes.shape(0) >= 1 && sizes.data()[0] == static_cast<std::int64_t>(rows),
            "the lowest layer must hold every row");
    for (std::size_t l = 1; l < sizes.shape(0); ++l)
        require(sizes.data()[l] >= 1 && sizes.data()[l] <= sizes.data()[l - 1],
                "layers must not grow upwards");
}

std::pair<Array<std::uint32_t>, Array<std::uint32_t>> build(const Codes& codes,
                                                            const Vector<double>& low, double scale,
                                                            bool bytes, bool manhattan,
                                                            const Vector<std::int64_t>& sizes,
                                                            Index degree, Index effort) {
    const tile::Coding coding = coding_of(low, scale, bytes, manhattan);
    const tile::CodeRows rows = codes_of(codes, coding);
    check_sizes(sizes, codes.shape(0));
    require(degree >= 2 && effort >= 1, "a graph needs at least 2 links and 1 candidate");
    tile::Graph graph;
    {
        nb::gil_scoped_release release;
        graph = tile::hnsw_build(rows, {sizes.data(), sizes.data() + sizes.shape(0)}, degree,
                                 effort);
    }
    const auto width = static_cast<std::size_t>(degree);
    const std::size_t lower = graph.links.size() / (2 * width), upper = graph.upper.size() / width;
    return {owned(std::move(graph.links), {lower, 2 * width}),
            owned(std::move(graph.upper), {upper, width})};
}

// The arrays of a graph, held to each other.
struct Parts {
    Codes codes;
    Vector<double> errors;
    Vector<std::uint32_t> order;
    Links links, upper;
    Vector<std::int64_t> sizes;

    Parts(nb::tuple arrays)
        : codes(nb::cast<Codes>(arrays[0])),
          errors(nb::cast<Vector<double>>(arrays[1])),
          order(nb::cast<Vector<std::uint32_t>>(arrays[2])),
          links(nb::cast<Links>(arrays[3])),
          upper(nb::cast<Links>(arrays[4])),
          sizes(nb::cast<Vector<std::int64_t>>(arrays[5])) {
        const std::size_t rows = codes.shape(0);
        check_sizes(sizes, rows);
        std::size_t above = 0;
        for (std::size_t l = 1; l < sizes.shape(0); ++l)
            above += static_cast<std::size_t>(sizes.data()[l]);
        require(errors.shape(0) == rows && order.shape(0) == rows && links.shape(0) == rows &&
                    upper.shape(0) == above && links.shape(1) == 2 * upper.shape(1),
                "the arrays of the graph do not fit together");
    }
    std::vector<tile::Layer> layers() const {
        return tile::layers_of(links.data(), upper.data(), sizes.data(),
                               static_cast<Index>(sizes.shape(0)),
                               static_cast<Index>(upper.shape(1)));
    }
};

template <class T>
std::pair<Array<double>, Array<std::int64_t>> nearest(
    const nb::tuple& arrays, const Vector<double>& low, double scale, bool bytes, bool manhattan,
    const Packed<T>& rows, const Packed<T>& queries, Index k, Index effort,
    const std::optional<Vector<std::uint32_t>>& numbers, bool hidden) {
    const Parts parts(arrays);
    const tile::Coding coding = coding_of(low, scale, bytes, manhattan);
    const tile::CodeRows codes = codes_of(parts.codes, coding);
    const std::size_t count = queries.shape(0), total = rows.shape(0);
    require(total == parts.codes.shape(0) && rows.shape(1) == low.shape(0) &&
                queries.shape(1) == low.shape(0),
            "rows, queries and codes differ in shape");
    require(!numbers || numbers->shape(0) == count, "one number for each query");
    for (std::size_t i = 0; numbers && i < count; ++i)
        require(numbers->data()[i] < total, "there is no row of that number");
    const auto columns = static_cast<Index>(rows.shape(1));
    const auto view = [&](const Packed<T>& x) {
        return MatrixView<T>{x.data(), static_cast<Index>(x.shape(0)), columns, columns, 1};
    };
    std::vector<double> values(static_cast<std::size_t>(area(static_cast<Index>(count), k)));
    std::vector<std::int64_t> found(values.size());
    {
        nb::gil_scoped_release release;
        const std::vector<tile::Layer> layers = parts.layers();
        tile::hnsw_nearest<T>(
            {layers, codes, coding, parts.errors.data(), parts.order.data(), view(rows)},
            view(queries), {k, effort, numbers ? numbers->data() : nullptr, hidden}, values.data(),
            found.data());
    }
    const auto width = static_cast<std::size_t>(k);
    return {array(std::move(values), {count, width}), owned(std::move(found), {count, width})};
}

template <class T>
void bind(nb::module_& module) {
    module.def("hnsw_encode", &encode<T>, nb::arg("rows").noconvert(), nb::arg("order").noconvert(),
               nb::arg("low").noconvert(), nb::arg("scale"), nb::arg("bytes"), nb::arg("manhattan"),
               "Codes of rows in an order, and how far each is from what it stands for.");
    module.def("hnsw_nearest", &nearest<T>, nb::arg("arrays"), nb::arg("low").noconvert(),
               nb::arg("scale"), nb::arg("bytes"), nb::arg("manhattan"),
               nb::arg("rows").noconvert(), nb::arg("queries").noconvert(), nb::arg("k"),
               nb::arg("effort"), nb::arg("numbers").noconvert().none() = nb::none(),
               nb::arg("hidden") = false,
               "The k nearest rows a walk with so many candidates finds; row -1 where it did not.");
}

}  // namespace

void bind_hnsw(nb::module_& module) {
    module.def("hnsw_numbering", &numbering, nb::arg("rows"), nb::arg("degree"), nb::arg("seed"),
               "The row of every number, and how many numbers each layer holds.");
    module.def("hnsw_build", &build, nb::arg("codes").noconvert(), nb::arg("low").noconvert(),
               nb::arg("scale"), nb::arg("bytes"), nb::arg("manhattan"),
               nb::arg("sizes").noconvert(), nb::arg("degree"), nb::arg("effort"),
               "Links of the lowest layer, and of those above one after the other.");
    bind<double>(module);
    bind<float>(module);
}

}  // namespace stylobate::bindings
