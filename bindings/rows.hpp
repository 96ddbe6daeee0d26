// Rows of [X, Y] with weights, from NumPy and SciPy arrays: shared by the bindings of the scans.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings.hpp"
#include "scan/rows.hpp"
#include "scan/structure.hpp"

namespace stylobate::bindings {

using Targets = std::optional<Matrix<double>>;
using Weights = std::optional<Vector<double>>;

template <class Features>
scan::Rows<Features> rows(Features x, const Targets& y, const Weights& w) {
    require(!y || static_cast<Index>(y->shape(0)) == x.rows(), "x and y differ in rows");
    require(!w || static_cast<Index>(w->shape(0)) == x.rows(), "x and weights differ in rows");
    return {x, y ? view(*y) : MatrixView<double>{nullptr, x.rows(), 0, 0, 0},
            w ? w->data() : nullptr};
}

template <class T, class I>
scan::SparseFeatures<T, I> compressed(const Vector<T>& values, const Vector<I>& indices,
                                      const Vector<I>& offsets, Index cols) {
    require(offsets.shape(0) >= 1, "offsets must have one entry more than there are rows");
    const auto major = static_cast<Index>(offsets.shape(0)) - 1;
    const auto entries = static_cast<Index>(values.shape(0));
    require(static_cast<Index>(indices.shape(0)) == entries, "values and indices differ in length");
    const SparseView<T, I> x{values.data(), indices.data(), offsets.data(), major, cols};
    GilReleased release;
    scan::check_structure(x, entries);
    return scan::SparseFeatures<T, I>(x);
}

}  // namespace stylobate::bindings
