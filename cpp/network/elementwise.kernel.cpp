// Activations and their derivatives, in double precision whatever is stored.
#include "network/kernels.hpp"
#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::Activation;

// eʸ − 1 for −1 ≤ y ≤ 0, where the difference would lose digits: its Taylor polynomial.
Vector small_exp_minus_one(Vector y) {
    Vector sum = broadcast(1.0);
    for (int k = 19; k >= 2; --k) sum = 1.0 + sum * y * (1.0 / static_cast<double>(k));
    return sum * y;
}

Vector tanh_of(Vector x) {
    const Vector size = choose(x < 0.0, -x, x), y = -2.0 * size;
    const Vector near = small_exp_minus_one(choose(size < 0.5, y, broadcast(0.0)));
    const Vector change = choose(size < 0.5, near, exp_of(y) - 1.0);
    const Vector value = -change / (2.0 + change);
    return choose(x < 0.0, -value, value);
}

Vector logistic_of(Vector x) {
    const Whole positive = x >= 0.0;
    const Vector e = exp_of(choose(positive, -x, x));
    return choose(positive, broadcast(1.0), e) / (1.0 + e);
}

template <class T, class Function>
void over(T* z, Index n, const Function& f) {
    Index i = 0;
    for (; i + lanes <= n; i += lanes) {  // a length known beforehand: no loops within
        Vector x = {};
        for (Index k = 0; k < lanes; ++k) x[k] = static_cast<double>(z[i + k]);
        x = f(x);
        for (Index k = 0; k < lanes; ++k) z[i + k] = static_cast<T>(x[k]);
    }
    if (i == n) return;
    Vector x = {};
    for (Index k = 0; i + k < n; ++k) x[k] = static_cast<double>(z[i + k]);
    x = f(x);
    for (Index k = 0; i + k < n; ++k) z[i + k] = static_cast<T>(x[k]);
}

template <class T>
void activate_all(Activation kind, T* z, Index n) {
    if (kind == Activation::logistic) over(z, n, [](Vector x) { return logistic_of(x); });
    if (kind == Activation::tanh) over(z, n, [](Vector x) { return tanh_of(x); });
    if (kind == Activation::relu)
        for (Index i = 0; i < n; ++i) z[i] = z[i] < 0 ? T(0) : z[i];  // NaN stays
}

template <class T>
void multiply_by_slope(Activation kind, const T* a, T* d, Index n) {
    if (kind == Activation::logistic)
        for (Index i = 0; i < n; ++i) d[i] *= a[i] * (T(1) - a[i]);
    if (kind == Activation::tanh)
        for (Index i = 0; i < n; ++i) d[i] *= T(1) - a[i] * a[i];
    if (kind == Activation::relu)
        for (Index i = 0; i < n; ++i) d[i] = a[i] == 0 ? T(0) : d[i];
}

}  // namespace

void activate_f32(Activation kind, float* z, Index n) {
    activate_all(kind, z, n);
}
void activate_f64(Activation kind, double* z, Index n) {
    activate_all(kind, z, n);
}
void slope_f32(Activation kind, const float* a, float* d, Index n) {
    multiply_by_slope(kind, a, d, n);
}
void slope_f64(Activation kind, const double* a, double* d, Index n) {
    multiply_by_slope(kind, a, d, n);
}

}  // namespace stylobate::STYLOBATE_ISA
