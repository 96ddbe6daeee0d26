// Shapley values of trees.
#include "tree/shap.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "flat_trees.hpp"

namespace stylobate::bindings {
namespace {

class TreeShap {
 public:
    TreeShap(const nb::sequence& trees, Index features) : features_(features) {
        const HeldTrees held(trees);
        require(!held.views().empty(), "there must be a tree");
        std::vector<Vector<double>> weights;
        std::vector<const double*> cover;
        for (nb::handle tree : trees)
            weights.push_back(
                nb::cast<Vector<double>>(nb::getattr(tree, "weighted_n_node_samples"), false));
        for (std::size_t t = 0; t < weights.size(); ++t) {
            require(static_cast<Index>(weights[t].shape(0)) == held.views()[t].nodes,
                    "a tree's arrays must have one length");
            cover.push_back(weights[t].data());
        }
        forest_ = std::make_unique<tree::ShapForest>(held.views(), cover, features, held.width());
    }

    template <class T>
    Output values(const Matrix<T>& x, const std::optional<Matrix<T>>& background,
                  const std::optional<Vector<std::int32_t>>& columns, Index out_cols) const {
        require(static_cast<Index>(x.shape(1)) == features_, "x must have the trees' columns");
        require(!background || (static_cast<Index>(background->shape(1)) == features_ &&
                                background->shape(0) >= 1),
                "the background must have rows of the trees' columns");
        check(columns, out_cols);
        std::vector<double> out(x.shape(0) * x.shape(1) * static_cast<std::size_t>(out_cols));
        {
            GilReleased release;
            const auto* const to = columns ? columns->data() : nullptr;
            if (background)
                forest_->interventional(view(x), view(*background), to, out.data(), out_cols);
            else
                forest_->path_dependent(view(x), to, out.data(), out_cols);
        }
        return array(std::move(out), {x.shape(0), x.shape(1), static_cast<std::size_t>(out_cols)});
    }

    Output expectation(const std::optional<Vector<std::int32_t>>& columns, Index out_cols) const {
        check(columns, out_cols);
        return array(forest_->expectation(columns ? columns->data() : nullptr, out_cols),
                     {static_cast<std::size_t>(out_cols)});
    }

 private:
    void check(const std::optional<Vector<std::int32_t>>& columns, Index out_cols) const {
        require(!columns || static_cast<Index>(columns->shape(0)) == forest_->trees(),
                "one column for each tree");
        require(out_cols >= forest_->width(), "there must be columns to add to");
        if (!columns) return;
        for (std::size_t t = 0; t < columns->shape(0); ++t)
            require(columns->data()[t] >= 0 && columns->data()[t] + forest_->width() <= out_cols,
                    "a tree adds to columns that are not there");
    }
    Index features_;
    std::unique_ptr<tree::ShapForest> forest_;
};

template <class T, class Class>
void define(Class& shap) {
    using nb::arg;
    shap.def("values", &TreeShap::values<T>, arg("x").noconvert(), arg("background").none(),
             arg("columns").none(), arg("out_cols"),
             "What each column adds to each output of each row, of all trees together.");
}

}  // namespace

void bind_shap(nb::module_& module) {
    nb::class_<TreeShap> shap(module, "TreeShap", "Shapley values of trees.");
    shap.def(nb::init<const nb::sequence&, Index>(), nb::arg("trees"), nb::arg("features"));
    define<double>(shap);
    define<float>(shap);
    shap.def("expectation", &TreeShap::expectation, nb::arg("columns").none(), nb::arg("out_cols"),
             "Mean values of the trees over their training rows, added up.");
}

}  // namespace stylobate::bindings
