// Weights held as w = s·v, so that an ℓ2 shrink costs one multiplication, and their running mean
// without touching more than a step touches.
#pragma once

#include <cmath>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::descend {

// With A the sum of s over the averaged steps and δₜ the change of v in step t,
// Σₜ sₜvₜ = A·v − Σₜ A_{t−1}·δₜ; the last sum, `lag_`, changes only where v does.
class ScaledWeights {
 public:
    ScaledWeights(const std::vector<double>& start, bool averages, const std::vector<double>& mean,
                  double count)
        : v_(start), lag_(averages ? start.size() : 0) {
        for (std::size_t j = 0; j < lag_.size(); ++j) lag_[j] = -count * mean[j];
    }

    template <class Rows>
    double dot(const Rows& rows, Index i) const {
        return scale_ * rows.dot(i, v_.data());
    }
    template <class Rows>
    void add(const Rows& rows, Index i, double a) {
        rows.add(i, a / scale_, v_.data());
        if (!lag_.empty() && sum_ != 0.0) rows.add(i, a / scale_ * sum_, lag_.data());
    }
    double operator[](Index j) const { return scale_ * v_[j]; }
    void set(Index j, double value) {
        const double change = value / scale_ - v_[j];
        v_[j] += change;
        if (!lag_.empty()) lag_[j] += sum_ * change;
    }
    void shrink(double factor) {
        if (factor <= 0.0) {
            for (Index j = 0; j < size(); ++j) set(j, 0.0);
            return;
        }
        scale_ *= factor;
        if (scale_ < smallest) fold();
    }
    void count_step() { sum_ += scale_; }

    Index size() const { return static_cast<Index>(v_.size()); }
    void weights(std::vector<double>& out) const {
        for (Index j = 0; j < size(); ++j) out[j] = (*this)[j];
    }
    void mean(double count, std::vector<double>& out) const {
        for (Index j = 0; j < size(); ++j) out[j] = (sum_ * v_[j] - lag_[j]) / count;
    }
    bool finite() const {
        double worst = 0.0;  // NaN and infinity survive multiplication by 0
        for (const double v : v_) worst += 0.0 * v;
        return worst == 0.0 && std::isfinite(scale_);
    }

 private:
    static constexpr double smallest = 1e-4;  // few digits are lost in A·v − lag

    // Start afresh at scale one, with the sum so far settled: A·v − lag stays what it is.
    void fold() {
        for (std::size_t j = 0; j < lag_.size(); ++j) lag_[j] -= sum_ * v_[j];
        for (double& v : v_) v *= scale_;
        sum_ = 0.0;
        scale_ = 1.0;
    }

    std::vector<double> v_, lag_;
    double scale_ = 1.0, sum_ = 0.0;
};

}  // namespace stylobate::descend
