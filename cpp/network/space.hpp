// Memory of one task, written before it is read.
#pragma once

#include <algorithm>

#include "network/kernels.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::network {

// Numbers that start on a cache line; the end is zero, for reads that run on to whole vectors.
template <class T>
class Space {
 public:
    explicit Space(Index size)
        : memory_(Buffer::unset(area(size + tap_slack, static_cast<Index>(sizeof(T))) / 8 + 1)) {
        std::fill_n(data() + size, tap_slack, T(0));
    }
    T* data() { return reinterpret_cast<T*>(memory_.data()); }

 private:
    Buffer memory_;
};

}  // namespace stylobate::network
