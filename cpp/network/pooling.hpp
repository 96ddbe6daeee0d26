// The largest or the mean entry of windows that slide over planes.
#pragma once

#include "network/window.hpp"

namespace stylobate::network {

enum class Pool : int { largest, mean };  // a mean counts the padding as zeros

// `planes` = images · channels; the channels of `image` do not count here.
template <class T>
void pool(Pool kind, const Image& image, const Window& window, const T* x, Index planes, T* y);

// The derivative by x; of equal largest entries the first one has it.
template <class T>
void pool_back(Pool kind, const Image& image, const Window& window, const T* x, Index planes,
               const T* dy, T* dx);

}  // namespace stylobate::network
