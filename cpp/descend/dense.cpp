#include "descend/dense.hpp"

#include <type_traits>

#define STYLOBATE_DECLARE_DENSE(set)                                                        \
    namespace stylobate::set {                                                              \
    using descend::DenseKernels;                                                            \
    double descend_dot(const double*, const double*, Index);                                \
    void descend_axpy(double, const double*, double*, Index);                               \
    void descend_products(const double*, Index, Index, const double*, Index, Index, Index,  \
                          double*, Index);                                                  \
    void descend_dots(const double* const*, Index, const double*, Index, double*);          \
    void descend_combine(const double* const*, const double*, Index, double*, Index);       \
    DenseKernels::Sums<double> correlate_rows_f64, correlate_columns_f64, squares_rows_f64, \
        squares_columns_f64;                                                                \
    DenseKernels::Sums<float> correlate_rows_f32, correlate_columns_f32, squares_rows_f32,  \
        squares_columns_f32;                                                                \
    std::remove_pointer_t<decltype(DenseKernels::gram_f32)> gram_f32;                       \
    }                                                                                       \
    namespace stylobate::descend::set {                                                     \
    constexpr DenseKernels table{                                                           \
        &stylobate::set::descend_dot,           &stylobate::set::descend_axpy,              \
        &stylobate::set::descend_products,      &stylobate::set::descend_dots,              \
        &stylobate::set::descend_combine,       &stylobate::set::correlate_rows_f64,        \
        &stylobate::set::correlate_rows_f32,    &stylobate::set::correlate_columns_f64,     \
        &stylobate::set::correlate_columns_f32, &stylobate::set::squares_rows_f64,          \
        &stylobate::set::squares_rows_f32,      &stylobate::set::squares_columns_f64,       \
        &stylobate::set::squares_columns_f32,   &stylobate::set::gram_f32};                 \
    }

STYLOBATE_DECLARE_DENSE(base)
#ifdef STYLOBATE_X86
STYLOBATE_DECLARE_DENSE(avx2)
STYLOBATE_DECLARE_DENSE(avx512)
#endif

namespace stylobate::descend {

const DenseKernels* dense_of(Isa which) {
    if (!machine_has(which)) return nullptr;
    switch (which) {
#ifdef STYLOBATE_X86
        case Isa::vnni:
        case Isa::avx512:
            return &avx512::table;
        case Isa::avx2:
            return &avx2::table;
#endif
        default:
            return &base::table;
    }
}

const DenseKernels& dense() {
    static const DenseKernels& best = *dense_of(isa());
    return best;
}

}  // namespace stylobate::descend
