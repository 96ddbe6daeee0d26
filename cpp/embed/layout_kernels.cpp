#include "embed/layout_kernels.hpp"

#include "stylobate/kernel_table.hpp"

#define STYLOBATE_KERNELS(X) X(layout_rows)

STYLOBATE_TABLES(layout)
STYLOBATE_CHOICE(layout, avx512::table)
