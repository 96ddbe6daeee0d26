// Derivatives by the weights: grids of images times derivatives by the places.
#include <vector>

#include "network/convolution.hpp"
#include "network/norm_kernels.hpp"
#include "network/tap_tiles.hpp"

namespace stylobate::network {
namespace {

constexpr Index most_parts = 16;               // sums held at a time, whatever the threads
constexpr Index part_bytes = Index{32} << 20;  // what they take together, where two of them fit
constexpr Index turned_places = 64;

// Sums over images [group][tap][row]: a row holds a group's filters in whole vectors; of few
// filters it holds vectors of places for each.
template <class T>
struct WeightSums {
    const Grid g;
    const T* x;
    const Slopes<T> by_places;
    bool few;
    Index taps, row;

    WeightSums(const Convolution& c, const T* from, const Slopes<T>& slopes)
        : g(c),
          x(from),
          by_places(slopes),
          few(g.filters <= most_few),
          taps(c.inner()),
          row(few ? g.filters * few_lanes<T> : rounded(g.filters, few_lanes<T>)) {}
    Index size() const { return g.c.groups * taps * row; }
    Index slopes_row() const { return few ? g.filters * g.pitch : row * g.out.x; }
    Index band_rows() const {
        const Index per_row = (g.planes() * g.pitch + slopes_row()) * Index{sizeof(T)};
        return g.band_rows(g.out.y, per_row, band_bytes);
    }

    // adds images first … end − 1 to the sums by weights and by biases
    void add(Index first, Index end, T* by_weights, double* by_bias, Checkpoint& checkpoint) const {
        const Index most = band_rows();
        Space<T> grid(g.planes() * (most + g.reach.y) * g.pitch), slopes(most * slopes_row());
        std::fill_n(slopes.data(), most * slopes_row(), T(0));
        auto room = by_places.room(g.c.filters, g.out);
        for (Index from = 0; from < g.out.y; from += most) {
            const Band band{from, std::min(most, g.out.y - from)};
            const std::vector<Index> offsets = g.offsets(band.count + g.reach.y);
            for (Index image = first; image < end; ++image) {
                const T* given = by_places.of(image, g.c.filters, g.out, room);
                for (Index group = 0; group < g.c.groups; ++group) {
                    checkpoint();
                    const Index plane = image * g.c.image.channels + group * g.channels;
                    const T* d = given + (group * g.filters * g.out.y + band.first) * g.out.x;
                    spread(g, x + plane * g.c.image.area(), band, grid.data());
                    add_biases(d, band, by_bias + group * g.filters);
                    T* sums = by_weights + group * taps * row;
                    if (few)
                        add_few(grid.data(), offsets, d, band, slopes.data(), sums);
                    else
                        add_many(grid.data(), offsets, d, band, slopes.data(), sums);
                }
            }
        }
    }

    void add_few(const T* grid, const std::vector<Index>& offsets, const T* d, const Band& band,
                 T* slopes, T* sums) const {
        const Index along = band.count * g.pitch;
        for (Index f = 0; f < g.filters; ++f)  // between rows of places they are zero
            for (Index i = 0; i < band.count; ++i)
                std::copy_n(d + (f * g.out.y + i) * g.out.x, g.out.x,
                            slopes + f * along + i * g.pitch);
        // whole vectors: what lies behind one filter's places belongs to the next one's
        const Index whole = along / few_lanes<T> * few_lanes<T>;
        few_filters({grid, offsets.data(), taps, whole, slopes, along, g.filters, sums});
        for (Index l = 0; l < taps && whole < along; ++l)
            for (Index f = 0; f < g.filters; ++f)
                for (Index q = whole; q < along; ++q)
                    sums[(l * g.filters + f) * few_lanes<T>] +=
                        slopes[f * along + q] * grid[offsets[static_cast<std::size_t>(l)] + q];
    }

    void add_many(const T* grid, const std::vector<Index>& offsets, const T* d, const Band& band,
                  T* slopes, T* sums) const {
        const Index places = g.out.y * g.out.x, count = band.count * g.out.x;
        for (Index at = 0; at < count; at += turned_places) {
            const Index end = std::min(count, at + turned_places);
            for (Index f = 0; f < g.filters; ++f)
                for (Index q = at; q < end; ++q) slopes[q * row + f] = d[f * places + q];
        }
        tap_gradient({grid, offsets.data(), taps, band.count, g.out.x, g.pitch, slopes, row,
                      g.filters, sums, row});
    }

    void add_biases(const T* d, const Band& band, double* by_bias) const {
        for (Index f = 0; f < g.filters; ++f)
            norms::add_channels({d + f * g.out.y * g.out.x, 1, band.count * g.out.x}, nullptr,
                                by_bias + f);
    }

    // of filter f (of all groups) and tap l
    T total(const T* sums, Index f, Index l) const {
        const Index filter = f % g.filters;
        const T* from = sums + (f / g.filters * taps + l) * row;
        if (!few) return from[filter];
        T sum = 0;
        for (Index k = 0; k < few_lanes<T>; ++k) sum += from[filter * few_lanes<T> + k];
        return sum;
    }
};

}  // namespace

template <class T>
void convolve_weights_back(const Convolution& c, const T* x, Index n, const Slopes<T>& slopes,
                           T* d_weights, T* d_bias) {
    const WeightSums<T> pass(c, x, slopes);
    const Index bytes = std::max<Index>(1, pass.size() * Index{sizeof(T)});
    const Index wanted = std::clamp<Index>(part_bytes / bytes, 2, most_parts);
    const Index per_part = std::max<Index>(1, (n + wanted - 1) / wanted);
    const Index parts = (n + per_part - 1) / per_part;
    std::vector<T> sums(static_cast<std::size_t>(parts * pass.size()), T(0));
    std::vector<double> biases(static_cast<std::size_t>(parts * c.filters), 0.0);
    parallel_for(parts, [&](Index part, Checkpoint& checkpoint) {
        pass.add(part * per_part, std::min(n, (part + 1) * per_part),
                 sums.data() + part * pass.size(), biases.data() + part * c.filters, checkpoint);
    });
    for (Index f = 0; f < c.filters; ++f) {
        double bias = 0.0;
        for (Index part = 0; part < parts; ++part)
            bias += biases[static_cast<std::size_t>(part * c.filters + f)];
        d_bias[f] = static_cast<T>(bias);
        for (Index l = 0; l < pass.taps; ++l) {
            T sum = 0;
            for (Index part = 0; part < parts; ++part)
                sum += pass.total(sums.data() + part * pass.size(), f, l);
            d_weights[f * pass.taps + l] = sum;
        }
    }
}

template void convolve_weights_back(const Convolution&, const float*, Index, const Slopes<float>&,
                                    float*, float*);
template void convolve_weights_back(const Convolution&, const double*, Index, const Slopes<double>&,
                                    double*, double*);

}  // namespace stylobate::network
