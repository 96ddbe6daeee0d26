// Views of the caller's memory: nothing here owns or copies.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stylobate {

using Index = std::ptrdiff_t;

// A dense matrix of any layout: element (i, j) lies at data[i * row_stride + j * col_stride].
// Strides count elements and may be zero or negative, as NumPy's may. Its functions are always
// inlined: kernels use them, and a copy compiled for one instruction set must not be linked into
// code for another.
template <class T>
struct MatrixView {
    const T* data = nullptr;
    Index rows = 0;
    Index cols = 0;
    Index row_stride = 0;
    Index col_stride = 0;

    [[gnu::always_inline]] const T& operator()(Index i, Index j) const {
        return data[i * row_stride + j * col_stride];
    }
    [[gnu::always_inline]] const T* row(Index i) const { return data + i * row_stride; }
    [[gnu::always_inline]] bool rows_contiguous() const { return col_stride == 1 || cols <= 1; }
};

// Compressed rows (CSR), or with the roles of rows and columns exchanged compressed columns (CSC).
template <class T, class I>
struct SparseView {
    const T* values = nullptr;
    const I* indices = nullptr;
    const I* offsets = nullptr;  // major + 1 entries
    Index major = 0;             // rows of a CSR matrix, columns of a CSC one
    Index minor = 0;
};

}  // namespace stylobate
