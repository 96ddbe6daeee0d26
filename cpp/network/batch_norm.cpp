#include "network/batch_norm.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "network/sums.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::network {
namespace {

constexpr Index block = 16;  // neighbouring features of vectors, taken together: whole cache lines

// part(first, last, pause): channels one by one, or (of vectors) in blocks
template <class Part>
void over_parts(const Channels& c, const Part& part) {
    const Index size = c.area == 1 ? block : 1;
    parallel_for((c.channels + size - 1) / size, [&](Index number, Checkpoint& pause) {
        part(number * size, std::min(c.channels, (number + 1) * size), pause);
    });
}

// visit(channel, entry) for all entries
template <class Visit>
void over_entries(const Channels& c, const Visit& visit) {
    over_parts(c, [&](Index first, Index last, Checkpoint& pause) {
        const Visit own = visit;
        const bool vectors = c.area == 1;
        const Index channels = c.channels;
        for (Index image = 0; image < c.images; ++image) {
            if (image % 256 == 0) pause();
            if (vectors) {
                for (Index k = first; k < last; ++k) own(k, image * channels + k);
                continue;
            }
            for (Index k = first; k < last; ++k) {
                const Index from = (image * c.channels + k) * c.area;
                for (Index i = from; i < from + c.area; ++i) own(k, i);
            }
        }
    });
}

// sums[k] = Σ f(k, entry) over the entries of every channel
template <class Function>
void sum_channels(const Channels& c, const Function& f, double* sums) {
    std::fill_n(sums, c.channels, 0.0);
    over_parts(c, [&](Index first, Index last, Checkpoint& pause) {
        const Function own = f;
        const bool vectors = c.area == 1;
        const Index channels = c.channels;
        for (Index image = 0; image < c.images; ++image) {
            if (image % 256 == 0) pause();
            if (vectors) {
                for (Index k = first; k < last; ++k) sums[k] += own(k, image * channels + k);
                continue;
            }
            const Index from = (image * channels + first) * c.area;
            sums[first] += sum_of(c.area, [&](Index i) { return own(first, from + i); });
        }
    });
}

}  // namespace

template <class T>
void channel_moments(const Channels& c, const T* x, double* means, double* variances) {
    const double count = static_cast<double>(c.images * c.area);
    sum_channels(c, [=](Index, Index i) { return static_cast<double>(x[i]); }, means);
    for (Index k = 0; k < c.channels; ++k) means[k] /= count;
    const auto square = [=](Index k, Index i) {
        const double away = static_cast<double>(x[i]) - means[k];
        return away * away;
    };
    sum_channels(c, square, variances);
    for (Index k = 0; k < c.channels; ++k) variances[k] /= count;
}

template <class T>
void normalize(const Channels& c, const T* x, const double* means, const double* variances,
               double epsilon, const T* scale, const T* shift, T* y) {
    std::vector<double> factors(static_cast<std::size_t>(c.channels));
    double* f = factors.data();
    for (Index k = 0; k < c.channels; ++k)
        f[k] = static_cast<double>(scale[k]) / std::sqrt(variances[k] + epsilon);
    over_entries(c, [=](Index k, Index i) {
        y[i] = static_cast<T>((static_cast<double>(x[i]) - means[k]) * f[k] +
                              static_cast<double>(shift[k]));
    });
}

template <class T>
void normalize_back(const Channels& c, const T* x, const double* means, const double* variances,
                    double epsilon, bool of_batch, const T* scale, const T* dy, T* dx, T* d_scale,
                    T* d_shift) {
    const double count = of_batch ? static_cast<double>(c.images * c.area) : INFINITY;
    const auto channels = static_cast<std::size_t>(c.channels);
    std::vector<double> inverses(channels), sums(channels), products(channels);
    double *inverse = inverses.data(), *sum = sums.data(), *product = products.data();
    for (Index k = 0; k < c.channels; ++k) inverse[k] = 1.0 / std::sqrt(variances[k] + epsilon);
    const auto standard = [=](Index k, Index i) {
        return (static_cast<double>(x[i]) - means[k]) * inverse[k];
    };
    sum_channels(c, [=](Index, Index i) { return static_cast<double>(dy[i]); }, sum);
    const auto along = [=](Index k, Index i) {
        return static_cast<double>(dy[i]) * standard(k, i);
    };
    sum_channels(c, along, product);
    for (Index k = 0; k < c.channels; ++k) {
        d_scale[k] = static_cast<T>(product[k]), d_shift[k] = static_cast<T>(sum[k]);
        sum[k] /= count, product[k] /= count;  // moments that do not move: nothing
    }
    over_entries(c, [=](Index k, Index i) {
        const double f = static_cast<double>(scale[k]) * inverse[k];
        dx[i] = static_cast<T>(
            f * (static_cast<double>(dy[i]) - (sum[k] + standard(k, i) * product[k])));
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
