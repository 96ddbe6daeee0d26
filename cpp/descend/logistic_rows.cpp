#include "descend/logistic_rows.hpp"

#include <algorithm>
#include <cmath>

#include "scan/kernels.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {
namespace {

constexpr Index block = 256;        // rows at a time, in cache
constexpr Index unit = 8 * block;   // rows of one chunk
constexpr Index most_steps = 100;   // of Newton's method for the intercept
constexpr double longest = 5.0;     // of its steps: beyond, the curvature says nothing
constexpr double exact = 4e-16;     // relative change of an intercept that ends the search
constexpr double rounding = 1e-13;  // of the loss: a rise that is none

// Σ over chunks of rows of what body(first, last) returns, in order.
template <class Body>
double sum_over(Index n, const Body& body) {
    const Index chunks = (n + unit - 1) / unit;
    std::vector<double> parts(chunks, 0.0);
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        checkpoint();
        parts[chunk] = body(chunk * unit, std::min(n, (chunk + 1) * unit));
    });
    double total = 0.0;
    for (const double part : parts) total += part;
    return total;
}

double sum(const double* x, Index n) {
    return sum_over(n, [&](Index first, Index last) {
        double total = 0.0;
        for (Index i = first; i < last; ++i) total += x[i];
        return total;
    });
}

double entropy(double q) {  // q log q
    return q > 0.0 ? q * std::log(q) : 0.0;
}

}  // namespace

LogisticRows::LogisticRows(const std::int64_t* codes, const double* weights, Index rows,
                           Index margins)
    : n_(rows), k_(margins), s_(rows), codes_(codes, codes + rows) {
    for (Index i = 0; i < n_; ++i) total_ += s_[i] = weights == nullptr ? 1.0 : weights[i];
}

double LogisticRows::evaluate_two(Index first, Index last, const double* z, double intercept,
                                  double* probability, double* residual) const {
    double at[block], softplus[block], loss = 0.0;
    for (Index i0 = first; i0 < last; i0 += block) {
        const Index count = std::min(block, last - i0);
        for (Index i = 0; i < count; ++i) at[i] = z[i0 + i] + intercept;
        scan::kernels().logistic(at, count, probability + i0, softplus);
        for (Index i = 0; i < count; ++i) {
            const double s = s_[i0 + i], y = codes_[i0 + i];
            residual[i0 + i] = s * (probability[i0 + i] - y);
            // log(1 + e^z) − yz, without the difference of two large numbers
            loss += s * (softplus[i] + std::max(y > 0.0 ? -at[i] : at[i], 0.0));
        }
    }
    return loss;
}

double LogisticRows::evaluate(const double* z, const double* intercept, double* probability,
                              double* residual) const {
    if (k_ == 1)
        return sum_over(n_, [&](Index first, Index last) {
            return evaluate_two(first, last, z, intercept[0], probability, residual);
        });
    return sum_over(n_, [&](Index first, Index last) {
        double top[block], total[block], loss = 0.0;
        for (Index i0 = first; i0 < last; i0 += block) {
            const Index count = std::min(block, last - i0);
            for (Index i = 0; i < count; ++i) top[i] = z[i0 + i] + intercept[0], total[i] = 0.0;
            for (Index c = 1; c < k_; ++c)
                for (Index i = 0; i < count; ++i)
                    top[i] = std::max(top[i], z[c * n_ + i0 + i] + intercept[c]);
            for (Index c = 0; c < k_; ++c) {
                double* p = probability + c * n_ + i0;
                const double* at = z + c * n_ + i0;
                for (Index i = 0; i < count; ++i) {
                    p[i] = at[i] + intercept[c] - top[i];
                    if (codes_[i0 + i] == c) loss -= s_[i0 + i] * p[i];
                }
                scan::kernels().exp(p, count, p);
                for (Index i = 0; i < count; ++i) total[i] += p[i];
            }
            for (Index i = 0; i < count; ++i) loss += s_[i0 + i] * std::log(total[i]);
            for (Index c = 0; c < k_; ++c)
                for (Index i = 0; i < count; ++i) {
                    double& p = probability[c * n_ + i0 + i];
                    p /= total[i];
                    residual[c * n_ + i0 + i] =
                        s_[i0 + i] * (p - (codes_[i0 + i] == c ? 1.0 : 0.0));
                }
        }
        return loss;
    });
}

