#include "stylobate/simd.hpp"

#include <cstdlib>
#include <string_view>

namespace stylobate {

bool machine_has([[maybe_unused]] Isa which) {
#ifdef STYLOBATE_X86
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (which == Isa::avx2) return avx2;
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512bw");
    if (which == Isa::avx512) return avx512;
    if (which == Isa::vnni) return avx512 && __builtin_cpu_supports("avx512vnni");
#endif
    return which == Isa::base;
}

namespace {

const char* name_of(Isa which) {
    switch (which) {
        case Isa::vnni:
            return "vnni";
        case Isa::avx512:
            return "avx512";
        case Isa::avx2:
            return "avx2";
        default:
            return "base";
    }
}

Isa best_isa() {
    const char* text = std::getenv("STYLOBATE_ISA");
    const std::string_view wish = text == nullptr ? "" : text;
    constexpr Isa sets[] = {Isa::vnni, Isa::avx512, Isa::avx2};
    bool allowed = wish != name_of(Isa::base);
    for (const Isa which : sets) allowed = allowed && wish != name_of(which);
    for (const Isa which : sets) {
        allowed = allowed || wish == name_of(which);
        if (allowed && machine_has(which)) return which;
    }
    return Isa::base;
}

}  // namespace

Isa isa() {
    static const Isa best = best_isa();
    return best;
}

const char* isa_name() {
    return name_of(isa());
}

}  // namespace stylobate
