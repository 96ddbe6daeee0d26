// C = A·B + bias of matrices of any strides, by packed blocks.
#pragma once

#include "network/kernels.hpp"

namespace stylobate::network {

template <class T>
struct Strided {
    const T* data;
    Index rows, cols, row, col;  // the strides last

    const T& operator()(Index i, Index j) const { return data[i * row + j * col]; }
    Strided transposed() const { return {data, cols, rows, col, row}; }
};

// c(i, j) lies at c[i·cols(b) + j]; it is overwritten, or added to. `bias` (per column) may be
// null.
template <class T>
void multiply(const Strided<T>& a, const Strided<T>& b, const T* bias, bool adds, T* c);

}  // namespace stylobate::network
