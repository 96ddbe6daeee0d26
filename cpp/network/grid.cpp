#include "network/grid.hpp"

#include <algorithm>

namespace stylobate::network {
Range inside(Index columns, Index stride, Index shift, Index width) {
    const Index room = width - shift;
    const Index high = room <= 0 ? 0 : std::min(columns, (room + stride - 1) / stride);
    const Index low = shift >= 0 ? 0 : std::min(high, (stride - 1 - shift) / stride);
    return {low, high};
}

std::vector<Index> Grid::offsets(Index rows) const {
    std::vector<Index> found;
    found.reserve(static_cast<std::size_t>(c.inner()));
    for (Index channel = 0; channel < channels; ++channel)
        for (Index u = 0; u < c.window.size.y; ++u)
            for (Index v = 0; v < c.window.size.x; ++v) {
                const Pair at = phase(u, v);
                const Index plane = (channel * phases.y + at.y) * phases.x + at.x;
                found.push_back(plane * rows * pitch + shift(u, v));
            }
    return found;
}

Index Grid::band_rows(Index rows, Index bytes_per_row, Index bytes) const {
    const Index most = std::max<Index>(1, bytes / bytes_per_row - reach.y);
    const Index bands = (rows + most - 1) / most;
    return (rows + bands - 1) / bands;
}

template <class T>
void spread(const Grid& g, const T* planes, const Band& band, T* grid) {
    const Image& image = g.c.image;
    const Window& w = g.c.window;
    for (Index channel = 0; channel < g.channels; ++channel, planes += image.area())
        for (Index a = 0; a < g.phases.y; ++a)
            for (Index b = 0; b < g.phases.x; ++b) {
                const Index shift = b - w.padding.x, stride = w.stride.x;
                const Range in = inside(g.pitch, stride, shift, image.width);
                for (Index i = 0; i < band.count + g.reach.y; ++i, grid += g.pitch) {
                    const Index row = (band.first + i) * w.stride.y + a - w.padding.y;
                    const bool empty = row < 0 || row >= image.height;
                    const Index low = empty ? 0 : in.first, high = empty ? 0 : in.end;
                    const T* from = planes + row * image.width + shift;
                    std::fill(grid, grid + low, T(0));
                    if (stride == 1)
                        for (Index j = low; j < high; ++j) grid[j] = from[j];
                    else
                        for (Index j = low; j < high; ++j) grid[j] = from[j * stride];
                    std::fill(grid + high, grid + g.pitch, T(0));
                }
            }
}

template <class T>
void spread_slopes(const Grid& g, const T* slopes, const Band& band, T* grid) {
    for (Index f = 0; f < g.filters; ++f, slopes += g.out.y * g.out.x)
        for (Index i = band.first - g.reach.y; i < band.first + band.count; ++i, grid += g.pitch) {
            const bool place = i >= 0 && i < g.out.y;
            if (place) std::copy_n(slopes + i * g.out.x, g.out.x, grid);
            std::fill(grid + (place ? g.out.x : 0), grid + g.pitch, T(0));
        }
}

template void spread(const Grid&, const float*, const Band&, float*);
template void spread(const Grid&, const double*, const Band&, double*);
template void spread_slopes(const Grid&, const float*, const Band&, float*);
template void spread_slopes(const Grid&, const double*, const Band&, double*);

}  // namespace stylobate::network
