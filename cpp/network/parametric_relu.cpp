#include "network/parametric_relu.hpp"

#include "network/examples.hpp"

namespace stylobate::network {

template <class T>
void parametric_relu(const Channels& c, const T* x, const T* slopes, T* y) {
    const Index planes = c.images * c.channels;
    over_examples(planes, c.area, [&](Index first, Index end) {
        for (Index plane = first; plane < end; ++plane) {
            const T a = slopes[plane % c.channels];
            const T* from = x + plane * c.area;
            T* to = y + plane * c.area;
            for (Index k = 0; k < c.area; ++k) to[k] = from[k] > T(0) ? from[k] : a * from[k];
        }
    });
}

template <class T>
void parametric_relu_back(const Channels& c, const T* x, const T* slopes, const T* dy, T* dx,
                          T* d_slopes) {
    const Index size = c.channels * c.area;
    const auto sums = summed_examples(c.images, c.channels, [&](Index image, double* part) {
        for (Index channel = 0; channel < c.channels; ++channel) {
            const Index at = image * size + channel * c.area;
            const T a = slopes[channel];
            double sum = 0.0;
            for (Index k = at; k < at + c.area; ++k) {
                const T d = dy[k];
                dx[k] = x[k] > T(0) ? d : a * d;
                sum += x[k] > T(0) ? 0.0 : static_cast<double>(x[k]) * static_cast<double>(d);
            }
            part[channel] += sum;
        }
    });
    for (Index k = 0; k < c.channels; ++k)
        d_slopes[k] = static_cast<T>(sums[static_cast<std::size_t>(k)]);
}

template void parametric_relu(const Channels&, const float*, const float*, float*);
template void parametric_relu(const Channels&, const double*, const double*, double*);
template void parametric_relu_back(const Channels&, const float*, const float*, const float*,
                                   float*, float*);
template void parametric_relu_back(const Channels&, const double*, const double*, const double*,
                                   double*, double*);

}  // namespace stylobate::network
