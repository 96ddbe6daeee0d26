// Decision trees: columns made ready, and growth from them.
#include "tree/growth.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>

#include "grown_trees.hpp"

namespace stylobate::bindings {
namespace {

tree::Criterion criterion_of(const std::string& name) {
    using tree::Criterion;
    static const std::map<std::string, Criterion> names = {
        {"gini", Criterion::gini},
        {"entropy", Criterion::entropy},
        {"misclassification", Criterion::misclassification},
        {"squared_error", Criterion::squared_error},
        {"absolute_error", Criterion::absolute_error},
        {"poisson", Criterion::poisson}};
    const auto found = names.find(name);
    if (found == names.end()) throw InvalidArgument("there is no criterion '" + name + "'");
    return found->second;
}

struct Options {
    tree::GrowthOptions options;
    std::vector<std::int8_t> monotone;

    Options(const std::string& criterion, bool random_splits, std::optional<Index> max_depth,
            Index min_samples_split, Index min_samples_leaf, double min_weight_leaf,
            Index max_features, Index max_leaf_nodes, double min_impurity_decrease,
            const std::optional<Vector<std::int8_t>>& signs) {
        options.criterion = criterion_of(criterion);
        options.random_splits = random_splits;
        if (max_depth) options.max_depth = *max_depth;
        options.min_samples_split = min_samples_split;
        options.min_samples_leaf = min_samples_leaf;
        options.min_weight_leaf = min_weight_leaf;
        options.max_features = max_features;
        options.max_leaf_nodes = max_leaf_nodes;
        options.min_impurity_decrease = min_impurity_decrease;
        if (signs) monotone.assign(signs->data(), signs->data() + signs->shape(0));
    }
    tree::GrowthOptions with_signs(Index cols) const {
        tree::GrowthOptions out = options;
        require(monotone.empty() || static_cast<Index>(monotone.size()) == cols,
                "one sign for each column");
        if (!monotone.empty()) out.monotone = monotone.data();
        return out;
    }
};

class Columns {
 public:
    Columns(const Matrix<double>& x, const std::optional<Vector<std::int32_t>>& categories,
            const Options& options)
        : x_(x) {
        require(!categories || categories->shape(0) == x.shape(1),
                "the number of categories of each column");
        const auto cols = static_cast<Index>(x.shape(1));
        GilReleased release;
        columns_ = std::make_unique<tree::RankedColumns>(
            view(x_), categories ? categories->data() : nullptr,
            tree::wanted_columns(options.options, cols));
    }
    // Compressed columns: no dense matrix is made of them.
    Columns(const Vector<double>& values, const Vector<std::int32_t>& indices,
            const Vector<std::int32_t>& offsets, Index rows) {
        const auto x = compressed_columns(values, indices, offsets, rows);
        GilReleased release;
        columns_ = std::make_unique<tree::RankedColumns>(x);
    }
    const tree::RankedColumns& get() const { return *columns_; }

