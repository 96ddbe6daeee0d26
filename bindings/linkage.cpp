// Hierarchies of clusters, and the spanning trees they come from.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>

#include "cluster/connected_linkage.hpp"
#include "cluster/minimax_linkage.hpp"
#include "cluster/point_linkage.hpp"
#include "cluster/spanning_tree.hpp"
#include "cluster/stored_linkage.hpp"
#include "measures.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::bindings {
namespace {

using Numbers = std::optional<Vector<double>>;

// The nearest other rows of each row that a caller has already.
struct KnownLists {
    std::optional<Packed<double>> values;
    std::optional<Packed<std::int64_t>> rows;

    cluster::NearestLists checked(Index n) const {
        require(values.has_value() == rows.has_value(), "lists need both values and rows");
        if (!values) return {};
        require(values->shape(0) == rows->shape(0) && values->shape(1) == rows->shape(1) &&
                    static_cast<Index>(values->shape(0)) == n,
                "one list of the same length for each row");
        const auto k = static_cast<Index>(values->shape(1));
        for (Index i = 0; i < n * k; ++i)
            require(rows->data()[i] >= 0 && rows->data()[i] < n, "a list names a row there is not");
        return {values->data(), rows->data(), k};
    }
};

nb::tuple spanning_tree(const Matrix<double>& x, const std::string& measure, double p,
                        const Numbers& core, const KnownLists& known) {
    require(!core || core->shape(0) == x.shape(0), "one core distance for each row");
    const tile::TreeMetric metric{tile::measure_named(measure), p, {}};
    const cluster::NearestLists lists = known.checked(static_cast<Index>(x.shape(0)));
    cluster::SpanningTree tree;
    {
        GilReleased release;
        tree = cluster::spanning_tree(view(x), metric, core ? core->data() : nullptr, lists);
    }
    return nb::make_tuple(owned(std::move(tree.from)), owned(std::move(tree.to)),
                          owned(std::move(tree.lengths)));
}

cluster::Linkage linkage_named(const std::string& name) {
    using cluster::Linkage;
    static const std::pair<const char*, Linkage> names[] = {
        {"single", Linkage::single},     {"complete", Linkage::complete},
        {"average", Linkage::average},   {"weighted", Linkage::weighted},
        {"centroid", Linkage::centroid}, {"median", Linkage::median},
        {"ward", Linkage::ward},         {"minimax", Linkage::minimax}};
    for (const auto& [known, linkage] : names)
        if (name == known) return linkage;
    throw InvalidArgument("unknown linkage");
}

bool rises(cluster::Linkage linkage) {
    return linkage != cluster::Linkage::centroid && linkage != cluster::Linkage::median;
}

Output matrix(Index n, std::vector<cluster::Merge>&& merges, bool by_height) {
    const std::size_t rows = merges.size();
    return array(cluster::linkage_matrix(n, std::move(merges), by_height), {rows, std::size_t{4}});
}

Output point_linkage(const Matrix<double>& x, const std::string& name, Index rest) {
    const cluster::Linkage linkage = linkage_named(name);
    std::vector<cluster::Merge> merges;
    if (x.shape(0) > 1) {
        GilReleased release;
        merges = cluster::point_linkage(view(x), linkage, rest);
    }
    return matrix(static_cast<Index>(x.shape(0)), std::move(merges), rises(linkage));
}

// Merges of edges that are sorted already.
Output tree_linkage(const Vector<std::int64_t>& from, const Vector<std::int64_t>& to,
                    const Vector<double>& heights) {
    const std::size_t edges = heights.shape(0);
    require(from.shape(0) == edges && to.shape(0) == edges, "edges have two ends and a height");
    const auto n = static_cast<Index>(edges) + 1;
    std::vector<cluster::Merge> merges(edges);
    for (std::size_t k = 0; k < edges; ++k) {
        merges[k] = {from.data()[k], to.data()[k], heights.data()[k]};
        require(std::min(merges[k].one, merges[k].other) >= 0 &&
                    std::max(merges[k].one, merges[k].other) < n,
                "an edge names a row there is not");
    }
    return matrix(n, std::move(merges), true);
}

// The matrix, and the prototypes of minimax linkage in the order of its rows.
nb::tuple stored_linkage(nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu> values,
                         Index n, const std::string& name) {
    require(n >= 2 && static_cast<Index>(values.shape(0)) == n * (n - 1) / 2,
            "n rows have n(n − 1)/2 dissimilarities");
    const cluster::Linkage linkage = linkage_named(name);
    cluster::PrototypeMerges found;
    {
        GilReleased release;
        parallel_for(1, [&](Index, Checkpoint& checkpoint) {
            if (linkage == cluster::Linkage::minimax)
                found = cluster::minimax_linkage(values.data(), n, checkpoint);
            else
                found.merges = cluster::stored_linkage(values.data(), cluster::single_rows(n),
                                                       linkage, checkpoint);
        });
    }
    std::vector<std::size_t> order(found.prototypes.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return found.merges[a].height < found.merges[b].height;
    });
    std::vector<std::int64_t> prototypes;
    for (const std::size_t k : order) prototypes.push_back(found.prototypes[k]);
    return nb::make_tuple(matrix(n, std::move(found.merges), rises(linkage)),
                          owned(std::move(prototypes)));
}

