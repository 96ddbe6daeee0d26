// Forests: growing trees from ranked columns.
#include "tree/forest.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "grown_trees.hpp"

namespace stylobate::bindings {
namespace {

forest::ForestCriterion criterion_of(const std::string& name) {
    if (name == "gini") return forest::ForestCriterion::gini;
    if (name == "entropy") return forest::ForestCriterion::entropy;
    require(name == "squared_error", "unknown criterion");
    return forest::ForestCriterion::squared_error;
}

using Labels = std::optional<Vector<std::int32_t>>;
using Numbers = std::optional<Vector<double>>;

nb::list grow(const forest::RankedColumns& columns, Index classes, const Labels& labels,
              const Numbers& numbers, const Numbers& weights,
              const std::vector<std::uint32_t>& seeds, Index draws, bool balanced,
              const Numbers& cumulative, const std::string& criterion, Index max_features,
              Index max_depth, Index min_samples_split, Index min_samples_leaf,
              double min_weight_leaf, double min_impurity_decrease) {
    const auto rows = static_cast<std::size_t>(columns.rows());
    require((classes == 0) == (criterion == "squared_error"), "the criterion is of another target");
    require(
        classes == 0 ? numbers && numbers->shape(0) == rows : labels && labels->shape(0) == rows,
        "the target needs one entry for each row");
    require(!weights || weights->shape(0) == rows, "one weight for each row");
    require(!cumulative || cumulative->shape(0) == rows, "one chance for each row");
    require(draws >= 0 && draws <= 0xFFFFFFFF, "rows to draw");
    require(max_features >= 1 && max_features <= columns.cols(), "columns to draw");
    require(min_samples_leaf >= 1 && min_samples_split >= 2, "a leaf needs a row, a split two");
    for (std::size_t i = 0; classes > 0 && i < rows; ++i) {
        require(labels->data()[i] >= 0 && labels->data()[i] < classes, "a label is no class");
    }
    const forest::ForestTarget target{classes, labels ? labels->data() : nullptr,
                                      numbers ? numbers->data() : nullptr,
                                      weights ? weights->data() : nullptr};
    const forest::Drawing drawing{draws, balanced, cumulative ? cumulative->data() : nullptr};
    const forest::ForestOptions options{criterion_of(criterion), max_features,     max_depth,
                                        min_samples_split,       min_samples_leaf, min_weight_leaf,
                                        min_impurity_decrease};
    std::vector<forest::GrownTree> trees;
    {
        GilReleased release;
        trees = forest::grow_forest(columns, target, drawing, options, seeds);
    }
    nb::list out;
    for (forest::GrownTree& each : trees) out.append(arrays_of(std::move(each), 1));
    return out;
}

}  // namespace

void bind_forest(nb::module_& module) {
    using nb::arg;
    nb::class_<forest::RankedColumns> columns(module, "RankedColumns",
                                              "Columns as ranks, for growing forests.");
    columns.def(
        "__init__",
        [](forest::RankedColumns* self, const Matrix<double>& x) {
            GilReleased release;
            new (self) forest::RankedColumns(view(x));
        },
        arg("x").noconvert());
    columns.def(
        "__init__",
        [](forest::RankedColumns* self, const Matrix<float>& x) {
            GilReleased release;
            new (self) forest::RankedColumns(view(x));
        },
        arg("x").noconvert());
    columns.def(
        "__init__",
        [](forest::RankedColumns* self, const Vector<double>& values,
           const Vector<std::int32_t>& indices, const Vector<std::int32_t>& offsets, Index rows) {
            const auto x = compressed_columns(values, indices, offsets, rows);
            GilReleased release;
            new (self) forest::RankedColumns(x);
        },
        arg("values").noconvert(), arg("indices").noconvert(), arg("offsets").noconvert(),
        arg("rows"));
    columns.def("grow", &grow, arg("classes"), arg("labels").none(), arg("numbers").none(),
                arg("weights").none(), arg("seeds"), arg("draws"), arg("balanced"),
                arg("cumulative").none(), arg("criterion"), arg("max_features"), arg("max_depth"),
                arg("min_samples_split"), arg("min_samples_leaf"), arg("min_weight_leaf"),
                arg("min_impurity_decrease"),
                "Trees as dictionaries of arrays, one for each seed.");
}

}  // namespace stylobate::bindings
