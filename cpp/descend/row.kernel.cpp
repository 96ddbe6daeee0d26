// One row at a time: products with the weights, and steps along it.
#include "descend/row_kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 8;
typedef double Wide __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));
typedef float Narrow
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2), aligned(4), may_alias));

[[gnu::always_inline]] inline Wide load(const double* x) {
    return *reinterpret_cast<const Wide*>(x);
}
[[gnu::always_inline]] inline Wide load(const float* x) {
    return __builtin_convertvector(*reinterpret_cast<const Narrow*>(x), Wide);
}
[[gnu::always_inline]] inline void store(double* to, Wide value) {
    *reinterpret_cast<Wide*>(to) = value;
}
[[gnu::always_inline]] inline double total(Wide sum) {
    double all = 0.0;
    for (Index k = 0; k < lanes; ++k) all += sum[k];
    return all;
}

// Four sums side by side hide the latency of the additions.
template <class T>
[[gnu::always_inline]] inline double dot(const T* x, const double* w, Index n) {
    Wide a{}, b{}, c{}, d{};
    Index j = 0;
    for (; j + 4 * lanes <= n; j += 4 * lanes) {
        a += load(x + j) * load(w + j);
        b += load(x + j + lanes) * load(w + j + lanes);
        c += load(x + j + 2 * lanes) * load(w + j + 2 * lanes);
        d += load(x + j + 3 * lanes) * load(w + j + 3 * lanes);
    }
    for (; j + lanes <= n; j += lanes) a += load(x + j) * load(w + j);
    double rest = 0.0;
    for (; j < n; ++j) rest += static_cast<double>(x[j]) * w[j];
    return total((a + b) + (c + d)) + rest;
}

template <class T>
[[gnu::always_inline]] inline void add(double a, const T* x, double* w, Index n) {
    Index j = 0;
    for (; j + lanes <= n; j += lanes) store(w + j, load(w + j) + a * load(x + j));
    for (; j < n; ++j) w[j] += a * static_cast<double>(x[j]);
}

template <class T>
[[gnu::always_inline]] inline double centred_dot(const T* x, const double* center, const double* w,
                                                 Index n) {
    Wide a{}, b{};
    Index j = 0;
    for (; j + 2 * lanes <= n; j += 2 * lanes) {
        a += (load(x + j) - load(center + j)) * load(w + j);
        b += (load(x + j + lanes) - load(center + j + lanes)) * load(w + j + lanes);
    }
    double rest = 0.0;
    for (; j < n; ++j) rest += (static_cast<double>(x[j]) - center[j]) * w[j];
    return total(a + b) + rest;
}

template <class T>
[[gnu::always_inline]] inline void saga(const descend::SagaStep& how, const T* x,
                                        const double* center, double* w, double* g, Index n) {
    const double t = how.threshold;
    for (Index j = 0; j < n; ++j) {
        const double d = how.change * (static_cast<double>(x[j]) - center[j]);
        const double v = how.shrink * w[j] - how.step * (how.along * d + g[j]);
        g[j] += how.share * d;
        // soft(v, t) = v − min(max(v, −t), t)
        const double capped = v > t ? t : v < -t ? -t : v;
        w[j] = t > 0.0 ? v - capped : v;
    }
}

}  // namespace

double dot_f64(const double* x, const double* w, Index n) {
    return dot(x, w, n);
}
double dot_f32(const float* x, const double* w, Index n) {
    return dot(x, w, n);
}
void add_f64(double a, const double* x, double* w, Index n) {
    add(a, x, w, n);
}
void add_f32(double a, const float* x, double* w, Index n) {
    add(a, x, w, n);
}
double centred_dot_f64(const double* x, const double* center, const double* w, Index n) {
    return centred_dot(x, center, w, n);
}
double centred_dot_f32(const float* x, const double* center, const double* w, Index n) {
    return centred_dot(x, center, w, n);
}
void saga_f64(const descend::SagaStep& how, const double* x, const double* center, double* w,
              double* g, Index n) {
    saga(how, x, center, w, g, n);
}
void saga_f32(const descend::SagaStep& how, const float* x, const double* center, double* w,
              double* g, Index n) {
    saga(how, x, center, w, g, n);
}

}  // namespace stylobate::STYLOBATE_ISA
