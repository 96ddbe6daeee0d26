// Activations as layers of their own.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::network {

enum class Curve : int { identity, sigmoid, tanh, relu, leaky_relu, selu, mish };

// y = f(x); `slope` is that of the leaky one below zero.
template <class T>
void activate(Curve kind, double slope, const T* x, Index n, T* y);
// dx = dy·f′(x), given y = f(x) too
template <class T>
void activate_back(Curve kind, double slope, const T* x, const T* y, const T* dy, Index n, T* dx);

template <class T>
void softmax(const T* x, Index rows, Index cols, T* y);
template <class T>
void softmax_back(const T* y, const T* dy, Index rows, Index cols, T* dx);

}  // namespace stylobate::network
