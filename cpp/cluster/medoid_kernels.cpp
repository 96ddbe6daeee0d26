#include "cluster/medoid_kernels.hpp"

#include "stylobate/kernel_table.hpp"

#define STYLOBATE_KERNELS(X) X(medoid_below) X(medoid_swaps)

STYLOBATE_TABLES(medoids)
STYLOBATE_CHOICE(medoids, avx512::table)
