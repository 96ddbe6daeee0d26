// The bins of many numbers at once.
//
// No standard headers, as in every kernel file.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {

// Halving without branches, sixteen searches side by side: their latencies overlap.
void find_bins(const double* x, Index n, const double* edges, Index first_step,
               unsigned char missing, unsigned char* out) {
    constexpr Index group = 16;
    Index i = 0;
    for (; i < n; i += group) {
        const Index count = n - i < group ? n - i : group;
        double v[group];
        long long at[group] = {};
        for (Index k = 0; k < group; ++k) v[k] = x[i + (k < count ? k : 0)];
        for (Index step = first_step; step > 0; step /= 2)
            for (Index k = 0; k < group; ++k)
                at[k] += edges[at[k] + step - 1] < v[k] ? static_cast<long long>(step) : 0;
        for (Index k = 0; k < count; ++k)
            out[i + k] = v[k] == v[k] ? static_cast<unsigned char>(at[k]) : missing;
    }
}

}  // namespace stylobate::STYLOBATE_ISA
