#include "descend/extrapolation.hpp"

#include <algorithm>
#include <cmath>

#include "descend/dense.hpp"

namespace stylobate::descend {
namespace {

// Solves m·z = 1 for a small symmetric positive definite m, in place; false if it is singular.
bool solve_ones(std::vector<double>& m, std::vector<double>& z, Index n) {
    for (Index j = 0; j < n; ++j) {
        double pivot = m[j * n + j];
        for (Index l = 0; l < j; ++l) pivot -= m[j * n + l] * m[j * n + l];
        if (!(pivot > 0.0)) return false;
        m[j * n + j] = std::sqrt(pivot);
        for (Index i = j + 1; i < n; ++i) {
            double entry = m[i * n + j];
            for (Index l = 0; l < j; ++l) entry -= m[i * n + l] * m[j * n + l];
            m[i * n + j] = entry / m[j * n + j];
        }
    }
    for (Index i = 0; i < n; ++i) {
        for (Index l = 0; l < i; ++l) z[i] -= m[i * n + l] * z[l];
        z[i] /= m[i * n + i];
    }
    for (Index i = n - 1; i >= 0; --i) {
        for (Index l = i + 1; l < n; ++l) z[i] -= m[l * n + i] * z[l];
        z[i] /= m[i * n + i];
    }
    return true;
}

}  // namespace

Extrapolation::Extrapolation(Index size, Index other_size, Index depth)
    : size_(size),
      other_size_(other_size),
      depth_(depth),
      w_(size * (depth + 1)),
      c_(other_size * (depth + 1)) {}

void Extrapolation::start(const std::vector<double>& w, const std::vector<double>& c) {
    count_ = 0;
    push(w, c);
}

void Extrapolation::push(const std::vector<double>& w, const std::vector<double>& c) {
    if (full()) count_ = 0;
    std::copy(w.begin(), w.end(), w_.begin() + count_ * size_);
    std::copy(c.begin(), c.end(), c_.begin() + count_ * other_size_);
    ++count_;
}

bool Extrapolation::combine(std::vector<double>& w, std::vector<double>& c) const {
    const Index n = depth_;
    std::vector<double> differences(n * size_), m(n * n), z(n, 1.0);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < size_; ++j)
            differences[i * size_ + j] = w_[(i + 1) * size_ + j] - w_[i * size_ + j];
    double trace = 0.0;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j) {
            m[i * n + j] = dense().dot(&differences[i * size_], &differences[j * size_], size_);
            if (i == j) trace += m[i * n + i];
        }
    if (!(trace > 0.0)) return false;
    for (Index i = 0; i < n; ++i) m[i * n + i] += 1e-14 * trace;
    if (!solve_ones(m, z, n)) return false;
    double total = 0.0;
    for (const double v : z) total += v;
    if (!std::isfinite(total) || total == 0.0) return false;
    w.assign(size_, 0.0);
    c.assign(other_size_, 0.0);
    for (Index i = 0; i < n; ++i) {
        dense().axpy(z[i] / total, &w_[(i + 1) * size_], w.data(), size_);
        dense().axpy(z[i] / total, &c_[(i + 1) * other_size_], c.data(), other_size_);
    }
    return true;
}

}  // namespace stylobate::descend
