// A zeroed block of rows of numbers, padded as the kernels like it.
#pragma once

#include "network/kernels.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::network {

inline Index rounded(Index n, Index unit) {
    return (n + unit - 1) / unit * unit;
}

template <class T>
class Block {
 public:
    Block() = default;
    // `cols` may be read in whole strips and in whole tiles of rows (when it stands transposed)
    Block(Index rows, Index cols)
        : stride_(odd_lines(rounded(cols + row_unit - 1, strip<T>))),
          memory_(area(rounded(rows, row_unit), stride_) / doubles + 16) {}

    T* data() { return reinterpret_cast<T*>(memory_.data()); }
    const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }
    T* row(Index i) { return data() + i * stride_; }
    const T* row(Index i) const { return data() + i * stride_; }
    Index stride() const { return stride_; }

 private:
    static constexpr Index doubles = static_cast<Index>(sizeof(double) / sizeof(T));
    // an odd number of cache lines: columns then do not fall into few cache sets
    static Index odd_lines(Index cols) {
        constexpr Index line = 64 / static_cast<Index>(sizeof(T));
        return line * ((cols / line) | 1);
    }
    Index stride_ = 0;
    Buffer memory_;
};

}  // namespace stylobate::network
