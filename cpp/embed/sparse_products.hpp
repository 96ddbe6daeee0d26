// Products of compressed rows with a factor.
#pragma once

#include <type_traits>
#include <vector>

#include "embed/factor_kernels.hpp"
#include "embed/padded_factor.hpp"

namespace stylobate::embed {

// sum += x_i F of a compressed row; entries are read where they lie, unless they are single.
template <class T, class I>
void add_products(const SparseView<T, I>& x, Index i, const PaddedFactor& f,
                  std::vector<double>& scratch, double* sum) {
    const auto first = static_cast<Index>(x.offsets[i]);
    const Index count = static_cast<Index>(x.offsets[i + 1]) - first;
    const double* values = nullptr;
    if constexpr (std::is_same_v<T, double>) {
        values = x.values + first;
    } else {
        scratch.assign(x.values + first, x.values + first + count);
        values = scratch.data();
    }
    const double* const rows = f.data.data();
    if constexpr (sizeof(I) == sizeof(Index))
        factors::kernels().gathered_sums(
            rows, f.ld, f.k, reinterpret_cast<const Index*>(x.indices + first), count, values, sum);
    else
        factors::kernels().gathered_sums_i32(rows, f.ld, f.k, x.indices + first, count, values,
                                             sum);
}

}  // namespace stylobate::embed
