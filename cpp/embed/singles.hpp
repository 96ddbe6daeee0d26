// Eight floats at a time, whatever the width of the machine's vectors; for kernel files only.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef float Eight __attribute__((vector_size(32)));

[[maybe_unused]] Eight load_eight(const float* p) {
    Eight v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

[[maybe_unused]] void store_eight(float* p, Eight v) {
    __builtin_memcpy(p, &v, sizeof(v));
}

[[maybe_unused]] double sum_of(Eight v) {
    double sum = 0;
    for (Index i = 0; i < 8; ++i) sum += static_cast<double>(v[i]);
    return sum;
}

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
