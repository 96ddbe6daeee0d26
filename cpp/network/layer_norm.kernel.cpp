// Layer normalisation of one example. Features have scales of their own; channels of images share
// one among the entries of a plane.
#include "network/norm_kernels.hpp"
#include "network/wide.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::norms::Example;
using network::norms::RowBack;
using network::norms::RowForward;

template <class T>
void forward(const Example<T>& e, const RowForward<T>& t) {
    const Index size = e.channels * e.area;
    const double count = static_cast<double>(size);
    const T* x = e.x;
    double mean = 0.0, squares = 0.0;
    sum_run<1>(size, [=](auto at, Index i, auto* sums) { sums[0] += at.get(x + i); }, &mean);
    mean /= count;
    const auto square = [=](auto at, Index i, auto* sums) {
        const auto away = at.get(x + i) - mean;
        sums[0] += away * away;
    };
    sum_run<1>(size, square, &squares);
    const double inverse = 1.0 / __builtin_sqrt(squares / count + t.epsilon);
    *t.mean = mean, *t.inverse = inverse;
    if (e.area == 1)
        return over_run(size, [&, x = x](auto at, Index i) {
            at.put(t.y + i,
                   (at.get(x + i) - mean) * inverse * at.get(t.scale + i) + at.get(t.shift + i));
        });
    for (Index k = 0; k < e.channels; ++k) {
        const double f = inverse * static_cast<double>(t.scale[k]);
        const double b = static_cast<double>(t.shift[k]);
        const T* from = x + k * e.area;
        T* to = t.y + k * e.area;
        over_run(e.area,
                 [=](auto at, Index i) { at.put(to + i, (at.get(from + i) - mean) * f + b); });
    }
}

// Σ scale·dy and Σ scale·dy·(x − mean) over the example; those by channel are added on the way.
template <class T>
void add_up(const Example<T>& e, const RowBack<T>& t, double* totals) {
    const T *x = e.x, *dy = t.dy, *scale = t.scale;
    const double mean = t.mean, inverse = t.inverse;
    double *by_scale = t.by_scale, *by_shift = t.by_shift;
    if (e.area == 1)
        return sum_run<2>(
            e.channels,
            [=](auto at, Index k, auto* sums) {
                const auto d = at.get(dy + k), along = d * (at.get(x + k) - mean);
                at.put(by_shift + k, at.get(by_shift + k) + d);
                at.put(by_scale + k, at.get(by_scale + k) + along * inverse);
                sums[0] += at.get(scale + k) * d;
                sums[1] += at.get(scale + k) * along;
            },
            totals);
    totals[0] = totals[1] = 0.0;
    for (Index k = 0; k < e.channels; ++k, x += e.area, dy += e.area) {
        double own[2];
        const auto both = [=](auto at, Index i, auto* sums) {
            sums[0] += at.get(dy + i);
            sums[1] += at.get(dy + i) * (at.get(x + i) - mean);
        };
        sum_run<2>(e.area, both, own);
        by_shift[k] += own[0], by_scale[k] += own[1] * inverse;
        for (int s = 0; s < 2; ++s) totals[s] += static_cast<double>(scale[k]) * own[s];
    }
}

// dx = inverse·(scale·dy − mean of scale·dy − standardised x · its mean product with scale·dy)
template <class T>
void backward(const Example<T>& e, const RowBack<T>& t) {
    double totals[2];
    add_up(e, t, totals);
    const double count = static_cast<double>(e.channels * e.area);
    const double mean = t.mean, inverse = t.inverse, plain = inverse * totals[0] / count;
    const double along = inverse * inverse * inverse * totals[1] / count;
    const T *x = e.x, *dy = t.dy, *scale = t.scale;
    T* dx = t.dx;
    if (e.area == 1)
        return over_run(e.channels, [=](auto at, Index k) {
            at.put(dx + k, at.get(dy + k) * inverse * at.get(scale + k) - plain -
                               (at.get(x + k) - mean) * along);
        });
    for (Index k = 0; k < e.channels; ++k, x += e.area, dy += e.area, dx += e.area) {
        const double f = inverse * static_cast<double>(scale[k]);
        over_run(e.area, [=](auto at, Index i) {
            at.put(dx + i, at.get(dy + i) * f - plain - (at.get(x + i) - mean) * along);
        });
    }
}

}  // namespace

void normalize_row_f32(const Example<float>& e, const RowForward<float>& task) {
    forward(e, task);
}
void normalize_row_f64(const Example<double>& e, const RowForward<double>& task) {
    forward(e, task);
}
void normalize_row_back_f32(const Example<float>& e, const RowBack<float>& task) {
    backward(e, task);
}
void normalize_row_back_f64(const Example<double>& e, const RowBack<double>& task) {
    backward(e, task);
}

}  // namespace stylobate::STYLOBATE_ISA
