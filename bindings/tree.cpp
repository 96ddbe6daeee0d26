// Decision trees: prediction by packed forests, and pruning.
#include <nanobind/stl/optional.h>

#include <optional>

#include "flat_trees.hpp"
#include "tree/flat.hpp"
#include "tree/pruning.hpp"

namespace stylobate::bindings {
namespace {

class FlatForest {
 public:
    FlatForest(const nb::sequence& trees, Index features) : forest_(pack(trees, features)) {}

    template <class T>
    Output add(const Matrix<T>& x, Index first, std::optional<Index> last,
               const std::optional<Vector<std::int32_t>>& columns, Index out_cols) const {
        require(!columns || static_cast<Index>(columns->shape(0)) == forest_.trees(),
                "one column for each tree");
        require(out_cols >= 1, "there must be a column to add to");
        std::vector<double> out(x.shape(0) * static_cast<std::size_t>(out_cols));
        {
            GilReleased release;
            forest_.add(view(x), first, last.value_or(forest_.trees()),
                        columns ? columns->data() : nullptr, out.data(), out_cols);
        }
        return array(std::move(out), {x.shape(0), static_cast<std::size_t>(out_cols)});
    }

    template <class T>
    nb::ndarray<nb::numpy, std::int64_t> leaves(const Matrix<T>& x) const {
        const auto trees = static_cast<std::size_t>(forest_.trees());
        std::vector<std::int64_t> out(x.shape(0) * trees);
        {
            GilReleased release;
            forest_.leaves(view(x), out.data());
        }
        return owned(std::move(out), {x.shape(0), trees});
    }

    template <class T>
    nb::tuple paths(const Matrix<T>& x) const {
        tree::Forest::Paths paths;
        {
            GilReleased release;
            paths = forest_.paths(view(x));
        }
        return nb::make_tuple(owned(std::move(paths.offsets)), owned(std::move(paths.nodes)));
    }

    Index trees() const { return forest_.trees(); }
    Index width() const { return forest_.width(); }
    bool ranked() const { return forest_.ranked(); }

 private:
    static tree::Forest pack(const nb::sequence& trees, Index features) {
        const HeldTrees held(trees);
        require(!held.views().empty(), "a forest needs a tree");
        GilReleased release;
        return tree::Forest(held.views(), features, held.width());
    }
    tree::Forest forest_;
};

nb::tuple weakest_links(const Vector<std::int32_t>& left, const Vector<std::int32_t>& right,
                        const Vector<double>& risk) {
    require(left.shape(0) == right.shape(0) && left.shape(0) == risk.shape(0) && risk.shape(0) > 0,
            "a tree's arrays must have one length");
    tree::Cuts cuts;
    {
        GilReleased release;
        cuts = tree::weakest_links(left.data(), right.data(), risk.data(),
                                   static_cast<Index>(risk.shape(0)));
    }
    return nb::make_tuple(owned(std::move(cuts.node)), owned(std::move(cuts.alpha)),
                          owned(std::move(cuts.risk)));
}

template <class T, class Class>
void define(Class& forest) {
    using nb::arg;
    forest.def("add", &FlatForest::add<T>, arg("x").noconvert(), arg("first"), arg("last").none(),
               arg("columns").none(), arg("out_cols"),
               "Sums of the leaves' values over trees first … last - 1, tree t's from its column.");
    forest.def("leaves", &FlatForest::leaves<T>, arg("x").noconvert(),
               "The leaf of every row (down) in every tree (across).");
    forest.def("paths", &FlatForest::paths<T>, arg("x").noconvert(),
               "Offsets and numbers of the nodes each row passes, trees one after the other.");
}

}  // namespace

void bind_tree(nb::module_& module) {
    nb::class_<FlatForest> forest(module, "FlatForest", "Trees packed for prediction.");
    forest.def(nb::init<const nb::sequence&, Index>(), nb::arg("trees"), nb::arg("features"));
    define<double>(forest);
    define<float>(forest);
    forest.def_prop_ro("trees", &FlatForest::trees, "How many trees.");
    forest.def_prop_ro("ranked", &FlatForest::ranked,
                       "Whether so many rows were asked for that ranks of their numbers decide.");
    module.def("weakest_links", &weakest_links, nb::arg("left"), nb::arg("right"), nb::arg("risk"),
               "Nodes in the order of pruning, the penalty of each cut, and the risk after it.");
    forest.def_prop_ro("width", &FlatForest::width, "Numbers in a leaf's value.");
}

}  // namespace stylobate::bindings
