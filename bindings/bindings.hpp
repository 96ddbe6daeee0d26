// What every binding file needs: views of NumPy arrays, and arrays that own what we computed.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "gil.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/views.hpp"

namespace nb = nanobind;

namespace stylobate::bindings {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;  // any strides
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Packed = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<nb::numpy, double>;

template <class T>
MatrixView<T> view(const Matrix<T>& x) {
    return {x.data(), static_cast<Index>(x.shape(0)), static_cast<Index>(x.shape(1)), x.stride(0),
            x.stride(1)};
}

inline void require(bool condition, const char* message) {
    if (!condition) throw InvalidArgument(message);
}

// A NumPy array that takes over the vector's memory.
template <class T>
nb::ndarray<nb::numpy, T> owned(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto held = std::make_unique<std::vector<T>>(std::move(values));
    T* data = held->data();
    nb::capsule owner(held.release(),
                      [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

// The same in one dimension.
template <class T>
nb::ndarray<nb::numpy, T> owned(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return owned(std::move(values), {size});
}

inline Output array(std::vector<double>&& values, std::initializer_list<std::size_t> shape) {
    return owned(std::move(values), shape);
}

}  // namespace stylobate::bindings
