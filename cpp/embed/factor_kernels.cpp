#include "embed/factor_kernels.hpp"

#include "stylobate/kernel_table.hpp"

#define STYLOBATE_KERNELS(X) \
    X(sweep)                 \
    X(gathered_dots)         \
    X(gathered_sums)         \
    X(gathered_sums_i32)     \
    X(squared_distance)      \
    X(scaled_powers)         \
    X(relative_entropy) X(exp_digamma) X(digamma_differences) X(word_ratios) X(topic_sums)

STYLOBATE_TABLES(factors)
STYLOBATE_CHOICE(factors, avx512::table)
