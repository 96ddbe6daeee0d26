// Sparse columns from Python, and grown trees as Python holds them.
#pragma once

#include "bindings.hpp"
#include "scan/structure.hpp"
#include "tree/growth.hpp"

namespace stylobate::bindings {

inline tree::SparseColumns compressed_columns(const Vector<double>& values,
                                              const Vector<std::int32_t>& indices,
                                              const Vector<std::int32_t>& offsets, Index rows) {
    require(offsets.shape(0) >= 1, "offsets must have one entry more than there are columns");
    require(indices.shape(0) == values.shape(0), "values and indices differ in length");
    const tree::SparseColumns x{values.data(), indices.data(), offsets.data(),
                                static_cast<Index>(offsets.shape(0)) - 1, rows};
    GilReleased release;
    scan::check_structure(x, static_cast<Index>(values.shape(0)));
    return x;
}

inline nb::dict arrays_of(tree::GrownTree&& tree, Index outputs) {
    const std::size_t nodes = tree.left.size();
    const std::size_t width = tree.value.size() / nodes;
    const auto per_output = static_cast<std::size_t>(outputs);
    nb::dict out;
    out["children_left"] = owned(std::move(tree.left));
    out["children_right"] = owned(std::move(tree.right));
    out["feature"] = owned(std::move(tree.feature));
    out["threshold"] = owned(std::move(tree.threshold));
    out["missing_go_to_left"] = owned(std::move(tree.missing_left));
    out["impurity"] = owned(std::move(tree.impurity));
    out["n_node_samples"] = owned(std::move(tree.samples));
    out["weighted_n_node_samples"] = owned(std::move(tree.weight));
    out["value"] = owned(std::move(tree.value), {nodes, per_output, width / per_output});
    out["category_start"] = owned(std::move(tree.category_start));
    out["categories"] = owned(std::move(tree.categories));
    return out;
}

}  // namespace stylobate::bindings
