#include "network/activations.hpp"

#include <algorithm>
#include <cmath>

#include "network/kernels.hpp"
#include "network/output.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::network {
namespace {

constexpr Index chunk_size = 1 << 14;
// Klambauer et al. (2017): zero mean and unit variance are a fixed point
constexpr double selu_scale = 1.0507009873554805, selu_alpha = 1.6732632423543772;

double sigmoid(double x) {
    const double e = std::exp(-std::abs(x));
    return (x >= 0.0 ? 1.0 : e) / (1.0 + e);
}

double softplus(double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double value(Curve kind, double x) {
    if (kind == Curve::selu) return selu_scale * (x < 0.0 ? selu_alpha * std::expm1(x) : x);
    return kind == Curve::mish ? x * std::tanh(softplus(x)) : x;
}

double derivative(Curve kind, double x) {
    if (kind == Curve::selu) return x > 0.0 ? selu_scale : selu_scale * selu_alpha * std::exp(x);
    if (kind != Curve::mish) return 1.0;
    const double t = std::tanh(softplus(x));
    return t + x * (1.0 - t * t) * sigmoid(x);
}

template <class Body>
void over(Index n, Index unit, const Body& body) {
    parallel_for((n + unit - 1) / unit, [&](Index chunk, Checkpoint& checkpoint) {
        checkpoint();
        const Body own = body;  // pointers that nothing else can change
        const Index end = std::min(n, (chunk + 1) * unit);
        for (Index i = chunk * unit; i < end; ++i) own(i);
    });
}

}  // namespace

template <class T>
void activate(Curve kind, double slope, const T* x, Index n, T* y) {
    const T a = static_cast<T>(slope);
    switch (kind) {
        case Curve::sigmoid:
        case Curve::tanh: {  // there are kernels of these
            const auto known = kind == Curve::tanh ? Activation::tanh : Activation::logistic;
            return parallel_for((n + chunk_size - 1) / chunk_size, [&](Index chunk, Checkpoint&) {
                const Index from = chunk * chunk_size, count = std::min(chunk_size, n - from);
                std::copy_n(x + from, count, y + from);
                activate(known, y + from, count);
            });
        }
        case Curve::relu:
            return over(n, chunk_size, [=](Index i) { y[i] = x[i] < T(0) ? T(0) : x[i]; });
        case Curve::leaky_relu:
            return over(n, chunk_size, [=](Index i) { y[i] = x[i] < T(0) ? a * x[i] : x[i]; });
        case Curve::identity:
        case Curve::selu:
        case Curve::mish:
            break;
    }
    over(n, chunk_size,
         [=](Index i) { y[i] = static_cast<T>(value(kind, static_cast<double>(x[i]))); });
}

template <class T>
void activate_back(Curve kind, double slope, const T* x, const T* y, const T* dy, Index n, T* dx) {
    const T a = static_cast<T>(slope);
    // loops without a choice in them, which the compiler turns into vector instructions
    switch (kind) {
        case Curve::sigmoid:
            return over(n, chunk_size, [=](Index i) { dx[i] = dy[i] * (y[i] * (T(1) - y[i])); });
        case Curve::tanh:
            return over(n, chunk_size, [=](Index i) { dx[i] = dy[i] * (T(1) - y[i] * y[i]); });
        case Curve::relu:
            return over(n, chunk_size, [=](Index i) {
                const T d = dy[i];  // read in any case, or there are no vectors
                dx[i] = x[i] > T(0) ? d : T(0);
            });
        case Curve::leaky_relu:
            return over(n, chunk_size, [=](Index i) {
                const T d = dy[i];
                dx[i] = x[i] > T(0) ? d : a * d;
            });
        case Curve::identity:
        case Curve::selu:
        case Curve::mish:
            break;
    }
    over(n, chunk_size, [=](Index i) {
        const double f = derivative(kind, static_cast<double>(x[i]));
        dx[i] = static_cast<T>(f * static_cast<double>(dy[i]));
    });
}

template <class T>
void softmax(const T* x, Index rows, Index cols, T* y) {
    over(rows, 64, [&](Index i) {
        std::copy_n(x + i * cols, cols, y + i * cols);
        finish_row(Output::softmax, y + i * cols, cols);
    });
}

template <class T>
void softmax_back(const T* y, const T* dy, Index rows, Index cols, T* dx) {
    over(rows, 64, [&](Index i) {
        const T *a = y + i * cols, *d = dy + i * cols;
        double mean = 0.0;
        for (Index j = 0; j < cols; ++j)
            mean += static_cast<double>(a[j]) * static_cast<double>(d[j]);
        for (Index j = 0; j < cols; ++j)
            dx[i * cols + j] =
                static_cast<T>(static_cast<double>(a[j]) * (static_cast<double>(d[j]) - mean));
    });
}

template void activate(Curve, double, const float*, Index, float*);
template void activate(Curve, double, const double*, Index, double*);
template void activate_back(Curve, double, const float*, const float*, const float*, Index, float*);
template void activate_back(Curve, double, const double*, const double*, const double*, Index,
                            double*);
template void softmax(const float*, Index, Index, float*);
template void softmax(const double*, Index, Index, double*);
template void softmax_back(const float*, const float*, Index, Index, float*);
template void softmax_back(const double*, const double*, Index, Index, double*);

}  // namespace stylobate::network
