#include "network/convolution.hpp"

#include <vector>

#include "network/tap_tiles.hpp"

namespace stylobate::network {
namespace {

template <class T>
struct Forward {
    const Grid g;
    const T *x, *weights, *bias;
    const Places<T> to;
    const Pair behind;            // the finish
    std::vector<Tiles<T>> tiles;  // of each group
    std::vector<T> start;

    Forward(const Convolution& c, const T* from, const T* w, const T* b, const Places<T>& places)
        : g(c), x(from), weights(w), bias(b), to(places), behind(finished(to.finish, g.out)) {
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
        return rounded(g.band_rows(g.out.y, per_row, band_bytes), 2);  // whole windows
    }

    void run(Index image, Index end, const Band& band, Checkpoint& checkpoint) const {
        const Index rows = band.count + g.reach.y, cols = (band.count - 1) * g.pitch + g.out.x;
        const Index row = sum_row<T>(cols);
        Space<T> grid(g.planes() * rows * g.pitch), sums(padded() * row);
        const Index windows = to.finish == Finish::halved ? band.count / 2 * behind.x : 0;
        Halved halved{Space<T>(windows), Space<unsigned char>(windows)};
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
                const Index first = image * g.c.filters + group * g.filters;
                for (Index f = 0; f < g.filters; ++f)
                    keep(sums.data() + f * row, first + f, band, halved);
            }
    }

    struct Halved {
        Space<T> largest;
        Space<unsigned char> which;
    };

    // the places of one filter
    void keep(const T* sums, Index plane, const Band& band, Halved& halved) const {
        if (to.finish == Finish::halved) return keep_halves(sums, plane, band, halved);
        T* y = to.y + (plane * g.out.y + band.first) * g.out.x;
        for (Index i = 0; i < band.count; ++i, y += g.out.x, sums += g.pitch) {
            if (to.finish == Finish::none)
                std::copy_n(sums, g.out.x, y);
            else
                for (Index j = 0; j < g.out.x; ++j) y[j] = sums[j] < T(0) ? T(0) : sums[j];
        }
    }

    void keep_halves(const T* sums, Index plane, const Band& band, Halved& halved) const {
        const Index rows = band.count / 2, at = (plane * behind.y + band.first / 2) * behind.x;
        const bool asked = to.which != nullptr;
        halve({sums, g.pitch, rows, behind.x, true, halved.largest.data(),
               asked ? halved.which.data() : nullptr});
        std::copy_n(halved.largest.data(), rows * behind.x, to.y + at);
        if (asked) std::copy_n(halved.which.data(), rows * behind.x, to.which + at);
    }
};

}  // namespace

template <class T>
void convolve(const Convolution& c, const T* x, Index n, const T* weights, const T* bias,
              const Places<T>& places) {
    const Forward<T> pass(c, x, weights, bias, places);
    over_bands(n, pass.g.out.y, pass.band_rows(), c.weights() * pass.g.out.y * pass.g.out.x,
               [&](Index first, Index end, const Band& band, Checkpoint& checkpoint) {
                   pass.run(first, end, band, checkpoint);
               });
}

template void convolve(const Convolution&, const float*, Index, const float*, const float*,
                       const Places<float>&);
template void convolve(const Convolution&, const double*, Index, const double*, const double*,
                       const Places<double>&);

}  // namespace stylobate::network
