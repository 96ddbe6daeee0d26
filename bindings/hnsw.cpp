// Approximate nearest rows: codes, numbering, graph and walks, all of them plain arrays.
#include "tile/hnsw.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <cmath>
#include <optional>

#include "measures.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::bindings {
namespace {

using Codes = Packed<unsigned char>;
using Links = Packed<std::uint32_t>;

tile::Coding coding_of(const Vector<double>& low, double scale, bool bytes, bool manhattan) {
    bool sound = scale > 0.0 && std::isfinite(scale) && low.shape(0) >= 1;
    for (std::size_t l = 0; l < low.shape(0); ++l) sound &= std::isfinite(low.data()[l]);
    require(sound, "a coding needs a positive scale and columns, all finite");
    require(!bytes || low.shape(0) <= 65536, "codes of a byte take up to 65,536 columns");
    const auto measure =
        bytes ? (manhattan ? tile::CodeMeasure::byte_manhattan : tile::CodeMeasure::byte_squared)
              : (manhattan ? tile::CodeMeasure::float_manhattan : tile::CodeMeasure::float_squared);
    return {measure, {low.data(), low.data() + low.shape(0)}, scale};
}

tile::CodeRows codes_of(const Codes& codes, const tile::Coding& coding) {
    require(static_cast<Index>(codes.shape(1)) == coding.stride(),
            "codes and coding differ in columns");
    return {coding.measure, codes.data(), static_cast<Index>(codes.shape(0)), coding.stride()};
}

template <class T>
MatrixView<T> view_of(const Packed<T>& x) {
    const auto columns = static_cast<Index>(x.shape(1));
    return {x.data(), static_cast<Index>(x.shape(0)), columns, columns, 1};
}

// Codes, errors, starts, members, and the sizes of the layers.
template <class T>
nb::tuple encode(const Packed<T>& rows, const Vector<double>& low, double scale, bool bytes,
                 bool manhattan, Index degree, std::uint64_t seed,
                 const Vector<std::int64_t>& last) {
    const tile::Coding coding = coding_of(low, scale, bytes, manhattan);
    require(rows.shape(1) == low.shape(0), "rows and coding differ in columns");
    std::vector<bool> held(rows.shape(0), false);
    for (std::size_t i = 0; i < last.shape(0); ++i) {
        const std::int64_t row = last.data()[i];
        require(row >= 0 && row < static_cast<std::int64_t>(held.size()), "there is no such row");
        held[static_cast<std::size_t>(row)] = true;
    }
    tile::Nodes nodes;
    tile::Numbering numbers;
    {
        GilReleased release;
        nodes = tile::encode_rows(coding, view_of(rows));
        std::vector<bool> nodes_last(static_cast<std::size_t>(nodes.count()), false);
        for (Index i = 0; i < nodes.count(); ++i)
            for (std::int64_t m = nodes.starts[i]; m < nodes.starts[i + 1]; ++m)
                if (held[nodes.members[m]]) nodes_last[i] = true;
        numbers = tile::hnsw_numbering(nodes.count(), degree, seed, nodes_last);
        nodes = tile::reordered(nodes, numbers.order, coding.stride());
    }
    const auto count = static_cast<std::size_t>(nodes.count());
    return nb::make_tuple(
        owned(std::move(nodes.codes), {count, static_cast<std::size_t>(coding.stride())}),
        owned(std::move(nodes.errors)), owned(std::move(nodes.starts)),
        owned(std::move(nodes.members)), owned(std::move(numbers.sizes)));
}

void check_sizes(const Vector<std::int64_t>& sizes, std::size_t rows) {
    require(sizes.shape(0) >= 1 && sizes.data()[0] >= 1 &&
                sizes.data()[0] <= static_cast<std::int64_t>(rows),
            "the lowest layer must hold nodes there are");
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
        GilReleased release;
        graph =
            tile::hnsw_build(rows, {sizes.data(), sizes.data() + sizes.shape(0)}, degree, effort);
    }
    const auto width = static_cast<std::size_t>(degree);
    const std::size_t lower = graph.links.size() / (2 * width), upper = graph.upper.size() / width;
    return {owned(std::move(graph.links), {lower, 2 * width}),
            owned(std::move(graph.upper), {upper, width})};
}

Array<std::uint32_t> extend(const Codes& codes, const Vector<double>& low, double scale, bool bytes,
                            bool manhattan, const Vector<std::int64_t>& sizes, Index effort,
                            Index first, const Links& links, const Links& upper) {
    const tile::Coding coding = coding_of(low, scale, bytes, manhattan);
    const tile::CodeRows rows = codes_of(codes, coding);
    check_sizes(sizes, codes.shape(0));
    const std::size_t nodes = links.shape(0), width = links.shape(1);
    require(nodes == codes.shape(0) && width == 2 * upper.shape(1) && width >= 4 && effort >= 1 &&
                first >= 1 && first <= sizes.data()[0],
            "the arrays of the graph do not fit together");
    tile::Graph graph{{links.data(), links.data() + links.size()},
                      {upper.data(), upper.data() + upper.size()}};
    {
        GilReleased release;
        tile::hnsw_extend(rows, {sizes.data(), sizes.data() + sizes.shape(0)},
                          static_cast<Index>(width / 2), effort, first, graph);
    }
    return owned(std::move(graph.links), {nodes, width});
}

// The arrays of a graph, held to each other. Links are checked as they are followed.
struct Parts {
    Codes codes;
    Vector<double> errors;
    Vector<std::int64_t> starts;
    Vector<std::uint32_t> members;
    Vector<std::int64_t> sizes;
    Links links, upper;

