// Grids on which places of a window that are neighbours lie side by side.
//
// The padded image is cut into phases, one for each remainder of a row and of a column by the
// stride. The entry of the window at (u, v) then lies, for every place, at one offset from it: in
// phase (u·d mod s, v·d mod s), (u·d / s, v·d / s) further. Rows are `pitch` apart; the last
// `reach.x` columns of a row are no places, nor are the last `reach.y` rows.
#pragma once

#include <vector>

#include "network/convolution.hpp"

namespace stylobate::network {

struct Range {
    Index first, end;
};

// The columns j with 0 ≤ j·stride + shift < width.
Range inside(Index columns, Index stride, Index shift, Index width);

struct Band {  // rows of places of one image
    Index first, count;
};

struct Grid {
    Convolution c;
    Pair out, reach, phases;
    Index channels, filters, pitch;  // of one group

    explicit Grid(const Convolution& convolution)
        : c(convolution),
          out(c.window.output(c.image)),
          reach{(c.window.size.y - 1) * c.window.dilation.y / c.window.stride.y,
                (c.window.size.x - 1) * c.window.dilation.x / c.window.stride.x},
          phases{used(c.window.size.y, c.window.stride.y, c.window.dilation.y),
                 used(c.window.size.x, c.window.stride.x, c.window.dilation.x)},
          channels(c.image.channels / c.groups),
          filters(c.filters / c.groups),
          pitch(out.x + reach.x) {}

    Index planes() const { return channels * phases.y * phases.x; }
    Pair phase(Index u, Index v) const {
        return {u * c.window.dilation.y % c.window.stride.y,
                v * c.window.dilation.x % c.window.stride.x};
    }
    // from a place to the entry (u, v), within its phase
    Index shift(Index u, Index v) const {
        return u * c.window.dilation.y / c.window.stride.y * pitch +
               v * c.window.dilation.x / c.window.stride.x;
    }
    // Offsets of all taps (channel, u, v) in the grid of a band.
    std::vector<Index> offsets(Index rows) const;
    // Rows of a band whose grids take about `bytes`, and how many bands that gives.
    Index band_rows(Index rows, Index bytes_per_row, Index bytes) const;

 private:
    static Index used(Index size, Index stride, Index dilation) {
        const Index length = (size - 1) * dilation + 1;
        return stride < length ? stride : length;
    }
};

// The grid of a band of places: [channel][phase][band.count + reach.y][pitch].
template <class T>
void spread(const Grid& g, const T* planes, const Band& band, T* grid);

// Derivatives by the places of a band and of the reach above it, zero where no place is:
// [filter][band.count + reach.y][pitch].
template <class T>
void spread_slopes(const Grid& g, const T* slopes, const Band& band, T* grid);

}  // namespace stylobate::network
