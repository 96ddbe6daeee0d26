// Windows that slide over the planes of an image: convolutions and poolings.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::network {

struct Image {
    Index channels, height, width;
    Index area() const { return height * width; }
    Index size() const { return channels * area(); }
};

struct Pair {
    Index y, x;
};

struct Window {
    Pair size, stride, padding, dilation;

    Pair output(const Image& image) const {
        return {places(image.height, size.y, stride.y, padding.y, dilation.y),
                places(image.width, size.x, stride.x, padding.x, dilation.x)};
    }
    Index area() const { return size.y * size.x; }
    // Where an entry of the window at an output lies in the image; outside: negative or too large.
    Index row(Index output, Index entry) const {
        return output * stride.y - padding.y + entry * dilation.y;
    }
    Index column(Index output, Index entry) const {
        return output * stride.x - padding.x + entry * dilation.x;
    }

 private:
    static Index places(Index length, Index size, Index stride, Index padding, Index dilation) {
        const Index room = length + 2 * padding - dilation * (size - 1) - 1;
        return room < 0 ? 0 : room / stride + 1;
    }
};

}  // namespace stylobate::network
