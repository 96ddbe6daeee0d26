#include "network/tabular_kernels.hpp"

#include "stylobate/kernel_table.hpp"

#define STYLOBATE_KERNELS(X) \
    X(mish_f32)              \
    X(mish_f64)              \
    X(angles_f32)            \
    X(angles_f64)            \
    X(drop_f32) X(drop_f64) X(scaled_f32) X(scaled_f64) X(add_scaled_f32) X(add_scaled_f64)

namespace stylobate {
using network::tabular::Dropout;
}  // namespace stylobate

STYLOBATE_TABLES(network::tabular)
STYLOBATE_CHOICE(network::tabular, avx512::table)
