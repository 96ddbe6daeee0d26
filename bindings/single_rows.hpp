// Rows that methods visit one at a time, from NumPy and SciPy arrays.
#pragma once

#include "descend/row_access.hpp"
#include "rows.hpp"

namespace stylobate::bindings {

template <class T>
descend::DenseRows<T> dense_rows(const Matrix<T>& x) {
    const MatrixView<T> seen = view(x);
    require(seen.rows_contiguous(), "the entries of a row must lie side by side");
    return descend::DenseRows<T>(seen);
}

template <class T, class I>
descend::SparseRows<T, I> sparse_rows(const Vector<T>& values, const Vector<I>& indices,
                                      const Vector<I>& offsets, Index cols) {
    compressed(values, indices, offsets, cols);  // checks the structure
    return descend::SparseRows<T, I>(SparseView<T, I>{values.data(), indices.data(), offsets.data(),
                                                      static_cast<Index>(offsets.shape(0)) - 1,
                                                      cols});
}

}  // namespace stylobate::bindings
