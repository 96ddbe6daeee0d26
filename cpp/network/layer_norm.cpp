#include "network/layer_norm.hpp"

#include "network/examples.hpp"
#include "network/norm_kernels.hpp"

namespace stylobate::network {

template <class T>
void normalize_rows(const Channels& c, const T* x, double epsilon, const T* scale, const T* shift,
                    T* y, double* means, double* inverses) {
    const Index size = c.channels * c.area;
    over_examples(c.images, size, [&](Index first, Index end) {
        for (Index row = first; row < end; ++row)
            norms::normalize_row(
                {x + row * size, c.channels, c.area},
                {epsilon, scale, shift, y + row * size, means + row, inverses + row});
    });
}

template <class T>
void normalize_rows_back(const Channels& c, const T* x, const double* means, const double* inverses,
                         const T* scale, const T* dy, T* dx, T* d_scale, T* d_shift) {
    const Index size = c.channels * c.area;
    const auto sums = summed_examples(c.images, 2 * c.channels, [&](Index row, double* part) {
        norms::normalize_row_back({x + row * size, c.channels, c.area},
                                  {means[row], inverses[row], scale, dy + row * size,
                                   dx + row * size, part, part + c.channels});
    });
    for (Index k = 0; k < c.channels; ++k) {
        d_scale[k] = static_cast<T>(sums[static_cast<std::size_t>(k)]);
        d_shift[k] = static_cast<T>(sums[static_cast<std::size_t>(c.channels + k)]);
    }
}

template void normalize_rows(const Channels&, const float*, double, const float*, const float*,
                             float*, double*, double*);
template void normalize_rows(const Channels&, const double*, double, const double*, const double*,
                             double*, double*, double*);
template void normalize_rows_back(const Channels&, const float*, const double*, const double*,
                                  const float*, const float*, float*, float*, float*);
template void normalize_rows_back(const Channels&, const double*, const double*, const double*,
                                  const double*, const double*, double*, double*, double*);

}  // namespace stylobate::network
