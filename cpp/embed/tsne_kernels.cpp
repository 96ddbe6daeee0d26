#include "embed/tsne_kernels.hpp"

#include "stylobate/kernel_table.hpp"

#define STYLOBATE_KERNELS(X) \
    X(tsne_fourier)          \
    X(tsne_rows_to_lanes)    \
    X(tsne_lanes_to_rows) X(tsne_multiply) X(tsne_repulsion) X(tsne_attraction)

STYLOBATE_TABLES(tsne)
STYLOBATE_CHOICE(tsne, avx512::table)
