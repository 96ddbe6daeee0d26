#include "cluster/linkage_kernels.hpp"

#include "stylobate/kernel_table.hpp"

#define STYLOBATE_KERNELS(X) X(point_distances) X(least_entry)

namespace stylobate {
using linkage::PointColumns;
}

STYLOBATE_TABLES(linkage)
STYLOBATE_CHOICE(linkage, avx512::table)
