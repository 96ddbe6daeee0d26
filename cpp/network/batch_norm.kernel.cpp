// Batch normalisation, one example of the batch at a time: sums by channel, then every entry.
#include "network/norm_kernels.hpp"
#include "network/wide.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::norms::ChannelBack;
using network::norms::ChannelForward;
using network::norms::Example;

template <class T>
void add(const Example<T>& e, const double* centres, double* sums) {
    const T* x = e.x;
    const bool plain = centres == nullptr;
    if (e.area == 1 && plain)
        return over_run(e.channels, [=](auto at, Index k) {
            at.put(sums + k, at.get(sums + k) + at.get(x + k));
        });
    if (e.area == 1)
        return over_run(e.channels, [=](auto at, Index k) {
            const auto away = at.get(x + k) - at.get(centres + k);
            at.put(sums + k, at.get(sums + k) + away * away);
        });
    for (Index k = 0; k < e.channels; ++k, x += e.area) {
        const double centre = plain ? 0.0 : centres[k];
        double own = 0.0;
        const auto sum = [=](auto at, Index i, auto* s) { s[0] += at.get(x + i); };
        const auto square = [=](auto at, Index i, auto* s) {
            const auto away = at.get(x + i) - centre;
            s[0] += away * away;
        };
        if (plain)
            sum_run<1>(e.area, sum, &own);
        else
            sum_run<1>(e.area, square, &own);
        sums[k] += own;
    }
}

template <class T>
void add_both(const Example<T>& e, const T* dy, const double* means, double* plain, double* along) {
    const T* x = e.x;
    if (e.area == 1)
        return over_run(e.channels, [=](auto at, Index k) {
            const auto d = at.get(dy + k), away = at.get(x + k) - at.get(means + k);
            at.put(plain + k, at.get(plain + k) + d);
            at.put(along + k, at.get(along + k) + d * away);
        });
    for (Index k = 0; k < e.channels; ++k, x += e.area, dy += e.area) {
        const double mean = means[k];
        double own[2];
        const auto both = [=](auto at, Index i, auto* s) {
            s[0] += at.get(dy + i);
            s[1] += at.get(dy + i) * (at.get(x + i) - mean);
        };
        sum_run<2>(e.area, both, own);
        plain[k] += own[0], along[k] += own[1];
    }
}

template <class T>
void forward(const Example<T>& e, const ChannelForward<T>& t) {
    const T *x = e.x, *shift = t.shift;
    const double *means = t.means, *factors = t.factors;
    T* y = t.y;
    if (e.area == 1)
        return over_run(e.channels, [=](auto at, Index k) {
            at.put(y + k,
                   (at.get(x + k) - at.get(means + k)) * at.get(factors + k) + at.get(shift + k));
        });
    for (Index k = 0; k < e.channels; ++k, x += e.area, y += e.area) {
        const double mean = means[k], f = factors[k], b = static_cast<double>(shift[k]);
        over_run(e.area, [=](auto at, Index i) { at.put(y + i, (at.get(x + i) - mean) * f + b); });
    }
}

template <class T>
void backward(const Example<T>& e, const ChannelBack<T>& t) {
    const T *x = e.x, *dy = t.dy;
    const double *means = t.means, *factors = t.factors, *plain = t.plain, *along = t.along;
    T* dx = t.dx;
    if (e.area == 1)
        return over_run(e.channels, [=](auto at, Index k) {
            const auto away = at.get(x + k) - at.get(means + k);
            at.put(dx + k, at.get(factors + k) *
                               (at.get(dy + k) - (at.get(plain + k) + away * at.get(along + k))));
        });
    for (Index k = 0; k < e.channels; ++k, x += e.area, dy += e.area, dx += e.area) {
        const double mean = means[k], f = factors[k], p = plain[k], a = along[k];
        over_run(e.area, [=](auto at, Index i) {
            at.put(dx + i, f * (at.get(dy + i) - (p + (at.get(x + i) - mean) * a)));
        });
    }
}

}  // namespace

void add_channels_f32(const Example<float>& e, const double* centres, double* sums) {
    add(e, centres, sums);
}
void add_channels_f64(const Example<double>& e, const double* centres, double* sums) {
    add(e, centres, sums);
}
void add_slopes_f32(const Example<float>& e, const float* dy, const double* means, double* plain,
                    double* along) {
    add_both(e, dy, means, plain, along);
}
void add_slopes_f64(const Example<double>& e, const double* dy, const double* means, double* plain,
                    double* along) {
    add_both(e, dy, means, plain, along);
}
void normalize_channels_f32(const Example<float>& e, const ChannelForward<float>& task) {
    forward(e, task);
}
void normalize_channels_f64(const Example<double>& e, const ChannelForward<double>& task) {
    forward(e, task);
}
void normalize_channels_back_f32(const Example<float>& e, const ChannelBack<float>& task) {
    backward(e, task);
}
void normalize_channels_back_f64(const Example<double>& e, const ChannelBack<double>& task) {
    backward(e, task);
}

}  // namespace stylobate::STYLOBATE_ISA
