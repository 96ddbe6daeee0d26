#include "descend/loss_blocks.hpp"

#include <algorithm>

#include "scan/kernels.hpp"

namespace stylobate::descend {
namespace {

template <class Loss>
void fill(const Loss& loss, const double* y, const double* z, Index n, LossBlock& out) {
    for (Index i = 0; i < n; ++i) {
        out.value[i] = loss.value(y[i], z[i]);
        out.gradient[i] = loss.gradient(y[i], z[i]);
        out.curvature[i] = loss.curvature(y[i], z[i]);
    }
}

void fill(const Logistic&, const double* y, const double* z, Index n, LossBlock& out) {
    scan::kernels().logistic(z, n, out.gradient, out.value);
    for (Index i = 0; i < n; ++i) {
        const double p = out.gradient[i];
        out.value[i] += std::max(z[i], 0.0) - y[i] * z[i];
        out.curvature[i] = p * (1.0 - p);
        out.gradient[i] = p - y[i];
    }
}

void fill(const Poisson&, const double* y, const double* z, Index n, LossBlock& out) {
    scan::kernels().exp(z, n, out.curvature);
    for (Index i = 0; i < n; ++i) {
        out.value[i] = out.curvature[i] - y[i] * z[i];
        out.gradient[i] = out.curvature[i] - y[i];
    }
}

void fill(const Gamma&, const double* y, const double* z, Index n, LossBlock& out) {
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
void fill(const Tweedie& loss, const double* y, const double* z, Index n, LossBlock& out) {
    const double a = 2.0 - loss.power, b = 1.0 - loss.power;
    const bool convex = loss.power >= 1.0 && loss.power <= 2.0;
    if (a == 0.0) return fill(Gamma{}, y, z, n, out);
    if (b == 0.0) return fill(Poisson{}, y, z, n, out);
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

}  // namespace

void differentiate(const LossChoice& choice, const double* y, const double* z, Index n,
                   LossBlock& out) {
    with_loss(choice, [&](const auto& loss) { fill(loss, y, z, n, out); });
}

}  // namespace stylobate::descend
