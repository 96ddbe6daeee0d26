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

// out[l][w] = scale · (x[first + w][l] − centre[l]) of `count` ≤ width rows, zero for the others;
// norms[w] = Σ of the squares, before scaling, of what the panel's precision kept.
template <class T, class F>
void pack_panel(const MatrixView<T>& x, Index first, Index count, Index width, const double* centre,
                double scale, F* out, double* norms) {
    for (Index w = 0; w < width; ++w) {
        norms[w] = 0.0;
        if (w >= count) {
            for (Index l = 0; l < x.cols; ++l) out[l * width + w] = F(0);
            continue;
        }
        const T* row = x.row(first + w);
        double sum = 0.0;
        for (Index l = 0; l < x.cols; ++l) {
            const double value = static_cast<double>(row[l * x.col_stride]);
            const F kept = static_cast<F>(centre == nullptr ? value : value - centre[l]);
            sum += static_cast<double>(kept) * static_cast<double>(kept);
            out[l * width + w] = static_cast<F>(scale) * kept;
        }
        norms[w] = sum;
    }
}

}  // namespace stylobate::tile
