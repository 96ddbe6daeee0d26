// Vectors of numbers as the kernels of networks hold and load them.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

template <class T>
struct Lanes {
    typedef T Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
    typedef T Loose  // that may lie anywhere
        __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(sizeof(T)), may_alias));
    static constexpr Index count = STYLOBATE_VECTOR_BYTES / static_cast<Index>(sizeof(T));
};

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
