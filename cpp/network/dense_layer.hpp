// A dense layer's weights (inputs × outputs, rows side by side), packed for its two products.
#pragma once

#include <algorithm>

#include "network/block.hpp"

namespace stylobate::network {

template <class T>
class DenseLayer {
 public:
    static constexpr Index unit_rows = 96;  // whole tiles and whole strips on every machine

    DenseLayer(Index inputs, Index outputs, T* weights, T* bias, bool first)
        : inputs_(inputs),
          outputs_(outputs),
          weights_(weights),
          bias_(bias),
          first_(first),
          forward_(strips(outputs), inputs * strip<T>),
          padded_bias_(1, outputs) {
        if (!first) backward_ = Block<T>(strips(inputs), outputs * strip<T>);
        pack_bias();
    }

    Index inputs() const { return inputs_; }
    Index outputs() const { return outputs_; }
    T* weights() const { return weights_; }
    T* bias() const { return bias_; }
    const T* padded_bias() const { return padded_bias_.data(); }
    Index units() const { return std::max<Index>(1, (inputs_ + unit_rows - 1) / unit_rows); }

    // The packed copies of some rows of the weights, a whole number of units of them.
    void pack(Index from, Index to) {
        for (Index i = from; i < to; ++i) {
            const T* row = weights_ + i * outputs_;
            for (Index s = 0; s < strips(outputs_); ++s)
                std::copy(row + s * strip<T>, row + std::min(outputs_, (s + 1) * strip<T>),
                          forward_.row(s) + i * strip<T>);
        }
        if (first_) return;
        for (Index i = from; i < to; ++i) {
            T* out = backward_.row(i / strip<T>) + i % strip<T>;
            for (Index j = 0; j < outputs_; ++j) out[j * strip<T>] = weights_[i * outputs_ + j];
        }
    }
    void pack_bias() { std::copy(bias_, bias_ + outputs_, padded_bias_.data()); }

    // z = x·W + b, and max(·, 0) if asked for
    void forward(const T* x, Index x_stride, Index rows, bool floor, T* z, Index z_stride) const {
        product({x, x_stride, 1, forward_.data(), strip<T>, forward_.stride(),
                 rounded(rows, row_unit), inputs_, outputs_, padded_bias_.data(), false, floor, z,
                 z_stride});
    }
    // the derivative by x: d·Wᵀ
    void backward(const T* d, Index d_stride, Index rows, T* dx, Index dx_stride) const {
        product({d, d_stride, 1, backward_.data(), strip<T>, backward_.stride(),
                 rounded(rows, row_unit), outputs_, inputs_, nullptr, false, false, dx, dx_stride});
    }

 private:
    static Index strips(Index cols) { return (cols + strip<T> - 1) / strip<T>; }

    Index inputs_, outputs_;
    T *weights_, *bias_;
    bool first_;  // whose input has no derivative
    Block<T> forward_, backward_, padded_bias_;
};

}  // namespace stylobate::network
