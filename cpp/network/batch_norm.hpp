// Channels brought to mean 0 and variance 1 over a batch, then scaled and shifted.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::network {

struct Channels {
    Index images, channels, area;  // [images][channels][area]
};

// Means and variances (divided by the count) of the channels.
template <class T>
void channel_moments(const Channels& c, const T* x, double* means, double* variances);

// y = (x − mean) / √(variance + ε) · scale + shift
template <class T>
void normalize(const Channels& c, const T* x, const double* means, const double* variances,
               double epsilon, const T* scale, const T* shift, T* y);

// Derivatives; `of_batch`: the moments are those of x itself and move with it.
template <class T>
void normalize_back(const Channels& c, const T* x, const double* means, const double* variances,
                    double epsilon, bool of_batch, const T* scale, const T* dy, T* dx, T* d_scale,
                    T* d_shift);

}  // namespace stylobate::network
