// Hierarchies of clusters, and the spanning trees they come from.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "cluster/spanning_tree.hpp"
#include "measures.hpp"

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

}  // namespace

void bind_linkage(nb::module_& module) {
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
