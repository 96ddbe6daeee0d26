// A tree's NumPy arrays as the core reads them.
#pragma once

#include "bindings.hpp"
#include "tree/flat.hpp"

namespace stylobate::bindings {

// Holds the arrays of `stylobate.tree.Tree` objects for as long as their views are used.
class HeldTrees {
 public:
    explicit HeldTrees(const nb::sequence& trees) {
        for (nb::handle tree : trees) add(tree);
    }
    const std::vector<tree::TreeView>& views() const { return views_; }
    Index width() const { return width_; }

 private:
    template <class T>
    const T* array(nb::handle tree, const char* name, std::size_t& size) {
        auto held = nb::cast<Vector<T>>(nb::getattr(tree, name), false);
        size = held.shape(0);
        const T* const data = held.data();
        objects_.push_back(nb::cast(held));
        return data;
    }
    template <class T>
    const T* nodes_of(nb::handle tree, const char* name, const tree::TreeView& view) {
        std::size_t size = 0;
        const T* const data = array<T>(tree, name, size);
        require(static_cast<Index>(size) == view.nodes, "a tree's arrays must have one length");
        return data;
    }
    void add(nb::handle tree) {
        tree::TreeView view;
        std::size_t size = 0;
        view.left = array<std::int32_t>(tree, "children_left", size);
        view.nodes = static_cast<Index>(size);
        view.right = nodes_of<std::int32_t>(tree, "children_right", view);
        view.feature = nodes_of<std::int32_t>(tree, "feature", view);
        view.threshold = nodes_of<double>(tree, "threshold", view);
        view.missing_left = nodes_of<std::uint8_t>(tree, "missing_go_to_left", view);
        using Values = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
        auto values = nb::cast<Values>(nb::getattr(tree, "value"), false);
        const auto width = static_cast<Index>(values.shape(1) * values.shape(2));
        require(static_cast<Index>(values.shape(0)) == view.nodes,
                "a tree's arrays must have one length");
        require(width_ == 0 || width_ == width, "the trees' values must have one shape");
        width_ = width;
        view.value = values.data();
        objects_.push_back(nb::cast(values));
        view.category_start = nodes_of<std::int32_t>(tree, "category_start", view);
        view.categories = array<std::uint32_t>(tree, "categories", size);
        view.category_words = static_cast<Index>(size);
        views_.push_back(view);
    }

    std::vector<nb::object> objects_;
    std::vector<tree::TreeView> views_;
    Index width_ = 0;
};

}  // namespace stylobate::bindings
