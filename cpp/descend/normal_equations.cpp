#include "descend/normal_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "descend/cholesky.hpp"
#include "descend/dense.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {
namespace {

// D(G + αI)D = LLᵀ with D making the diagonal one, so that units of columns do not matter.
class Factor {
 public:
    explicit Factor(Index p)
        : p_(p), ld_(padded_stride(p)), scale_(p), l_(area(p, ld_)), inverse_(area(p, ld_)) {}

    // An upper bound of the condition number; infinite where the matrix is not positive definite.
    double of(const double* gram, Index stride, double alpha) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        for (Index j = 0; j < p_; ++j) {
            const double diagonal = gram[j * stride + j] + alpha;
            if (!(diagonal > 0.0)) return infinite;
            scale_[j] = 1.0 / std::sqrt(diagonal);
        }
        Buffer sums(p_);
        for (Index i = 0; i < p_; ++i) {
            double* row = l_.data() + i * ld_;
            for (Index j = 0; j < i; ++j) {
                row[j] = gram[i * stride + j] * scale_[i] * scale_[j];
                sums[i] += std::abs(row[j]);
                sums[j] += std::abs(row[j]);
            }
            row[i] = 1.0;
            sums[i] += 1.0;
        }
        if (cholesky(l_.data(), p_, ld_, nullptr) < p_) return infinite;
        const double bound = largest(sums) * inverse_norm(sums);
        return std::isfinite(bound) ? bound : infinite;
    }

    // x ← D(LLᵀ)⁻¹D b, the numbers of x `step` apart.
    void solve(const double* b, double* x, Index step, Buffer& work) const {
        for (Index i = 0; i < p_; ++i) {
            const double* row = l_.data() + i * ld_;
            work[i] = (scale_[i] * b[i] - dense().dot(row, work.data(), i)) / row[i];
        }
        for (Index i = p_ - 1; i >= 0; --i) {
            const double* row = l_.data() + i * ld_;
            work[i] /= row[i];
            dense().axpy(-work[i], row, work.data(), i);
            x[i * step] = scale_[i] * work[i];
        }
    }

 private:
    static double largest(const Buffer& numbers) {
        return *std::max_element(numbers.data(), numbers.data() + numbers.size());
    }

    // ‖(LLᵀ)⁻¹‖₁ ≤ ‖|L⁻¹|ᵀ|L⁻¹|1‖∞: never too small, and too large by a small factor only.
    double inverse_norm(Buffer& sums) {
        std::fill_n(sums.data(), p_, 0.0);
        for (Index i = 0; i < p_; ++i) {
            const double* row = l_.data() + i * ld_;
            double* m = inverse_.data() + i * ld_;
            std::fill_n(m, p_, 0.0);
            m[i] = 1.0;
            for (Index k = 0; k < i; ++k)
                dense().axpy(-row[k], inverse_.data() + k * ld_, m, k + 1);
            double total = 0.0;
            for (Index j = 0; j <= i; ++j) total += std::abs(m[j] /= row[i]);
            for (Index j = 0; j <= i; ++j) sums[j] += total * std::abs(m[j]);
        }
        return largest(sums);
    }

    Index p_, ld_;
    Buffer scale_, l_, inverse_;
};

Forms form(const double* scatter, Index q, Index p, Index target, const Buffer& w, Buffer& sizes) {
    const double* xy = scatter + (p + target) * q;
    double value = xy[p + target], terms = value;
    std::fill_n(sizes.data(), p, 0.0);
    for (Index i = 0; i < p; ++i) {
        if (w[i] == 0.0) continue;
        const double* row = scatter + i * q;
        const double size = std::abs(w[i]);
        value += w[i] * (dense().dot(row, w.data(), p) - 2.0 * xy[i]);
        terms += 2.0 * size * std::abs(xy[i]);
        for (Index j = 0; j < p; ++j) sizes[j] += size * std::abs(row[j]);
    }
    for (Index j = 0; j < p; ++j) terms += sizes[j] * std::abs(w[j]);
    return {value, terms};
}

}  // namespace

void quadratic_forms(const Scatters& scatters, const Index* which, const double* coef, Index count,
                     Forms* forms) {
    const Index q = scatters.q, t = scatters.targets, p = q - t;
    parallel_for(count, [&](Index k, Checkpoint&) {
        Buffer w(p), sizes(p);
        const double* scatter = scatters.data + which[k] * q * q;
        for (Index target = 0; target < t; ++target) {
            for (Index i = 0; i < p; ++i) w[i] = coef[(k * p + i) * t + target];
            forms[k * t + target] = form(scatter, q, p, target, w, sizes);
        }
    });
}

void solve_ridges(const Scatters& scatters, const RidgeFit* fits, Index count, double* coef,
                  double* bound) {
    const Index q = scatters.q, t = scatters.targets, p = q - t;
    parallel_for(count, [&](Index k, Checkpoint& checkpoint) {
        Factor factor(p);
        Buffer work(p);
        const double* scatter = scatters.data + fits[k].scatter * q * q;
        const double* alpha = fits[k].alpha;
        double worst = p == 0 ? 1.0 : 0.0;
        for (Index target = 0; target < t && p > 0; ++target) {
            checkpoint();
            if (target == 0 || alpha[target] != alpha[target - 1])
                worst = std::max(worst, factor.of(scatter, q, alpha[target]));
            if (!std::isfinite(worst)) break;
            factor.solve(scatter + (p + target) * q, coef + k * p * t + target, t, work);
        }
        bound[k] = worst;
    });
}

}  // namespace stylobate::descend
