#include "network/norm_kernels.hpp"

#include "stylobate/kernel_table.hpp"

// clang-format off: it never settles on one layout of this list
#define STYLOBATE_KERNELS(X) \
    X(normalize_row_f32) X(normalize_row_f64) \
    X(normalize_row_back_f32) X(normalize_row_back_f64) \
    X(add_channels_f32) X(add_channels_f64) \
    X(add_slopes_f32) X(add_slopes_f64) \
    X(normalize_channels_f32) X(normalize_channels_f64) \
    X(normalize_channels_back_f32) X(normalize_channels_back_f64)
// clang-format on

namespace stylobate {
using network::norms::ChannelBack;
using network::norms::ChannelForward;
using network::norms::Example;
using network::norms::RowBack;
using network::norms::RowForward;
}  // namespace stylobate

STYLOBATE_TABLES(network::norms)
STYLOBATE_CHOICE(network::norms, avx512::table)
