#include "stylobate/simd.hpp"

#include <cstdlib>
#include <string_view>

namespace stylobate {

#define STYLOBATE_DECLARE(set)                                                                \
    namespace set {                                                                           \
    void gram(const double*, Index, Index, Index, Index, double*, Index, const void*, Index); \
    void pack_f64(const MatrixView<double>&, const double*, double*, Index);                  \
    void pack_f32(const MatrixView<float>&, const double*, double*, Index);                   \
    constexpr Kernels table{&gram, &pack_f64, &pack_f32};                                     \
    }

STYLOBATE_DECLARE(base)
#ifdef STYLOBATE_X86
STYLOBATE_DECLARE(avx2)
STYLOBATE_DECLARE(avx512)
#endif

namespace {

Isa best_isa() {
#ifdef STYLOBATE_X86
    const char* text = std::getenv("STYLOBATE_ISA");
    const std::string_view wish = text == nullptr ? "" : text;
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (wish == "base" || !avx2) return Isa::base;
    return wish == "avx2" || !avx512 ? Isa::avx2 : Isa::avx512;
#else
    return Isa::base;
#endif
}

}  // namespace

Isa isa() {
    static const Isa best = best_isa();
    return best;
}

const char* isa_name() {
    switch (isa()) {
        case Isa::avx512: return "avx512";
        case Isa::avx2: return "avx2";
        default: return "base";
    }
}

const Kernels& kernels() {
#ifdef STYLOBATE_X86
    if (isa() == Isa::avx512) return avx512::table;
    if (isa() == Isa::avx2) return avx2::table;
#endif
    return base::table;
}

}  // namespace stylobate
