#include "network/convolution.hpp"

#include <vector>

#include "network/tap_tiles.hpp"

namespace stylobate::network {
namespace {

template <class T>
struct Forward {
    const Grid g;
    const T *x, *weights, *bias;
    T* y;
    std::vector<Tiles<T>> tiles;  // of each group
    std::vector<T> start;

    Forward(const Convolution& c, const T* from, const T* w, const T* b, T* to)
        : g(c), x(from), weights(w), bias(b), y(to) {
        const Index taps = c.inner();
        for (Index group = 0; group < c.groups; ++group)
            tiles.emplace_back(g.filters, taps, [&](Index f, Index l) {
                return weights[(group * g.filters + f) * taps + l];
            });
        start.assign(static_cast<std::size_t>(c.groups * padded()), T(0));
        for (Index f = 0; f < c.filters; ++f)
            start[static_cast<std::size_t>(f / g.filters * padded() + f % g.filters)] = bias[f];
    }
    Index padded() const { return tiles.front().padded(); }
    Index band_rows() const {
        const Index per_row = (g.planes() + padded()) * g.pitch * static_cast<Index>(sizeof(T));
        return g.band_rows(g.out.y, per_row, band_bytes);
    }

    void run(Index image, Index end, const Band& band, Checkpoint& checkpoint) const {
        const Index rows = band.count + g.reach.y, cols = (band.count - 1) * g.pitch + g.out.x;
        const Index row = sum_row<T>(cols);
        Space<T> grid(g.planes() * rows * g.pitch), sums(padded() * row);
        const std::vector<Index> offsets = g.offsets(rows);
        for (; image < end; ++image)
            for (Index group = 0; group < g.c.groups; ++group) {
                checkpoint();
                const Index plane = image * g.c.image.channels + group * g.channels;
                spread(g, x + plane * g.c.image.area(), band, grid.data());
                const Tiles<T>& a = tiles[static_cast<std::size_t>(group)];
                tap_product({a.packed.data(), a.tiles, a.height, a.taps, grid.data(),
                             offsets.data(), cols, start.data() + group * padded(), sums.data(),
                             row});
                keep(sums.data(), row, image * g.c.filters + group * g.filters, band);
            }
    }

    void keep(const T* sums, Index row, Index plane, const Band& band) const {
        for (Index f = 0; f < g.filters; ++f) {
            T* to = y + ((plane + f) * g.out.y + band.first) * g.out.x;
            for (Index i = 0; i < band.count; ++i)
                std::copy_n(sums + f * row + i * g.pitch, g.out.x, to + i * g.out.x);
        }
    }
};

}  // namespace

template <class T>
void convolve(const Convolution& c, const T* x, Index n, const T* weights, const T* bias, T* y) {
    const Forward<T> pass(c, x, weights, bias, y);
    const Index places = pass.g.out.y * pass.g.out.x;
    over_bands(n, pass.g.out.y, pass.band_rows(), c.weights() * places,
               [&](Index first, Index end, const Band& band, Checkpoint& checkpoint) {
                   pass.run(first, end, band, checkpoint);
               });
}

template void convolve(const Convolution&, const float*, Index, const float*, const float*, float*);
template void convolve(const Convolution&, const double*, Index, const double*, const double*,
                       double*);

}  // namespace stylobate::network
