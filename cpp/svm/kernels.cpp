#include "svm/kernels.hpp"

#include "stylobate/kernel_table.hpp"

#define STYLOBATE_KERNELS(X) \
    X(svm_largest)           \
    X(svm_partner_f64)       \
    X(svm_partner_f32)       \
    X(svm_move_f64) X(svm_move_f32) X(svm_powers_of_two) X(svm_add_weighted_powers)

STYLOBATE_TABLES(svm)
STYLOBATE_CHOICE(svm, avx512::table)
