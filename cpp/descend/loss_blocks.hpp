// ℓ, ℓ′ and ℓ″ of a block of rows at once: Newton's step and boosting read these, so that the
// exponentials are taken by the vector kernels.
#pragma once

#include <algorithm>

#include "descend/losses.hpp"
#include "scan/kernels.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

constexpr Index most_block_rows = 512;

struct LossBlock {
    double value[most_block_rows], gradient[most_block_rows], curvature[most_block_rows];
};

template <class Loss>
void differentiate(const Loss& loss, const double* y, const double* z, Index n, LossBlock& out) {
    for (Index i = 0; i < n; ++i) {
        out.value[i] = loss.value(y[i], z[i]);
        out.gradient[i] = loss.gradient(y[i], z[i]);
        out.curvature[i] = loss.curvature(y[i], z[i]);
    }
}

inline void differentiate(const Logistic&, const double* y, const double* z, Index n,
                          LossBlock& out) {
    scan::kernels().logistic(z, n, out.gradient, out.value);
    for (Index i = 0; i < n; ++i) {
        const double p = out.gradient[i];
        out.value[i] += std::max(z[i], 0.0) - y[i] * z[i];
        out.curvature[i] = p * (1.0 - p);
        out.gradient[i] = p - y[i];
    }
}

inline void differentiate(const Poisson&, const double* y, const double* z, Index n,
                          LossBlock& out) {
    scan::kernels().exp(z, n, out.curvature);
    for (Index i = 0; i < n; ++i) {
        out.value[i] = out.curvature[i] - y[i] * z[i];
        out.gradient[i] = out.curvature[i] - y[i];
    }
}

inline void differentiate(const Gamma&, const double* y, const double* z, Index n, LossBlock& out) {
    for (Index i = 0; i < n; ++i) out.gradient[i] = -z[i];
    scan::kernels().exp(out.gradient, n, out.curvature);
    for (Index i = 0; i < n; ++i) {
        out.curvature[i] *= y[i];
        out.value[i] = z[i] + out.curvature[i];
        out.gradient[i] = 1.0 - out.curvature[i];
    }
}

// Outside 1 ≤ p ≤ 2 the curvature may be negative; its expectation e^{(2−p)z} is not, and takes its
// place: Newton's method becomes Fisher's scoring.
inline void differentiate(const Tweedie& loss, const double* y, const double* z, Index n,
                          LossBlock& out) {
    const double a = 2.0 - loss.power, b = 1.0 - loss.power;
    const bool convex = loss.power >= 1.0 && loss.power <= 2.0;
    if (a == 0.0) return differentiate(Gamma{}, y, z, n, out);
    if (b == 0.0) return differentiate(Poisson{}, y, z, n, out);
    double scaled[most_block_rows];
    for (Index i = 0; i < n; ++i) scaled[i] = a * z[i];
    scan::kernels().exp(scaled, n, out.value);
    for (Index i = 0; i < n; ++i) scaled[i] = b * z[i];
    scan::kernels().exp(scaled, n, out.gradient);
    for (Index i = 0; i < n; ++i) {
        const double first = out.value[i];
        const double with_target = y[i] == 0.0 ? 0.0 : y[i] * out.gradient[i];
        out.value[i] = first / a - with_target / b;
        out.gradient[i] = first - with_target;
        out.curvature[i] = convex ? a * first - b * with_target : first;
    }
}

}  // namespace stylobate::descend
