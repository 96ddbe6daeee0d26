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

void bind_arrow(nb::module_& module);
void bind_assignments(nb::module_& module);
void bind_runtime(nb::module_& module);
void bind_scan(nb::module_& module);
void bind_sketches(nb::module_& module);
void bind_parts(nb::module_& module);
void bind_plain(nb::module_& module);
void bind_census(nb::module_& module);
void bind_classes(nb::module_& module);
void bind_codes(nb::module_& module);
void bind_filters(nb::module_& module);
void bind_hnsw(nb::module_& module);
void bind_forest(nb::module_& module);
void bind_growth(nb::module_& module);
void bind_labels(nb::module_& module);
void bind_kmeans(nb::module_& module);
void bind_medoids(nb::module_& module);
void bind_linkage(nb::module_& module);
void bind_density_clusters(nb::module_& module);
void bind_mixtures(nb::module_& module);
void bind_silhouettes(nb::module_& module);
void bind_decomposition(nb::module_& module);
void bind_factorization(nb::module_& module);
void bind_scaling(nb::module_& module);
void bind_embedding(nb::module_& module);
void bind_ranks(nb::module_& module);
void bind_neighbour_layout(nb::module_& module);
void bind_lasso(nb::module_& module);
void bind_logistic_l1(nb::module_& module);
void bind_penalized(nb::module_& module);
void bind_multitask(nb::module_& module);
void bind_logistic(nb::module_& module);
void bind_resampling(nb::module_& module);
void bind_robust(nb::module_& module);
void bind_shap(nb::module_& module);
void bind_stochastic(nb::module_& module);
void bind_steps(nb::module_& module);
void bind_text(nb::module_& module);
void bind_tiles(nb::module_& module);
void bind_bumps(nb::module_& module);
void bind_boosting(nb::module_& module);
void bind_tree(nb::module_& module);
void bind_trees(nb::module_& module);
void bind_vocabulary(nb::module_& module);

}  // namespace stylobate::bindings
