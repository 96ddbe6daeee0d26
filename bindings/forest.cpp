// Forests: growing trees from ranked columns.
#include "tree/forest.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "bindings.hpp"

namespace stylobate::bindings {
namespace {

tree::ForestCriterion criterion_of(const std::string& name) {
    if (name == "gini") return tree::ForestCriterion::gini;
    if (name == "entropy") return tree::ForestCriterion::entropy;
    require(name == "squared_error", "unknown criterion");
    return tree::ForestCriterion::squared_error;
}

nb::dict arrays_of(tree::GrownTree&& tree, std::size_t width) {
    nb::dict out;
    const std::size_t nodes = tree.left.size();
    out["children_left"] = owned(std::move(tree.left));
    out["children_right"] = owned(std::move(tree.right));
    out["feature"] = owned(std::move(tree.feature));
    out["threshold"] = owned(std::move(tree.threshold));
    out["missing_go_to_left"] = owned(std::move(tree.missing_left));
    out["impurity"] = owned(std::move(tree.impurity));
    out["n_node_samples"] = owned(std::move(tree.samples));
    out["weighted_n_node_samples"] = owned(std::move(tree.weight));
    out["value"] = owned(std::move(tree.value), {nodes, std::size_t{1}, width});
    return out;
}

using Labels = std::optional<Vector<std::int32_t>>;
using Numbers = std::optional<Vector<double>>;

nb::list grow(const tree::RankedColumns& columns, Index classes, const Labels& labels,
              const Numbers& numbers, const Numbers& weights,
              const Vector<std::uint32_t>& seeds, Index count,
              const std::optional<Packed<std::uint32_t>>& counts,
              const std::optional<Packed<double>>& factors, const std::string& criterion,
              bool random_splits, Index max_features, Index max_depth, Index min_samples_split,
              Index min_samples_leaf, double min_weight_leaf, double min_impurity_decrease) {
    const auto rows = static_cast<std::size_t>(columns.rows());
    require((classes == 0) == (criterion == "squared_error"), "the criterion is of another target");
    require(classes == 0 ? numbers && numbers->shape(0) == rows : labels && labels->shape(0) == rows,
            "the target needs one entry for each row");
    require(!weights || weights->shape(0) == rows, "one weight for each row");
    require(!counts || (counts->shape(0) == seeds.shape(0) && counts->shape(1) == rows),
            "one count for each tree and row");
    require(!factors || (factors->shape(0) == seeds.shape(0) &&
                         static_cast<Index>(factors->shape(1)) == classes),
            "one factor for each tree and class");
    require(count >= 0 && count <= 0xFFFFFFFF, "rows to draw");
    require(max_features >= 1 && max_features <= columns.cols(), "columns to draw");
    require(min_samples_leaf >= 1 && min_samples_split >= 2, "a leaf needs a row, a split two");
    if (classes > 0) {
        for (std::size_t i = 0; i < rows; ++i) {
            require(labels->data()[i] >= 0 && labels->data()[i] < classes, "a label is no class");
        }
    }
    const tree::ForestTarget target{classes, labels ? labels->data() : nullptr,
                                    numbers ? numbers->data() : nullptr,
                                    weights ? weights->data() : nullptr};
    const tree::ForestDraws draws{static_cast<Index>(seeds.shape(0)), seeds.data(), count,
                                  counts ? counts->data() : nullptr,
                                  factors ? factors->data() : nullptr};
    const tree::ForestOptions options{criterion_of(criterion), random_splits,     max_features,
                                      max_depth,               min_samples_split, min_samples_leaf,
                                      min_weight_leaf,         min_impurity_decrease};
    std::vector<tree::GrownTree> trees;
    {
        nb::gil_scoped_release release;
        trees = tree::grow_forest(columns, target, draws, options);
    }
    nb::list out;
    const std::size_t width = classes > 0 ? static_cast<std::size_t>(classes) : 1;
    for (tree::GrownTree& each : trees) out.append(arrays_of(std::move(each), width));
    return out;
}

nb::ndarray<nb::numpy, std::uint32_t> drawn(std::uint32_t seed, Index rows, Index count) {
    require(rows >= 1 && count >= 0, "there must be rows to draw");
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(rows));
    tree::draw_counts(seed, rows, count, counts.data());
    return owned(std::move(counts));
}

}  // namespace

void bind_forest(nb::module_& module) {
    using nb::arg;
    nb::class_<tree::RankedColumns> columns(module, "RankedColumns",
                                            "Columns as ranks, for growing forests.");
    columns.def("__init__", [](tree::RankedColumns* self, const Matrix<double>& x) {
        nb::gil_scoped_release release;
        new (self) tree::RankedColumns(view(x));
    }, arg("x").noconvert());
    columns.def("__init__", [](tree::RankedColumns* self, const Matrix<float>& x) {
        nb::gil_scoped_release release;
        new (self) tree::RankedColumns(view(x));
    }, arg("x").noconvert());
    columns.def("grow", &grow, arg("classes"), arg("labels").none(), arg("numbers").none(),
                arg("weights").none(), arg("seeds"), arg("count"), arg("counts").none(),
                arg("factors").none(), arg("criterion"), arg("random_splits"), arg("max_features"),
                arg("max_depth"), arg("min_samples_split"), arg("min_samples_leaf"),
                arg("min_weight_leaf"), arg("min_impurity_decrease"),
                "Trees as dictionaries of arrays, one for each seed.");
    module.def("drawn_counts", &drawn, arg("seed"), arg("rows"), arg("count"),
               "How often RandomState(seed).randint(0, rows, count) draws each row.");
}

}  // namespace stylobate::bindings
