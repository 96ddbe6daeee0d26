#include "descend/sparse_descent.hpp"

#include <algorithm>
#include <cmath>

#include "descend/extrapolation.hpp"

namespace stylobate::descend {
namespace {

constexpr Index period = 5;       // sweeps between extrapolations
constexpr Index proof_every = 2;  // extrapolations between questions for the gap

// Centred columns are not sparse, so that the residual is kept in two parts: with
// u = ω(y − ȳ − Xw) and s = Σ wⱼx̄ⱼ it is √ω r = u + ω s, and as Σ √ω r = 0,
// cⱼ = xⱼᵀu + s·Ω·x̄ⱼ.
class SparseDescent {
 public:
    SparseDescent(const Columns& x, const Regression& regression, const WorkingSet& set,
                  const ElasticNet& penalty, const Rules& rules, std::vector<double>& w)
        : x_(x), regression_(regression), set_(set), penalty_(penalty), rules_(rules), w_(w) {
        omega_.resize(static_cast<std::size_t>(x.rows()));
        u_.resize(omega_.size());
        for (Index i = 0; i < x.rows(); ++i) {
            const double root = regression.root_of(i);
            omega_[i] = root * root;
            u_[i] = root * regression.y[i];
        }
        for (Index m = 0; m < set.size(); ++m)
            if (w[m] != 0.0) x_.add_weighted(set.members()[m], -w[m], omega_.data(), u_.data());
        shift_ = shift_of(w);
    }

    Index run(double gap_goal, double change_goal, Index max_epochs, Checkpoint& checkpoint) {
        Extrapolation past(static_cast<Index>(w_.size()), x_.rows(), period);
        past.start(w_, u_);
        Index epoch = 0, full = 0;
        while (epoch < max_epochs) {
            checkpoint();
            ++epoch;
            const double change = sweep(checkpoint);
            if (change == 0.0 || (change_goal > 0.0 && change <= change_goal)) break;
            past.push(w_, u_);
            if (!past.full()) continue;
            extrapolate(past);
            if (++full % proof_every == 0 && gap() <= gap_goal) break;
        }
        return epoch;
    }

 private:
    double correlation(Index member) const {
        const Index j = set_.members()[member];
        double raw = 0.0;
        x_.correlate(j, j + 1, u_.data(), 1, x_.rows(), &raw, 1);
        return raw + shift_ * regression_.weight * regression_.x_mean[j];
    }

    // Twice the largest decrease of the objective by a coordinate.
    double sweep(Checkpoint& checkpoint) {
        double largest = 0.0;
        for (Index m = 0; m < set_.size(); ++m) {
            if (m % 1024 == 0) checkpoint();
            const double length = set_.lengths()[m];
            if (length <= 0.0) continue;
            const double z = correlation(m) + length * w_[m];
            const double now =
                soft_threshold(z, penalty_.l1, rules_.positive) / (length + penalty_.l2);
            const double step = now - w_[m];
            if (step == 0.0) continue;
            const Index j = set_.members()[m];
            w_[m] = now;
            x_.add_weighted(j, -step, omega_.data(), u_.data());
            shift_ += step * regression_.x_mean[j];
            largest = std::max(largest, step * step * length);
        }
        return largest;
    }

    double shift_of(const std::vector<double>& w) const {
        double shift = 0.0;
        for (Index m = 0; m < set_.size(); ++m)
            shift += w[m] * regression_.x_mean[set_.members()[m]];
        return shift;
    }

    // ‖r‖², r = u/√ω + √ω s
    double squares(const std::vector<double>& u, double shift) const {
        double total = 0.0;
        for (std::size_t i = 0; i < u.size(); ++i) {
            if (omega_[i] == 0.0) continue;
            const double r = u[i] + omega_[i] * shift;
            total += r * r / omega_[i];
        }
        return total;
    }

    double objective(const std::vector<double>& w, const std::vector<double>& u) const {
        double norm = 0.0, length = 0.0;
        for (const double each : w) norm += std::fabs(each), length += each * each;
        return 0.5 * squares(u, shift_of(w)) + penalty_.l1 * norm + 0.5 * penalty_.l2 * length;
    }

    double gap() const {
        std::vector<double> c(w_.size());
        for (Index m = 0; m < set_.size(); ++m) c[m] = correlation(m);
        return prove(w_.data(), c.data(), set_.size(), squares(u_, shift_), penalty_,
                     rules_.positive)
            .gap;
    }

    void extrapolate(Extrapolation& past) {
        std::vector<double> w, u;
        if (past.combine(w, u)) {
            const bool outside =
                rules_.positive && std::any_of(w.begin(), w.end(), [](double v) { return v < 0; });
            if (!outside && objective(w, u) < objective(w_, u_)) {
                w_ = std::move(w), u_ = std::move(u);
                shift_ = shift_of(w_);
            }
        }
        past.start(w_, u_);
    }

    const Columns& x_;
    const Regression& regression_;
    const WorkingSet& set_;
    const ElasticNet& penalty_;
    const Rules& rules_;
    std::vector<double>& w_;
    std::vector<double> omega_, u_;
    double shift_ = 0.0;
};

}  // namespace

Index descend_sparse(const Columns& x, const Regression& regression, const WorkingSet& set,
                     const ElasticNet& penalty, const Rules& rules, double gap_goal,
                     double change_goal, Index max_epochs, std::vector<double>& w,
                     Checkpoint& checkpoint) {
    return SparseDescent(x, regression, set, penalty, rules, w)
        .run(gap_goal, change_goal, max_epochs, checkpoint);
}

}  // namespace stylobate::descend
