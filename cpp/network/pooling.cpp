#include "network/pooling.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "network/grid.hpp"
#include "network/kernels.hpp"
#include "network/space.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::network {
namespace {

constexpr Index chunk_entries = 1 << 15;

// visit(from, entries) for each entry of the window: place j of the row of places sees the plane's
// entry from + j·stride, for the columns j that lie inside.
template <class Visit>
void over_row(const Image& image, const Window& w, Index i, const Visit& visit) {
    const Index columns = w.output(image).x;
    for (Index u = 0; u < w.size.y; ++u) {
        const Index row = w.row(i, u);
        if (row < 0 || row >= image.height) continue;
        for (Index v = 0; v < w.size.x; ++v) {
            const Index shift = w.column(0, v);
            visit(row * image.width + shift, inside(columns, w.stride.x, shift, image.width));
        }
    }
}

// The largest entry of each window of a row of places, and where it lies.
template <class T>
struct Largest {
    std::vector<T> value;
    std::vector<int> at;  // −1: nothing is larger than −∞

    explicit Largest(Index columns)
        : value(static_cast<std::size_t>(columns)), at(static_cast<std::size_t>(columns)) {}

    void find(const Image& image, const Window& w, Index i, const T* x, bool where) {
        std::fill(value.begin(), value.end(), -std::numeric_limits<T>::infinity());
        if (where) std::fill(at.begin(), at.end(), -1);
        over_row(image, w, i, [&](Index from, const Range& in) {
            const Index first = from + in.first * w.stride.x;
            raise_to_largest({x + first, w.stride.x, in.end - in.first, value.data() + in.first,
                              static_cast<int>(first), where ? at.data() + in.first : nullptr});
        });
    }
    // The first entry of window j, where all of them are −∞.
    static Index first_entry(const Image& image, const Window& w, Index i, Index j) {
        Index found = -1;
        over_row(image, w, i, [&](Index from, const Range& in) {
            if (found < 0 && j >= in.first && j < in.end) found = from + j * w.stride.x;
        });
        return found;
    }
};

// body(plane, workspace) for all planes, a few at a time
template <class Make, class Body>
void over_planes(const Image& image, Index planes, const Make& make, const Body& body) {
    const Index per = std::max<Index>(1, chunk_entries / std::max<Index>(1, image.area()));
    parallel_for((planes + per - 1) / per, [&](Index chunk, Checkpoint& checkpoint) {
        auto workspace = make();
        for (Index plane = chunk * per; plane < std::min(planes, (chunk + 1) * per); ++plane) {
            checkpoint();
            body(plane, workspace);
        }
    });
}

// Windows of 2 × 2 side by side.
bool halves(const Window& w) {
    const auto is = [](const Pair& pair, Index value) {
        return pair.y == value && pair.x == value;
    };
    return is(w.size, 2) && is(w.stride, 2) && is(w.padding, 0) && is(w.dilation, 1);
}

// A plane of such windows: copied, for reads that run on to whole vectors.
template <class T>
struct HalvedPlane {
    Index height, width, windows;
    Space<T> x, y, dx;
    Space<unsigned char> which;

    HalvedPlane(const Image& image, bool back)
        : height(image.height),
          width(image.width),
          windows(height / 2 * (width / 2)),
          x(image.area()),
          y(windows),
          dx(back ? image.area() : 0),
          which(windows) {}

    void find(const T* from) {
        std::copy_n(from, height * width, x.data());
        halve({x.data(), width, height / 2, width / 2, false, y.data(), which.data()});
    }
    void write_back(const T* dy, T* to) {
        std::copy_n(dy, windows, y.data());
        halve_back({y.data(), which.data(), height, width, dx.data()});
        std::copy_n(dx.data(), height * width, to);
    }
};

}  // namespace

template <class T>
void pool(Pool kind, const Image& image, const Window& window, const T* x, Index planes, T* y) {
    const Pair out = window.output(image);
    const double share = 1.0 / static_cast<double>(window.area());
    if (kind == Pool::largest && halves(window))
        return over_planes(
            image, planes, [&] { return HalvedPlane<T>(image, false); },
            [&](Index plane, HalvedPlane<T>& halved) {
                halved.find(x + plane * image.area());
                std::copy_n(halved.y.data(), halved.windows, y + plane * halved.windows);
            });
    if (kind == Pool::largest)
        return over_planes(
            image, planes, [&] { return Largest<T>(out.x); },
            [&](Index plane, Largest<T>& row) {
                for (Index i = 0; i < out.y; ++i) {
                    row.find(image, window, i, x + plane * image.area(), false);
                    std::copy(row.value.begin(), row.value.end(), y + (plane * out.y + i) * out.x);
                }
            });
    over_planes(
        image, planes, [&] { return std::vector<double>(static_cast<std::size_t>(out.x)); },
        [&](Index plane, std::vector<double>& sums) {
            const T* from = x + plane * image.area();
            for (Index i = 0; i < out.y; ++i) {
                std::fill(sums.begin(), sums.end(), 0.0);
                over_row(image, window, i, [&](Index at, const Range& in) {
                    for (Index j = in.first; j < in.end; ++j)
                        sums[static_cast<std::size_t>(j)] +=
                            static_cast<double>(from[at + j * window.stride.x]);
                });
                for (Index j = 0; j < out.x; ++j)
                    y[(plane * out.y + i) * out.x + j] =
                        static_cast<T>(sums[static_cast<std::size_t>(j)] * share);
            }
        });
}

template <class T>
void pool_back(Pool kind, const Image& image, const Window& window, const T* x, Index planes,
               const T* dy, T* dx) {
    const Pair out = window.output(image);
    const T share = T(1) / static_cast<T>(window.area());
    if (kind == Pool::largest && halves(window))
        return over_planes(
            image, planes, [&] { return HalvedPlane<T>(image, true); },
            [&](Index plane, HalvedPlane<T>& halved) {
                halved.find(x + plane * image.area());
                halved.write_back(dy + plane * halved.windows, dx + plane * image.area());
            });
    over_planes(
        image, planes, [&] { return Largest<T>(out.x); },
        [&](Index plane, Largest<T>& row) {
            T* to = dx + plane * image.area();
            std::fill_n(to, image.area(), T(0));
            for (Index i = 0; i < out.y; ++i) {
                const T* d = dy + (plane * out.y + i) * out.x;
                if (kind == Pool::largest) {
                    row.find(image, window, i, x + plane * image.area(), true);
                    for (Index j = 0; j < out.x; ++j) {
                        Index at = row.at[static_cast<std::size_t>(j)];
                        if (at < 0) at = Largest<T>::first_entry(image, window, i, j);
                        if (at >= 0) to[at] += d[j];
                    }
                    continue;
                }
                over_row(image, window, i, [&](Index at, const Range& in) {
                    for (Index j = in.first; j < in.end; ++j)
                        to[at + j * window.stride.x] += d[j] * share;
                });
            }
        });
}

template void pool(Pool, const Image&, const Window&, const float*, Index, float*);
template void pool(Pool, const Image&, const Window&, const double*, Index, double*);
template void pool_back(Pool, const Image&, const Window&, const float*, Index, const float*,
                        float*);
template void pool_back(Pool, const Image&, const Window&, const double*, Index, const double*,
                        double*);

}  // namespace stylobate::network
