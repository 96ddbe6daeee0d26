#include "network/response_norm.hpp"

#include <cmath>
#include <vector>

#include "network/examples.hpp"

namespace stylobate::network {
namespace {

// b^−β; the usual β = ¾ by square roots, which are many times faster than a power
template <class T>
T power(T b, double beta) {
    if (beta == 0.75) {
        const T root = std::sqrt(b);
        return T(1) / (root * std::sqrt(root));
    }
    return static_cast<T>(std::pow(static_cast<double>(b), -beta));
}

// out[c][·] = Σ_{|j − c| ≤ reach} in[j][·], for one image
template <class T>
void sum_nearby(const Channels& c, Index reach, const T* in, T* out) {
    for (Index channel = 0; channel < c.channels; ++channel) {
        T* to = out + channel * c.area;
        std::fill_n(to, c.area, T(0));
        const Index first = std::max<Index>(0, channel - reach);
        const Index last = std::min(c.channels - 1, channel + reach);
        for (Index j = first; j <= last; ++j) {
            const T* from = in + j * c.area;
            for (Index k = 0; k < c.area; ++k) to[k] += from[k];
        }
    }
}

}  // namespace

template <class T>
void response_norm(const Channels& c, const Response& r, const T* x, T* y, T* base) {
    const Index size = c.channels * c.area;
    const T share = static_cast<T>(r.share), shift = static_cast<T>(r.k);
    over_examples(c.images, size, [&](Index first, Index end) {
        std::vector<T> squares(static_cast<std::size_t>(size));
        for (Index image = first; image < end; ++image) {
            const T* own = x + image * size;
            T *b = base + image * size, *to = y + image * size;
            for (Index k = 0; k < size; ++k) squares[static_cast<std::size_t>(k)] = own[k] * own[k];
            sum_nearby(c, r.reach, squares.data(), b);
            for (Index k = 0; k < size; ++k) b[k] = shift + share * b[k];
            for (Index k = 0; k < size; ++k) to[k] = own[k] * power(b[k], r.beta);
        }
    });
}

template <class T>
void response_norm_back(const Channels& c, const Response& r, const T* x, const T* base,
                        const T* dy, T* dx) {
    const Index size = c.channels * c.area;
    const T factor = static_cast<T>(2.0 * r.share * r.beta);
    over_examples(c.images, size, [&](Index first, Index end) {
        std::vector<T> powers(static_cast<std::size_t>(size)), pulls(powers), nearby(powers);
        for (Index image = first; image < end; ++image) {
            const Index at = image * size;
            for (Index k = 0; k < size; ++k) {
                const auto place = static_cast<std::size_t>(k);
                powers[place] = power(base[at + k], r.beta);
                pulls[place] = dy[at + k] * x[at + k] * powers[place] / base[at + k];
            }
            sum_nearby(c, r.reach, pulls.data(), nearby.data());
            for (Index k = 0; k < size; ++k) {
                const auto place = static_cast<std::size_t>(k);
                dx[at + k] = dy[at + k] * powers[place] - factor * x[at + k] * nearby[place];
            }
        }
    });
}

template void response_norm(const Channels&, const Response&, const float*, float*, float*);
template void response_norm(const Channels&, const Response&, const double*, double*, double*);
template void response_norm_back(const Channels&, const Response&, const float*, const float*,
                                 const float*, float*);
template void response_norm_back(const Channels&, const Response&, const double*, const double*,
                                 const double*, double*);

}  // namespace stylobate::network
