// Rows packed for the micro-kernels: `width` rows side by side, column after column.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "stylobate/buffer.hpp"
#include "stylobate/views.hpp"

namespace stylobate::tile {

// 64-byte aligned numbers, not set.
template <class F>
class Aligned {
 public:
    Aligned() = default;
    explicit Aligned(Index size)
        : buffer_(Buffer::unset((size * static_cast<Index>(sizeof(F)) + 7) / 8)) {}
    F* data() { return reinterpret_cast<F*>(buffer_.data()); }
    const F* data() const { return reinterpret_cast<const F*>(buffer_.data()); }
    F& operator[](Index i) { return data()[i]; }

 private:
    Buffer buffer_;
};

constexpr Index round_up(Index n, Index unit) {
    return (n + unit - 1) / unit * unit;
}

// Some rows of a table, in the order of a list; all of them where it is null.
template <class T>
struct SelectedRows {
    MatrixView<T> all;
    const Index* which = nullptr;
    Index count = 0;

    SelectedRows(const MatrixView<T>& table) : all(table), count(table.rows) {}  // NOLINT
    SelectedRows(const MatrixView<T>& table, const Index* rows, Index n)
        : all(table), which(rows), count(rows == nullptr ? table.rows : n) {}
    const T* row(Index i) const { return all.row(which == nullptr ? i : which[i]); }
};

// out[l][w] = scale · (x[first + w][l] − centre[l]) of `count` ≤ width rows, zero for the others;
// norms[w] = Σ of the squares, before scaling, of what the panel's precision kept.
template <class T, class F>
void pack_panel(const SelectedRows<T>& x, Index first, Index count, Index width,
                const double* centre, double scale, F* out, double* norms) {
    const Index cols = x.all.cols, stride = x.all.col_stride;
    for (Index w = 0; w < width; ++w) {
        if (w >= count) {
            for (Index l = 0; l < cols; ++l) out[l * width + w] = F(0);
            continue;
        }
        const T* row = x.row(first + w);
        for (Index l = 0; l < cols; ++l) {
            const double value = static_cast<double>(row[l * stride]);
            out[l * width + w] = static_cast<F>(centre == nullptr ? value : value - centre[l]);
        }
    }
    // The rows side by side: each is summed in the order of its columns, all of them in vectors.
    for (Index w = 0; w < width; ++w) norms[w] = 0.0;
    for (Index l = 0; l < cols; ++l)
        for (Index w = 0; w < width; ++w) {
            const auto kept = static_cast<double>(out[l * width + w]);
            norms[w] += kept * kept;
        }
    if (scale == 1.0) return;
    for (Index i = 0; i < cols * width; ++i) out[i] *= static_cast<F>(scale);
}

template <class T, class F>
void pack_panel(const MatrixView<T>& x, Index first, Index count, Index width, const double* centre,
                double scale, F* out, double* norms) {
    pack_panel(SelectedRows<T>(x), first, count, width, centre, scale, out, norms);
}

}  // namespace stylobate::tile
