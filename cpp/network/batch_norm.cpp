#include "network/batch_norm.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "network/examples.hpp"
#include "network/norm_kernels.hpp"

namespace stylobate::network {
namespace {

template <class T>
norms::Example<T> example(const Channels& c, const T* x, Index number) {
    return {x + number * c.channels * c.area, c.channels, c.area};
}

// 1/√(variance + ε)
std::vector<double> inverse_deviations(const Channels& c, const double* variances, double epsilon) {
    std::vector<double> found(static_cast<std::size_t>(c.channels));
    for (Index k = 0; k < c.channels; ++k)
        found[static_cast<std::size_t>(k)] = 1.0 / std::sqrt(variances[k] + epsilon);
    return found;
}

}  // namespace

template <class T>
void channel_moments(const Channels& c, const T* x, double* means, double* variances) {
    const double count = static_cast<double>(c.images * c.area);
    const auto mean_of = [&](const double* centres, double* into) {
        const auto sums = summed_examples(c.images, c.channels, [&](Index number, double* part) {
            norms::add_channels(example(c, x, number), centres, part);
        });
        for (Index k = 0; k < c.channels; ++k) into[k] = sums[static_cast<std::size_t>(k)] / count;
    };
    mean_of(nullptr, means);
    mean_of(means, variances);
}

template <class T>
void normalize(const Channels& c, const T* x, const double* means, const double* variances,
               double epsilon, const T* scale, const T* shift, T* y) {
    std::vector<double> factors = inverse_deviations(c, variances, epsilon);
    for (Index k = 0; k < c.channels; ++k)
        factors[static_cast<std::size_t>(k)] *= static_cast<double>(scale[k]);
    const Index size = c.channels * c.area;
    over_examples(c.images, size, [&](Index first, Index end) {
        for (Index number = first; number < end; ++number)
            norms::normalize_channels(example(c, x, number),
                                      {means, factors.data(), shift, y + number * size});
    });
}

template <class T>
void normalize_back(const Channels& c, const T* x, const double* means, const double* variances,
                    double epsilon, bool of_batch, const T* scale, const T* dy, T* dx, T* d_scale,
                    T* d_shift) {
    const double count = of_batch ? static_cast<double>(c.images * c.area) : INFINITY;
    const Index size = c.channels * c.area;
    std::vector<double> factors = inverse_deviations(c, variances, epsilon);
    std::vector<double> sums =
        summed_examples(c.images, 2 * c.channels, [&](Index number, double* part) {
            norms::add_slopes(example(c, x, number), dy + number * size, means, part,
                              part + c.channels);
        });
    double *plain = sums.data(), *along = plain + c.channels;
    for (Index k = 0; k < c.channels; ++k) {
        double& inverse = factors[static_cast<std::size_t>(k)];
        d_scale[k] = static_cast<T>(along[k] * inverse), d_shift[k] = static_cast<T>(plain[k]);
        plain[k] /= count;  // moments that do not move: nothing
        along[k] *= inverse * inverse / count;
        inverse *= static_cast<double>(scale[k]);
    }
    over_examples(c.images, size, [&](Index first, Index end) {
        for (Index number = first; number < end; ++number)
            norms::normalize_channels_back(
                example(c, x, number),
                {means, factors.data(), plain, along, dy + number * size, dx + number * size});
    });
}

template void channel_moments(const Channels&, const float*, double*, double*);
template void channel_moments(const Channels&, const double*, double*, double*);
template void normalize(const Channels&, const float*, const double*, const double*, double,
                        const float*, const float*, float*);
template void normalize(const Channels&, const double*, const double*, const double*, double,
                        const double*, const double*, double*);
template void normalize_back(const Channels&, const float*, const double*, const double*, double,
                             bool, const float*, const float*, float*, float*, float*);
template void normalize_back(const Channels&, const double*, const double*, const double*, double,
                             bool, const double*, const double*, double*, double*, double*);

}  // namespace stylobate::network
