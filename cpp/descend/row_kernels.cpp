#include "descend/row_kernels.hpp"

#include "stylobate/simd.hpp"

namespace stylobate {

#define STYLOBATE_DECLARE(set)                                                                     \
    namespace set {                                                                                \
    double dot_f64(const double*, const double*, Index);                                           \
    double dot_f32(const float*, const double*, Index);                                            \
    void add_f64(double, const double*, double*, Index);                                           \
    void add_f32(double, const float*, double*, Index);                                            \
    double centred_dot_f64(const double*, const double*, const double*, Index);                    \
    double centred_dot_f32(const float*, const double*, const double*, Index);                     \
    void saga_f64(const descend::SagaStep&, const double*, const double*, double*, double*,        \
                  Index);                                                                          \
    void saga_f32(const descend::SagaStep&, const float*, const double*, double*, double*, Index); \
    constexpr descend::RowKernels row_table{&dot_f64,  &dot_f32,         &add_f64,                 \
                                            &add_f32,  &centred_dot_f64, &centred_dot_f32,         \
                                            &saga_f64, &saga_f32};                                 \
    }

STYLOBATE_DECLARE(base)
#ifdef STYLOBATE_X86
STYLOBATE_DECLARE(avx2)
STYLOBATE_DECLARE(avx512)
#endif

const descend::RowKernels& descend::row_kernels() {
#ifdef STYLOBATE_X86
    if (isa() >= Isa::avx512) return avx512::row_table;
    if (isa() == Isa::avx2) return avx2::row_table;
#endif
    return base::row_table;
}

}  // namespace stylobate