// Σ s(diag p − ppᵀ); for several margins plus a multiple of 11ᵀ, along which nothing changes.
std::vector<double> LogisticRows::intercept_hessian(const double* p) const {
    if (k_ == 1)
        return {sum_over(n_, [&](Index first, Index last) {
            double total = 0.0;
            for (Index i = first; i < last; ++i) total += s_[i] * p[i] * (1.0 - p[i]);
            return total;
        })};
    std::vector<double> h(k_ * k_, 0.0);
    for (Index c = 0; c < k_; ++c)
        for (Index e = 0; e <= c; ++e) {
            const double* a = p + c * n_;
            const double* b = p + e * n_;
            h[c * k_ + e] = h[e * k_ + c] = sum_over(n_, [&](Index first, Index last) {
                double total = 0.0;
                for (Index i = first; i < last; ++i)
                    total += s_[i] * a[i] * (c == e ? 1.0 - b[i] : -b[i]);
                return total;
            });
        }
    double trace = 0.0;
    for (Index c = 0; c < k_; ++c) trace += h[c * k_ + c];
    for (double& entry : h) entry += trace / static_cast<double>(k_ * k_);
    return h;
}

double LogisticRows::optimise_intercept(const double* z, double* intercept, double* probability,
                                        double* residual) const {
    double loss = evaluate(z, intercept, probability, residual);
    std::vector<double> gradient(k_), trial(k_);
    for (Index step = 0; step < most_steps; ++step) {
        double off = 0.0, size = 0.0;
        for (Index c = 0; c < k_; ++c) {
            gradient[c] = sum(residual + c * n_, n_);
            off = std::max(off, std::fabs(gradient[c]));
        }
        if (off <= 1e-15 * total_) return loss;
        std::vector<double> h = intercept_hessian(probability);
        if (!solve_small(h, gradient)) return loss;
        for (const double g : gradient) size = std::max(size, std::fabs(g));
        double t = std::min(1.0, longest / size), largest = 0.0;
        for (Index c = 0; c < k_; ++c) largest = std::max(largest, std::fabs(intercept[c]));
        if (size <= exact * std::max(1.0, largest)) return loss;
        double next = loss;
        for (int halving = 0; halving < 40; ++halving, t *= 0.5) {
            for (Index c = 0; c < k_; ++c) trial[c] = intercept[c] - t * gradient[c];
            next = evaluate(z, trial.data(), probability, residual);
            if (next <= loss * (1.0 + rounding)) break;
        }
        std::copy(trial.begin(), trial.end(), intercept);
        const bool done = size * t <= 1e-10;  // Newton's next step would be below rounding
        loss = next;
        if (done) return loss;
    }
    return loss;
}

void LogisticRows::curvature(const double* probability, Index c, double* d) const {
    const double* p = probability + c * n_;
    for (Index i = 0; i < n_; ++i) d[i] = s_[i] * p[i] * (1.0 - p[i]);
}

double LogisticRows::conjugate(const double* p, double c, double shift) const {
    return -sum_over(n_, [&](Index first, Index last) {
        double total = 0.0;
        for (Index i = first; i < last; ++i) {
            if (s_[i] == 0.0) continue;
            const Index y = codes_[i];
            double h = 0.0, others = 0.0;
            if (k_ == 1) {
                const double q = 1.0 - p[i];
                others = c * (y == 1 ? q + shift * p[i] * q : p[i] - shift * p[i] * q);
                h = entropy(others);
            } else {
                for (Index e = 0; e < k_; ++e)
                    if (e != y) others += c * p[e * n_ + i], h += entropy(c * p[e * n_ + i]);
            }
            total += s_[i] * (h + entropy(std::max(1.0 - others, 0.0)));
        }
        return total;
    });
}

bool factor_small(std::vector<double>& a, Index n) {
    for (Index j = 0; j < n; ++j) {
        for (Index i = j; i < n; ++i) {
            double sum = a[i * n + j];
            for (Index l = 0; l < j; ++l) sum -= a[i * n + l] * a[j * n + l];
            if (i == j) {
                if (!(sum > 0.0)) return false;
                a[j * n + j] = std::sqrt(sum);
            } else {
                a[i * n + j] = sum / a[j * n + j];
            }
        }
    }
    return true;
}

bool solve_small(std::vector<double>& a, std::vector<double>& b) {
    const auto n = static_cast<Index>(b.size());
    if (!factor_small(a, n)) return false;
    for (Index i = 0; i < n; ++i) {
        for (Index l = 0; l < i; ++l) b[i] -= a[i * n + l] * b[l];
        b[i] /= a[i * n + i];
    }
    for (Index i = n - 1; i >= 0; --i) {
        for (Index l = i + 1; l < n; ++l) b[i] -= a[l * n + i] * b[l];
        b[i] /= a[i * n + i];
    }
    return true;
}

}  // namespace stylobate::descend