 private:
    Matrix<double> x_;  // thresholds are read from it
    std::unique_ptr<tree::RankedColumns> columns_;
};

using Weights = std::optional<Vector<double>>;

nb::list grow(const Columns& columns, const tree::Target& target, const Options& options,
              const tree::Drawing& drawing, const std::vector<std::uint64_t>& seeds) {
    require(!seeds.empty(), "a seed for each tree");
    std::vector<tree::GrownTree> trees;
    {
        GilReleased release;
        const auto chosen = options.with_signs(columns.get().cols());
        if (seeds.size() == 1 && drawing.draws == 0 && !drawing.balanced)
            trees.push_back(tree::grow(columns.get(), target, chosen, seeds[0]));
        else
            trees = tree::grow_forest(columns.get(), target, chosen, drawing, seeds);
    }
    nb::list out;
    for (auto& tree : trees) out.append(arrays_of(std::move(tree), target.outputs));
    return out;
}

void check_weights(const Columns& columns, const Weights& weights) {
    if (!weights) return;
    require(static_cast<Index>(weights->shape(0)) == columns.get().rows(),
            "one weight for each row");
    for (std::size_t i = 0; i < weights->shape(0); ++i)
        require(weights->data()[i] >= 0.0, "weights must not be negative");
}

void check_chances(const Columns& columns, const Weights& cumulative) {
    require(!cumulative || static_cast<Index>(cumulative->shape(0)) == columns.get().rows(),
            "one chance for each row");
}

nb::list grow_classes(const Columns& columns, const Packed<std::int32_t>& codes,
                      const std::vector<std::uint32_t>& classes, const Weights& weights,
                      const Options& options, const std::vector<std::uint64_t>& seeds, Index draws,
                      bool balanced, const Weights& cumulative) {
    require(static_cast<Index>(codes.shape(0)) == columns.get().rows(), "one label for each row");
    require(codes.shape(1) >= 1 && classes.size() == codes.shape(1),
            "the number of classes of every output");
    check_weights(columns, weights);
    tree::Target target;
    target.outputs = static_cast<Index>(codes.shape(1));
    target.codes = codes.data();
    target.classes = classes;
    target.weights = weights ? weights->data() : nullptr;
    check_chances(columns, cumulative);
    return grow(columns, target, options,
                {draws, balanced, cumulative ? cumulative->data() : nullptr}, seeds);
}

nb::list grow_numbers(const Columns& columns, const Packed<double>& values, const Weights& weights,
                      const Options& options, const std::vector<std::uint64_t>& seeds, Index draws,
                      const Weights& cumulative) {
    require(static_cast<Index>(values.shape(0)) == columns.get().rows(), "one target for each row");
    require(values.shape(1) >= 1, "a tree needs a target");
    check_weights(columns, weights);
    tree::Target target;
    target.outputs = static_cast<Index>(values.shape(1));
    target.values = values.data();
    target.weights = weights ? weights->data() : nullptr;
    check_chances(columns, cumulative);
    return grow(columns, target, options, {draws, false, cumulative ? cumulative->data() : nullptr},
                seeds);
}

nb::ndarray<nb::numpy, std::uint32_t> drawn_counts(Index rows, Index draws, std::uint64_t seed,
                                                   const Weights& cumulative) {
    require(rows >= 1 && draws >= 0, "there must be rows to draw from");
    require(!cumulative || static_cast<Index>(cumulative->shape(0)) == rows,
            "one chance for each row");
    const double* const chances = cumulative ? cumulative->data() : nullptr;
    return owned(tree::drawn_counts(rows, {draws, false, chances}, seed));
}

}  // namespace

void bind_growth(nb::module_& module) {
    using nb::arg;
    nb::class_<Options>(module, "GrowthOptions", "How trees are to be grown.")
        .def(nb::init<const std::string&, bool, std::optional<Index>, Index, Index, double, Index,
                      Index, double, const std::optional<Vector<std::int8_t>>&>(),
             nb::kw_only(), arg("criterion"), arg("random_splits") = false,
             arg("max_depth").none() = nb::none(), arg("min_samples_split") = 2,
             arg("min_samples_leaf") = 1, arg("min_weight_leaf") = 0.0, arg("max_features") = 0,
             arg("max_leaf_nodes") = 0, arg("min_impurity_decrease") = 0.0,
             arg("monotone").none() = nb::none());
    nb::class_<Columns>(module, "TreeColumns", "Columns sorted once, for any number of trees.")
        .def(nb::init<const Matrix<double>&, const std::optional<Vector<std::int32_t>>&,
                      const Options&>(),
             arg("x").noconvert(), arg("categories").none(), arg("options"))
        .def(nb::init<const Vector<double>&, const Vector<std::int32_t>&,
                      const Vector<std::int32_t>&, Index>(),
             arg("values").noconvert(), arg("indices").noconvert(), arg("offsets").noconvert(),
             arg("rows"));
    module.def("grow_classes", &grow_classes, arg("columns"), arg("codes").noconvert(),
               arg("classes"), arg("weights").none(), arg("options"), arg("seeds"),
               arg("draws") = 0, arg("balanced") = false, arg("cumulative").none() = nb::none(),
               "Classification trees, one for each seed, as dictionaries of the arrays of Tree.");
    module.def("grow_numbers", &grow_numbers, arg("columns"), arg("values").noconvert(),
               arg("weights").none(), arg("options"), arg("seeds"), arg("draws") = 0,
               arg("cumulative").none() = nb::none(),
               "Regression trees, one for each seed, as dictionaries of the arrays of Tree.");
    module.def("drawn_counts", &drawn_counts, arg("rows"), arg("draws"), arg("seed"),
               arg("cumulative").none() = nb::none(),
               "How often each row is drawn for the tree of a seed.");
}

}  // namespace stylobate::bindings
