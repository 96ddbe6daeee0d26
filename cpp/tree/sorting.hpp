// Sorting numbers by their bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace stylobate::boost {

// Three passes over the upper 33 bits; what they leave tied is sorted by comparison.
inline void sort_numbers(std::vector<double>& values) {
    constexpr int bits = 11, passes = 3, low = 64 - bits * passes;
    constexpr std::size_t radix = std::size_t{1} << bits;
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const std::size_t n = values.size();
    if (n < 4 * radix) {
        std::sort(values.begin(), values.end());
        return;
    }
    std::vector<std::uint64_t> a(n), b(n);
    std::array<std::vector<std::size_t>, passes> counts;
    for (auto& count : counts) count.assign(radix, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const auto word = std::bit_cast<std::uint64_t>(values[i] + 0.0);  // one zero
        a[i] = (word & sign) != 0 ? ~word : word | sign;
        for (int p = 0; p < passes; ++p)
            ++counts[static_cast<std::size_t>(p)][a[i] >> (low + bits * p) & (radix - 1)];
    }
    for (int p = 0; p < passes; ++p) {
        auto& count = counts[static_cast<std::size_t>(p)];
        std::size_t sum = 0;
        for (std::size_t& c : count) {
            const std::size_t here = c;
            c = sum;
            sum += here;
        }
        for (const std::uint64_t key : a) b[count[key >> (low + bits * p) & (radix - 1)]++] = key;
        a.swap(b);
    }
    for (std::size_t from = 0, to = 0; from < n; from = to) {
        for (to = from + 1; to < n && a[to] >> low == a[from] >> low;) ++to;
        if (to - from > 1)
            std::sort(a.begin() + static_cast<std::ptrdiff_t>(from),
                      a.begin() + static_cast<std::ptrdiff_t>(to));
    }
    for (std::size_t i = 0; i < n; ++i)
        values[i] = std::bit_cast<double>((a[i] & sign) != 0 ? a[i] & ~sign : ~a[i]);
}

}  // namespace stylobate::boost
