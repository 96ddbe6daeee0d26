// max(x, 0) + a·min(x, 0), with slopes a that are learnt: one for each channel.
#pragma once

#include "network/batch_norm.hpp"

namespace stylobate::network {

template <class T>
void parametric_relu(const Channels& c, const T* x, const T* slopes, T* y);

// `d_slopes` has one sum a channel, over all images and places.
template <class T>
void parametric_relu_back(const Channels& c, const T* x, const T* slopes, const T* dy, T* dx,
                          T* d_slopes);

}  // namespace stylobate::network
