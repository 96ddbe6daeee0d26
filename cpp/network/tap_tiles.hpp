// What convolutions forward and back share: weights in tiles, memory of grids, bands of images.
#pragma once

#include <algorithm>
#include <vector>

#include "network/block.hpp"
#include "network/grid.hpp"
#include "network/space.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::network {

constexpr Index band_bytes = Index{1} << 20;  // of grids and sums: what the second cache holds
constexpr Index chunk_work = 500'000;         // products that are worth a chunk

// Rows of weights as the kernel takes them: tiles of equal height, `row_unit` at most. Entry
// (row, tap) is at(row, tap).
template <class T>
struct Tiles {
    Index rows, taps, tiles, height;
    std::vector<T> packed;

    template <class At>
    Tiles(Index row_count, Index tap_count, const At& at)
        : rows(row_count),
          taps(tap_count),
          tiles((rows + row_unit - 1) / row_unit),
          height((rows + tiles - 1) / tiles),
          packed(static_cast<std::size_t>(tiles * height * taps), T(0)) {
        parallel_for(tiles, [&](Index tile, Checkpoint&) {
            T* to = packed.data() + tile * taps * height;
            const Index there = std::min(height, rows - tile * height);
            constexpr Index block = 64;  // of taps, which stay in the nearest cache
            for (Index first = 0; first < taps; first += block)
                for (Index r = 0; r < there; ++r)
                    for (Index l = first; l < std::min(taps, first + block); ++l)
                        to[l * height + r] = at(tile * height + r, l);
        });
    }
    Index padded() const { return tiles * height; }
};

// An odd number of cache lines that holds so many sums: rows then do not fall into few cache sets.
template <class T>
Index sum_row(Index cols) {
    constexpr Index line = 64 / static_cast<Index>(sizeof(T));
    return line * ((cols + line - 1) / line | 1);
}

// body(first image, end of images, band, checkpoint) for blocks of images × bands of rows; `work`
// is what an image takes.
template <class Body>
void over_bands(Index n, Index rows, Index band_rows, Index work, const Body& body) {
    const Index bands = (rows + band_rows - 1) / band_rows;
    const Index block = bands > 1 ? 1 : std::max<Index>(1, chunk_work / std::max<Index>(work, 1));
    parallel_for((n + block - 1) / block * bands, [&](Index chunk, Checkpoint& checkpoint) {
        const Index from = chunk % bands * band_rows, image = chunk / bands * block;
        const Band band{from, std::min(band_rows, rows - from)};
        body(image, std::min(n, image + block), band, checkpoint);
    });
}

}  // namespace stylobate::network
