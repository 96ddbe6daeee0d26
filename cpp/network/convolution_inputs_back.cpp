// The derivative by the images: each phase of the grid is a convolution of the derivatives by the
// places, with the filters' entries of that phase.
#include <vector>

#include "network/convolution.hpp"
#include "network/tap_tiles.hpp"

namespace stylobate::network {
namespace {

struct Tap {
    Index entry, shift;  // of the window; from the derivative to the place in the grid
};

std::vector<Tap> taps_of(const Grid& g, const Pair& phase) {
    std::vector<Tap> found;
    for (Index u = 0; u < g.c.window.size.y; ++u)
        for (Index v = 0; v < g.c.window.size.x; ++v) {
            const Pair at = g.phase(u, v);
            if (at.y == phase.y && at.x == phase.x)
                found.push_back({u * g.c.window.size.x + v, g.shift(u, v)});
        }
    return found;
}

template <class T>
struct Phase {  // of one group
    Pair at;
    std::vector<Tap> taps;
    Tiles<T> tiles;

    Phase(const Grid& g, const Pair& phase, const T* weights)
        : at(phase),
          taps(taps_of(g, phase)),
          tiles(g.channels, g.filters * static_cast<Index>(taps.size()),
                [&](Index channel, Index l) {
                    const Index area = g.c.window.area(), per = static_cast<Index>(taps.size());
                    const Index entry = taps[static_cast<std::size_t>(l % per)].entry;
                    return weights[(l / per * g.channels + channel) * area + entry];
                }) {}

    // of all taps (filter, entry) in the grid of a band of so many rows, reach included
    std::vector<Index> offsets(const Grid& g, Index rows) const {
        std::vector<Index> found;
        for (Index f = 0; f < g.filters; ++f)
            for (const Tap& tap : taps)
                found.push_back((f * rows + g.reach.y) * g.pitch - tap.shift);
        return found;
    }
};

template <class T>
struct Backward {
    const Grid g;
    const Slopes<T> slopes;
    T* dx;
    std::vector<Phase<T>> phases;  // [group][phase]
    std::vector<T> start;

    Backward(const Convolution& c, const T* weights, const Slopes<T>& given, T* to)
        : g(c), slopes(given), dx(to) {
        for (Index group = 0; group < c.groups; ++group)
            for (Index a = 0; a < g.phases.y; ++a)
                for (Index b = 0; b < g.phases.x; ++b)
                    phases.emplace_back(g, Pair{a, b}, weights + group * g.filters * c.inner());
        start.assign(static_cast<std::size_t>(padded()), T(0));
    }
    Index padded() const { return phases.front().tiles.padded(); }
    Index rows() const { return g.out.y + g.reach.y; }
    Index band_rows() const {
        const Index per_row = (g.filters + padded()) * g.pitch * static_cast<Index>(sizeof(T));
        return g.band_rows(rows(), per_row, band_bytes);
    }

    void run(Index image, Index end, const Band& band, Checkpoint& checkpoint) const {
        const Index height = band.count + g.reach.y, cols = band.count * g.pitch;
        const Index row = sum_row<T>(cols), guard = g.reach.x;
        Space<T> grid(guard + g.filters * height * g.pitch), sums(padded() * row);
        std::fill_n(grid.data(), guard, T(0));
        std::vector<std::vector<Index>> offsets;
        const Index count = g.phases.y * g.phases.x;
        for (Index k = 0; k < count; ++k)
            offsets.push_back(phases[static_cast<std::size_t>(k)].offsets(g, height));
        auto room = slopes.room(g.c.filters, g.out);
        for (; image < end; ++image) {
            const T* d = slopes.of(image, g.c.filters, g.out, room);
            for (Index group = 0; group < g.c.groups; ++group) {
                checkpoint();
                spread_slopes(g, d + group * g.filters * g.out.y * g.out.x, band,
                              grid.data() + guard);
                for (Index k = 0; k < count; ++k) {
                    const Phase<T>& phase = phases[static_cast<std::size_t>(group * count + k)];
                    const Tiles<T>& a = phase.tiles;
                    if (a.taps == 0) continue;
                    tap_product({a.packed.data(), a.tiles, a.height, a.taps, grid.data() + guard,
                                 offsets[static_cast<std::size_t>(k)].data(), cols, start.data(),
                                 sums.data(), row});
                    keep(sums.data(), row, image * g.c.image.channels + group * g.channels, phase,
                         band);
                }
            }
        }
    }

    // entries of the phase that lie in the image
    void keep(const T* sums, Index row, Index plane, const Phase<T>& phase,
              const Band& band) const {
        const Image& image = g.c.image;
        const Window& w = g.c.window;
        const Index stride = w.stride.x, shift = phase.at.x - w.padding.x;
        const Range in = inside(g.pitch, stride, shift, image.width);
        for (Index channel = 0; channel < g.channels; ++channel)
            for (Index i = 0; i < band.count; ++i) {
                const Index y = (band.first + i) * w.stride.y + phase.at.y - w.padding.y;
                if (y < 0 || y >= image.height) continue;
                T* to = dx + (plane + channel) * image.area() + y * image.width + shift;
                const T* from = sums + channel * row + i * g.pitch;
                for (Index j = in.first; j < in.end; ++j) to[j * stride] = from[j];
            }
    }
};

}  // namespace

template <class T>
void convolve_inputs_back(const Convolution& c, Index n, const T* weights, const Slopes<T>& slopes,
                          T* dx) {
    const Backward<T> pass(c, weights, slopes, dx);
    if (c.window.stride.y > 1 || c.window.stride.x > 1)  // some entries are in no window
        std::fill_n(dx, n * c.image.size(), T(0));
    over_bands(n, pass.rows(), pass.band_rows(), c.weights() * pass.g.out.y * pass.g.out.x,
               [&](Index first, Index end, const Band& band, Checkpoint& checkpoint) {
                   pass.run(first, end, band, checkpoint);
               });
}

template void convolve_inputs_back(const Convolution&, Index, const float*, const Slopes<float>&,
                                   float*);
template void convolve_inputs_back(const Convolution&, Index, const double*, const Slopes<double>&,
                                   double*);

}  // namespace stylobate::network
