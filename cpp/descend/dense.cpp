#include "descend/dense.hpp"

#include "stylobate/simd.hpp"

#define STYLOBATE_DECLARE_DENSE(set)                                                            \
    namespace stylobate::set {                                                                  \
    double descend_dot(const double*, const double*, Index);                                    \
    void descend_axpy(double, const double*, double*, Index);                                   \
    void descend_products(const double*, Index, Index, const double*, Index, Index, Index,      \
                          double*, Index);                                                      \
    void correlate_rows_f64(const double*, Index, Index, Index, const double*, Index, Index,    \
                            double*, Index);                                                    \
    void correlate_rows_f32(const float*, Index, Index, Index, const double*, Index, Index,     \
                            double*, Index);                                                    \
    void correlate_columns_f64(const double*, Index, Index, Index, const double*, Index, Index, \
                               double*, Index);                                                 \
    void correlate_columns_f32(const float*, Index, Index, Index, const double*, Index, Index,  \
                               double*, Index);                                                 \
    }                                                                                           \
    namespace stylobate::descend::set {                                                         \
    constexpr DenseKernels table{                                                               \
        &stylobate::set::descend_dot,          &stylobate::set::descend_axpy,                   \
        &stylobate::set::descend_products,     &stylobate::set::correlate_rows_f64,             \
        &stylobate::set::correlate_rows_f32,   &stylobate::set::correlate_columns_f64,          \
        &stylobate::set::correlate_columns_f32};                                                \
    }

STYLOBATE_DECLARE_DENSE(base)
#ifdef STYLOBATE_X86
STYLOBATE_DECLARE_DENSE(avx2)
STYLOBATE_DECLARE_DENSE(avx512)
#endif

namespace stylobate::descend {

const DenseKernels& dense() {
    switch (isa()) {
#ifdef STYLOBATE_X86
        case Isa::avx512:
            return avx512::table;
        case Isa::avx2:
            return avx2::table;
#endif
        default:
            return base::table;
    }
}

}  // namespace stylobate::descend
