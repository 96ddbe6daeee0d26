// The multinomial loss ℓ(y, z) = log Σₖ e^{zₖ} − z_y of a class y and k predictors.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "descend/losses.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

struct Multinomial {
    // log Σ e^{zₖ}, safe at any size
    static double log_sum(const double* z, Index k) {
        const double top = *std::max_element(z, z + k);
        double sum = 0.0;
        for (Index j = 0; j < k; ++j) sum += std::exp(z[j] - top);
        return top + std::log(sum);
    }

    double value(Index y, const double* z, Index k) const { return log_sum(z, k) - z[y]; }

    // softmax(z) less the indicator of y; `out` may be z
    void gradient(Index y, const double* z, Index k, double* out) const {
        const double top = *std::max_element(z, z + k);
        double sum = 0.0;
        for (Index j = 0; j < k; ++j) sum += out[j] = std::exp(z[j] - top);
        for (Index j = 0; j < k; ++j) out[j] /= sum;
        out[y] -= 1.0;
    }

    // diag(p) − ppᵀ, k × k
    void curvature(const double* z, Index k, double* out) const {
        const double total = log_sum(z, k);
        for (Index i = 0; i < k; ++i)
            for (Index j = 0; j < k; ++j)
                out[i * k + j] = -std::exp(z[i] - total) * std::exp(z[j] - total);
        for (Index i = 0; i < k; ++i) out[i * k + i] += std::exp(z[i] - total);
    }

    // The negative entropy of u + e_y where that is a distribution (to rounding), else ∞.
    double conjugate(Index y, const double* u, Index k) const {
        double sum = 0.0, total = 0.0;
        for (Index j = 0; j < k; ++j) {
            double p = u[j] + (j == y ? 1.0 : 0.0);
            if (p < 0.0 && p > -1e-15) p = 0.0;
            sum += entropy(p);
            total += p;
        }
        return std::abs(total - 1.0) <= 1e-12 ? sum : infinity;
    }

    // z + t(softmax(z) − e_y) = v: for a given c = log Σ e^z each z solves z + t e^{z − c} = a, and
    // the c that makes the probabilities sum to 1 is found by bisection on that sum.
    void prox(Index y, const double* v, Index k, double t, double* out) const {
        std::vector<double> a(v, v + k);
        a[y] += t;
        const auto solve = [&](double c) {
            double sum = 0.0;
            for (Index j = 0; j < k; ++j) {
                const auto equation = [&](double z) {
                    const double e = t * std::exp(z - c);
                    return ValueAndSlope{z + e - a[j], 1.0 + e};
                };
                const double low = std::min(a[j], c) - t - 1.0;
                out[j] =
                    increasing_root(equation, std::min(low, a[j] - t * std::exp(a[j] - c)), a[j]);
                sum += std::exp(out[j] - c);
            }
            return sum;
        };
        double low = log_sum(v, k) - t - 1.0, high = log_sum(v, k) + t + 1.0;
        for (int step = 0; step < 200 && low < high; ++step) {
            const double c = 0.5 * (low + high);
            if (c == low || c == high) break;
            (solve(c) > 1.0 ? low : high) = c;
        }
        solve(high);
    }
};

}  // namespace stylobate::descend
