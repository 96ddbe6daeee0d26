// The kernels of keys, by the width of a key.
#pragma once

#include "tree/kernels.hpp"
#include "tree/ranked.hpp"

namespace stylobate::tree {

template <class Key>
struct KeyKernels;

template <>
struct KeyKernels<std::uint16_t> {
    static auto extremes() { return kernels().key_extremes_16; }
    static auto counts() { return kernels().key_counts_16; }
    static auto sums() { return kernels().key_sums_16; }
    static auto part() { return kernels().key_part_16; }
};

template <>
struct KeyKernels<std::uint32_t> {
    static auto extremes() { return kernels().key_extremes_32; }
    static auto counts() { return kernels().key_counts_32; }
    static auto sums() { return kernels().key_sums_32; }
    static auto part() { return kernels().key_part_32; }
};

// Rows of keys: those listed, or where null the first ones.
template <class Key>
struct KeyView {
    const Key* keys;
    const Row* rows;
};

}  // namespace stylobate::tree