    Parts(const nb::tuple& arrays, std::size_t rows)
        : codes(nb::cast<Codes>(arrays[0])),
          errors(nb::cast<Vector<double>>(arrays[1])),
          starts(nb::cast<Vector<std::int64_t>>(arrays[2])),
          members(nb::cast<Vector<std::uint32_t>>(arrays[3])),
          sizes(nb::cast<Vector<std::int64_t>>(arrays[4])),
          links(nb::cast<Links>(arrays[5])),
          upper(nb::cast<Links>(arrays[6])) {
        const std::size_t nodes = codes.shape(0);
        check_sizes(sizes, nodes);
        std::size_t above = 0;
        for (std::size_t l = 1; l < sizes.shape(0); ++l)
            above += static_cast<std::size_t>(sizes.data()[l]);
        require(errors.shape(0) == rows && members.shape(0) == rows &&
                    starts.shape(0) == nodes + 1 && links.shape(0) == nodes &&
                    upper.shape(0) == above && links.shape(1) == 2 * upper.shape(1),
                "the arrays of the graph do not fit together");
        require(starts.data()[0] == 0 && starts.data()[nodes] == static_cast<std::int64_t>(rows),
                "the nodes must hold every row");
        bool sound = true;
        for (std::size_t i = 0; i < nodes; ++i) sound &= starts.data()[i] < starts.data()[i + 1];
        for (std::size_t i = 0; i < rows; ++i) sound &= members.data()[i] < rows;
        require(sound, "every node must hold rows there are");
    }
    std::vector<tile::Layer> layers() const {
        return tile::layers_of(links.data(), upper.data(), sizes.data(),
                               static_cast<Index>(sizes.shape(0)),
                               static_cast<Index>(upper.shape(1)));
    }
};

using Own = std::pair<Vector<std::int64_t>, Vector<std::uint32_t>>;  // rows and their nodes

template <class T>
std::pair<Array<double>, Array<std::int64_t>> nearest(const nb::tuple& arrays,
                                                      const Vector<double>& low, double scale,
                                                      bool bytes, bool manhattan,
                                                      const Packed<T>& rows,
                                                      const Packed<T>& queries, Index k,
                                                      Index effort, const std::optional<Own>& own) {
    const Parts parts(arrays, rows.shape(0));
    const tile::Coding coding = coding_of(low, scale, bytes, manhattan);
    const tile::CodeRows codes = codes_of(parts.codes, coding);
    const std::size_t count = queries.shape(0);
    require(rows.shape(1) == low.shape(0) && queries.shape(1) == low.shape(0),
            "rows, queries and codes differ in columns");
    require(!own || (own->first.shape(0) == count && own->second.shape(0) == count),
            "one row and node for each query");
    for (std::size_t i = 0; own && i < count; ++i)
        require(own->second.data()[i] < parts.codes.shape(0), "there is no such node");
    std::vector<double> values(static_cast<std::size_t>(area(static_cast<Index>(count), k)));
    std::vector<std::int64_t> found(values.size());
    {
        GilReleased release;
        const std::vector<tile::Layer> layers = parts.layers();
        const tile::Walk wish{k, effort, own ? own->first.data() : nullptr,
                              own ? own->second.data() : nullptr};
        tile::hnsw_nearest<T>({layers, codes, coding, parts.starts.data(), parts.members.data(),
                               parts.errors.data(), view_of(rows)},
                              view_of(queries), wish, values.data(), found.data());
    }
    const auto width = static_cast<std::size_t>(k);
    return {array(std::move(values), {count, width}), owned(std::move(found), {count, width})};
}

template <class T>
void bind(nb::module_& module) {
    module.def("hnsw_encode", &encode<T>, nb::arg("rows").noconvert(), nb::arg("low").noconvert(),
               nb::arg("scale"), nb::arg("bytes"), nb::arg("manhattan"), nb::arg("degree"),
               nb::arg("seed"), nb::arg("last").noconvert(),
               "Nodes of rows with one code, in order of their layers, those of the rows "
               "`last` at the end: codes, errors of the rows, "
               "starts, members, and how many nodes each layer has.");
    module.def("hnsw_nearest", &nearest<T>, nb::arg("arrays"), nb::arg("low").noconvert(),
               nb::arg("scale"), nb::arg("bytes"), nb::arg("manhattan"),
               nb::arg("rows").noconvert(), nb::arg("queries").noconvert(), nb::arg("k"),
               nb::arg("effort"), nb::arg("own").none() = nb::none(),
               "The k nearest rows a walk with so many candidates finds; row -1 where it did not. "
               "`arrays`: what hnsw_encode and hnsw_build gave; `own`: queries are these rows of "
               "these nodes.");
}

}  // namespace

void bind_hnsw(nb::module_& module) {
    module.def("hnsw_build", &build, nb::arg("codes").noconvert(), nb::arg("low").noconvert(),
               nb::arg("scale"), nb::arg("bytes"), nb::arg("manhattan"),
               nb::arg("sizes").noconvert(), nb::arg("degree"), nb::arg("effort"),
               "Links of the lowest layer, and of those above one after the other.");
    module.def("hnsw_extend", &extend, nb::arg("codes").noconvert(), nb::arg("low").noconvert(),
               nb::arg("scale"), nb::arg("bytes"), nb::arg("manhattan"),
               nb::arg("sizes").noconvert(), nb::arg("effort"), nb::arg("first"),
               nb::arg("links").noconvert(), nb::arg("upper").noconvert(),
               "Links of the lowest layer with the nodes from `first` on among them.");
    bind<double>(module);
    bind<float>(module);
}

}  // namespace stylobate::bindings
