// Two tables of dense rows, ranked by ‖x − y‖² or by −x·y, and the exact value of a pair: from the
// differences and in double precision, whatever the rows' own.
#pragma once

#include "tile/centre.hpp"
#include "tile/kernels.hpp"

namespace stylobate::tile {

inline double exact_pair(const double* x, const double* y, Index n, bool inner) {
    return inner ? -kernels().inner_product_f64(x, y, n) : kernels().squared_distance_f64(x, y, n);
}
inline double exact_pair(const float* x, const float* y, Index n, bool inner) {
    return inner ? -kernels().inner_product_f32(x, y, n) : kernels().squared_distance_f32(x, y, n);
}

template <class T>
struct RowPairs {
    MatrixView<T> x, y;  // queries and rows
    bool inner;
    std::vector<double> centre;  // what filters subtract; zeros for inner products

    RowPairs(const MatrixView<T>& queries, const MatrixView<T>& rows, bool by_inner)
        : x(queries), y(rows), inner(by_inner), centre(static_cast<std::size_t>(rows.cols), 0.0) {
        if (!inner) centre = centre_rows(y);
    }
    Index depth() const { return x.cols; }
    double exact(Index query, Index row) const {
        return exact_pair(x.row(query), y.row(row), x.cols, inner);
    }
    // Asks the memory for a row that will be measured soon.
    void fetch(Index row) const {
        constexpr Index line = 64 / static_cast<Index>(sizeof(T)), most = 8 * line;
        const T* const data = y.row(row);
        for (Index l = 0; l < std::min(x.cols, most); l += line) __builtin_prefetch(data + l);
    }
};

}  // namespace stylobate::tile
