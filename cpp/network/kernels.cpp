#include "network/kernels.hpp"

#include "stylobate/kernel_table.hpp"

// clang-format off: it never settles on one layout of this list
#define STYLOBATE_KERNELS(X) \
    X(product_f32) X(product_f64) \
    X(tap_product_f32) X(tap_product_f64) \
    X(tap_gradient_f32) X(tap_gradient_f64) \
    X(few_filters_f32) X(few_filters_f64) \
    X(halve_f32) X(halve_f64) \
    X(halve_back_f32) X(halve_back_f64) \
    X(largest_f32) X(largest_f64) \
    X(activate_f32) X(activate_f64) \
    X(slope_f32) X(slope_f64) \
    X(adam_f32) X(adam_f64) \
    X(momentum_f32) X(momentum_f64) \
    X(add_rows_f32) X(add_rows_f64) \
    X(add_f32) X(add_f64)
// clang-format on

namespace stylobate {
using network::Activation;
using network::FewFilters;
using network::Halves;
using network::HalvesBack;
using network::PoolRow;
using network::Product;
using network::RowSum;
using network::Step;
using network::TapGradient;
using network::TapProduct;
using network::Weights;
}  // namespace stylobate

STYLOBATE_TABLES(network)
STYLOBATE_CHOICE(network, avx512::table)