nb::tuple connected_linkage(const Matrix<double>& x, const Vector<std::int64_t>& offsets,
                            const Vector<std::int64_t>& indices, const Numbers& values,
                            const std::string& name, Index clusters) {
    const auto n = static_cast<Index>(offsets.shape(0)) - 1;
    require(n >= 1 && clusters >= 1 && clusters <= n, "clusters must be in [1, rows]");
    require(
        offsets.data()[0] == 0 && offsets.data()[n] == static_cast<std::int64_t>(indices.shape(0)),
        "offsets must end with the number of edges");
    for (Index i = 0; i < n; ++i)
        require(offsets.data()[i] <= offsets.data()[i + 1], "offsets must not fall");
    for (std::size_t k = 0; k < indices.shape(0); ++k)
        require(indices.data()[k] >= 0 && indices.data()[k] < n,
                "an edge names a row there is not");
    const cluster::Linkage linkage = linkage_named(name);
    require(linkage == cluster::Linkage::ward ? static_cast<Index>(x.shape(0)) == n
                                              : values && values->shape(0) == indices.shape(0),
            "ward needs the rows, others a value for each edge");
    cluster::ConnectedTree tree;
    {
        GilReleased release;
        parallel_for(1, [&](Index, Checkpoint& checkpoint) {
            tree = cluster::connected_linkage(
                {offsets.data(), indices.data(), values ? values->data() : nullptr, n}, view(x),
                linkage, clusters, checkpoint);
        });
    }
    const std::size_t merges = tree.heights.size();
    return nb::make_tuple(owned(std::move(tree.children), {merges, std::size_t{2}}),
                          owned(std::move(tree.heights)), owned(std::move(tree.parents)));
}

}  // namespace

void bind_linkage(nb::module_& module) {
    module.def("point_linkage", &point_linkage, nb::arg("x").noconvert(), nb::arg("linkage"),
               nb::arg("rest") = 0,
               "SciPy's matrix of a linkage of points by Euclidean distance; the last `rest` "
               "clusters are left to a chain, 0 for the usual number.");
    module.def("tree_linkage", &tree_linkage, nb::arg("from_").noconvert(),
               nb::arg("to").noconvert(), nb::arg("heights").noconvert(),
               "SciPy's matrix of single linkage from the edges of a spanning tree.");
    module.def("stored_linkage", &stored_linkage, nb::arg("values").noconvert(), nb::arg("n"),
               nb::arg("linkage"),
               "SciPy's matrix from dissimilarities of pairs, which are overwritten, and the "
               "prototypes of minimax linkage.");
    module.def("connected_linkage", &connected_linkage, nb::arg("x").noconvert(),
               nb::arg("offsets").noconvert(), nb::arg("indices").noconvert(),
               nb::arg("values").noconvert().none(), nb::arg("linkage"), nb::arg("clusters"),
               "Children, heights and parents of a hierarchy that joins neighbours in a graph.");
    module.def(
        "spanning_tree",
        [](const Matrix<double>& x, const std::string& measure, double p, const Numbers& core,
           const std::optional<Packed<double>>& values,
           const std::optional<Packed<std::int64_t>>& rows) {
            return spanning_tree(x, measure, p, core, {values, rows});
        },
        nb::arg("x").noconvert(), nb::arg("measure"), nb::arg("p") = 2.0,
        nb::arg("core").noconvert().none() = nb::none(),
        nb::arg("values").noconvert().none() = nb::none(),
        nb::arg("rows").noconvert().none() = nb::none(),
        "Minimum spanning tree: from, to and lengths of its edges in the numbers of the measure, "
        "the shortest first; with core distances of mutual reachability; values and rows are "
        "lists of the nearest other rows where they are known.");
}

}  // namespace stylobate::bindings
