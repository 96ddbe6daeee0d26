// Batches of examples as the layers of networks take and give them.
#pragma once

#include <memory>
#include <utility>

#include "bindings.hpp"
#include "network/batch_norm.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::bindings {

template <class T>
Index rows_of(const Packed<T>& x) {
    return static_cast<Index>(x.shape(0));
}

template <class T>
Index cols_of(const Packed<T>& x) {
    return static_cast<Index>(x.shape(1));
}

template <class T>
void require_like(const Packed<T>& d, Index rows, Index cols) {
    require(rows_of(d) == rows && cols_of(d) == cols, "the derivatives do not fit the layer");
}

template <class T>
network::Channels channels_of(const Packed<T>& x, Index channels) {
    require(channels >= 1 && cols_of(x) % channels == 0, "the rows do not have these channels");
    return {rows_of(x), channels, cols_of(x) / channels};
}

// Outputs that are written whole: memory is not cleared first. One return type for both precisions,
// or the stubs' overloads would overlap.
template <class T>
class Fresh {
 public:
    Fresh(Index rows, Index cols)
        : rows_(rows),
          cols_(cols),
          memory_(std::make_unique<Buffer>(
              Buffer::unset(area(area(rows, cols), sizeof(T)) / sizeof(double) + 1))) {}
    T* data() { return reinterpret_cast<T*>(memory_->data()); }
    nb::object given() && {
        T* data_ = data();
        nb::capsule owner(memory_.release(),
                          [](void* p) noexcept { delete static_cast<Buffer*>(p); });
        const std::initializer_list<std::size_t> shape{static_cast<std::size_t>(rows_),
                                                       static_cast<std::size_t>(cols_)};
        return nb::cast(nb::ndarray<nb::numpy, T>(data_, shape, owner));
    }

 private:
    Index rows_, cols_;
    std::unique_ptr<Buffer> memory_;
};

}  // namespace stylobate::bindings
