#include "embed/stress_kernels.hpp"

#include "stylobate/kernel_table.hpp"

#define STYLOBATE_KERNELS(X) X(stress_row)

STYLOBATE_TABLES(stress)
STYLOBATE_CHOICE(stress, avx512::table)
