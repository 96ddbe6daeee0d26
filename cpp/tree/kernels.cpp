#include "tree/kernels.hpp"

#include "stylobate/kernel_table.hpp"

// clang-format off
#define STYLOBATE_KERNELS(X) \
    X(find_bins) X(key_extremes_16) X(key_extremes_32) X(key_counts_16) X(key_counts_32) \
    X(key_sums_16) X(key_sums_32) X(key_part_16) X(key_part_32) X(histogram_add) \
    X(histogram_unpack) X(best_gain) X(part_rows) X(find_ranks) X(walk_cells) X(sort_keys) \
    X(two_class_cuts) X(two_class_codes) X(best_step_gain) X(open_steps)
// clang-format on

STYLOBATE_TABLES(tree)
STYLOBATE_CHOICE(tree, avx512::table)
