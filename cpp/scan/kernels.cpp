#include "scan/kernels.hpp"

#include "stylobate/kernel_table.hpp"

// clang-format off
#define STYLOBATE_KERNELS(X) \
    X(gram) X(pack_f64) X(pack_f32) X(quadratics) X(exp) X(logistic) X(row_products) \
    X(add_rows) X(multiply) X(real_keys) X(hash_keys) X(all_finite) X(extent) X(power_sums) \
    X(column_extent) X(column_squares) X(add_class_rows) X(lane_pack) X(lane_linear) \
    X(lane_squares) X(lane_triangular) X(lane_highest) X(lane_memberships) X(lane_moments) \
    X(pack_members) X(both_products) X(is_mirrored) X(compare_numbers)
// clang-format on

STYLOBATE_TABLES(scan)
STYLOBATE_CHOICE(scan, avx512::table)
