// Convolutions of images [n][channels][height][width]: each group of channels by itself.
//
// Products on grids (grid.hpp) in the places of im2col; work is cut into bands of rows of blocks of
// images, whose grids stay in cache and bound the memory.
#pragma once

#include "network/finish.hpp"
#include "network/window.hpp"

namespace stylobate::network {

struct Convolution {
    Image image;
    Window window;
    Index filters, groups;  // groups divide the channels and the filters

    Index inner() const { return image.channels / groups * window.area(); }
    Index weights() const { return filters * inner(); }
};

// Weights [filters][channels / groups][window]; one bias per filter.
template <class T>
void convolve(const Convolution& c, const T* x, Index n, const T* weights, const T* bias,
              const Places<T>& places);

// The derivative by x; overwritten.
template <class T>
void convolve_inputs_back(const Convolution& c, Index n, const T* weights, const Slopes<T>& slopes,
                          T* dx);

// Derivatives by the weights and the biases; overwritten.
template <class T>
void convolve_weights_back(const Convolution& c, const T* x, Index n, const Slopes<T>& slopes,
                           T* d_weights, T* d_bias);

}  // namespace stylobate::network
