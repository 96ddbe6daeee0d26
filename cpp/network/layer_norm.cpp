#include "network/layer_norm.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "network/sums.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::network {
namespace {

constexpr Index most_parts = 16;  // sums of derivatives held at a time, whatever the threads

}  // namespace

template <class T>
void normalize_rows(const Channels& c, const T* x, double epsilon, const T* scale, const T* shift,
                    T* y, double* means, double* inverses) {
    const Index size = c.channels * c.area;
    parallel_for(c.images, [&](Index row, Checkpoint& checkpoint) {
        checkpoint();
        const T* in = x + row * size;
        T* out = y + row * size;
        const double mean = sum_of(size, [=](Index i) { return static_cast<double>(in[i]); }) /
                            static_cast<double>(size);
        const double squares = sum_of(size, [=](Index i) {
            const double away = static_cast<double>(in[i]) - mean;
            return away * away;
        });
        const double inverse = 1.0 / std::sqrt(squares / static_cast<double>(size) + epsilon);
        means[row] = mean, inverses[row] = inverse;
        for (Index k = 0; k < c.channels && c.area == 1; ++k)  // vectors: one loop
            out[k] = static_cast<T>((static_cast<double>(in[k]) - mean) * inverse *
                                        static_cast<double>(scale[k]) +
                                    static_cast<double>(shift[k]));
        for (Index k = 0; k < c.channels && c.area > 1; ++k) {
            const double f = inverse * static_cast<double>(scale[k]);
            const double b = static_cast<double>(shift[k]);
            for (Index i = k * c.area; i < (k + 1) * c.area; ++i)
                out[i] = static_cast<T>((static_cast<double>(in[i]) - mean) * f + b);
        }
    });
}

template <class T>
void normalize_rows_back(const Channels& c, const T* x, const double* means, const double* inverses,
                         const T* scale, const T* dy, T* dx, T* d_scale, T* d_shift) {
    const Index size = c.channels * c.area;
    const Index per_part = std::max<Index>(1, (c.images + most_parts - 1) / most_parts);
    const Index parts = (c.images + per_part - 1) / per_part, both = 2 * c.channels;
    std::vector<double> sums(static_cast<std::size_t>(parts * both), 0.0);
    parallel_for(parts, [&](Index part, Checkpoint& checkpoint) {
        double *by_scale = sums.data() + part * both, *by_shift = by_scale + c.channels;
        const Index end = std::min(c.images, (part + 1) * per_part);
        for (Index row = part * per_part; row < end; ++row) {
            checkpoint();
            const T *in = x + row * size, *d = dy + row * size;
            const double mean = means[row], inverse = inverses[row];
            double total = 0.0, along = 0.0;
            if (c.area == 1) {
                for (Index k = 0; k < size; ++k) {
                    const double slope = static_cast<double>(d[k]);
                    by_shift[k] += slope;
                    by_scale[k] += slope * (static_cast<double>(in[k]) - mean) * inverse;
                }
                const auto scaled = [=](Index k) {
                    return static_cast<double>(scale[k]) * static_cast<double>(d[k]);
                };
                total = sum_of(size, scaled);
                along = inverse * sum_of(size, [=](Index k) {
                            return scaled(k) * (static_cast<double>(in[k]) - mean);
                        });
            }
            for (Index k = 0; k < c.channels && c.area > 1; ++k) {
                const T *xs = in + k * c.area, *ds = d + k * c.area;
                const double plain =
                    sum_of(c.area, [=](Index i) { return static_cast<double>(ds[i]); });
                const double product =
                    inverse * sum_of(c.area, [=](Index i) {
                        return static_cast<double>(ds[i]) * (static_cast<double>(xs[i]) - mean);
                    });
                by_shift[k] += plain, by_scale[k] += product;
                total += static_cast<double>(scale[k]) * plain;
                along += static_cast<double>(scale[k]) * product;
            }
            total /= static_cast<double>(size), along /= static_cast<double>(size);
            T* out = dx + row * size;
            const auto moved = [=](Index i, double f) {
                const double standard = (static_cast<double>(in[i]) - mean) * inverse;
                return static_cast<T>(inverse *
                                      (f * static_cast<double>(d[i]) - total - standard * along));
            };
            for (Index k = 0; k < size && c.area == 1; ++k)
                out[k] = moved(k, static_cast<double>(scale[k]));
            for (Index k = 0; k < c.channels && c.area > 1; ++k) {
                const double f = static_cast<double>(scale[k]);
                for (Index i = k * c.area; i < (k + 1) * c.area; ++i) out[i] = moved(i, f);
            }
        }
    });
    for (Index k = 0; k < c.channels; ++k) {
        double by_scale = 0.0, by_shift = 0.0;
        for (Index part = 0; part < parts; ++part) {
            by_scale += sums[static_cast<std::size_t>(part * both + k)];
            by_shift += sums[static_cast<std::size_t>(part * both + c.channels + k)];
        }
        d_scale[k] = static_cast<T>(by_scale), d_shift[k] = static_cast<T>(by_shift);
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
