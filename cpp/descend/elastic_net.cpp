#include "descend/elastic_net.hpp"

#include <algorithm>
#include <cmath>

#include "descend/cholesky.hpp"
#include "descend/dense.hpp"
#include "descend/extrapolation.hpp"
#include "stylobate/random.hpp"

namespace stylobate::descend {
namespace {

constexpr Index period = 5;                // epochs between extrapolations
constexpr double newton_epochs = 0.25;     // a factorisation costs about |S|²/(4·size) epochs
constexpr double dependent = 1e-12;        // share of its length a column must add to those before
constexpr double flat = 1e-9;              // raises the diagonal where columns are dependent
constexpr double most_work = 1e9;          // cubes of support sizes one Newton step may cost

double soft(double z, double l1, bool positive) {
    if (z > l1) return z - l1;
    if (z < -l1 && !positive) return z + l1;
    return 0.0;
}

double objective(const State& s, const Penalty& penalty) {
    double norm = 0.0, squares = 0.0;
    for (const double w : s.w) norm += std::fabs(w), squares += w * w;
    return 0.5 * s.residual_squares + penalty.l1 * norm + 0.5 * penalty.l2 * squares;
}

class Descent {
 public:
    Descent(const Gram& gram, State& state, const Penalty& penalty, const Rules& rules,
            Checkpoint& checkpoint)
        : gram_(gram), s_(state), penalty_(penalty), rules_(rules), checkpoint_(checkpoint) {}

    Index run(double gap_goal, Index max_epochs) {
        Extrapolation past(gram_.size, period);
        Index epoch = 0, since_newton = 0;
        past.start(s_.w, s_.c);
        while (epoch < max_epochs) {
            if (epoch % 16 == 0) checkpoint_();
            const double change = sweep(epoch++);
            ++since_newton;
            past.push(s_.w, s_.c);
            const bool still = change == 0.0;
            if (past.full() && !still) extrapolate(past);
            if (!still && epoch % period != 0 && epoch > 1) continue;
            const double gap = proof().gap;
            if (gap <= gap_goal || still) {
                if (!rules_.polish || still || gap <= 1e-15 * objective(s_, penalty_)) break;
            }
            if (since_newton >= wait()) {
                const bool whole = newton();
                since_newton = 0;
                past.start(s_.w, s_.c);
                if (whole && gap <= gap_goal) break;
            } else if (gap <= gap_goal) {
                break;
            }
        }
        return epoch;
    }

 private:
    Proof proof() const {
        return prove(s_.w.data(), s_.c.data(), gram_.size, s_.residual_squares, penalty_,
                     rules_.positive);
    }

    Index support_size() const {
        return gram_.size - std::count(s_.w.begin(), s_.w.end(), 0.0);
    }

    Index wait() const {
        const double k = static_cast<double>(support_size());
        return std::max(Index{period},
                        static_cast<Index>(newton_epochs * k * k /
                                           static_cast<double>(std::max(gram_.size, Index{1}))));
    }

    // Every coordinate once, to its own minimum; returns the largest decrease of the objective.
    double sweep(Index epoch) {
        const Philox draw(rules_.seed, static_cast<Philox::Word>(epoch));
        double largest = 0.0;
        for (Index step = 0; step < gram_.size; ++step) {
            const Index j = rules_.random_order
                                ? static_cast<Index>(draw.uniform(step) * gram_.size)
                                : step;
            largest = std::max(largest, update(j));
        }
        return largest;
    }

    double update(Index j) {
        const double length = gram_.lengths[j], old = s_.w[j];
        if (length <= 0.0) return 0.0;
        if (old == 0.0 && std::fabs(s_.c[j]) <= penalty_.l1) return 0.0;
        const double z = s_.c[j] + length * old;
        const double now = soft(z, penalty_.l1, rules_.positive) / (length + penalty_.l2);
        const double step = now - old;
        if (step == 0.0) return 0.0;
        s_.w[j] = now;
        s_.residual_squares += step * (step * length - 2.0 * s_.c[j]);
        dense().axpy(-step, gram_.entries + j * gram_.ld, s_.c.data(), gram_.size);
        return step * step * length;
    }

    // Go to w + d where that lowers the objective. c falls by G·d, which the caller knows.
    bool accept(const std::vector<double>& w, const std::vector<double>& c) {
        double change = 0.0;
        for (Index j = 0; j < gram_.size; ++j) change += (w[j] - s_.w[j]) * (s_.c[j] + c[j]);
        State next{w, c, s_.residual_squares - change, s_.condition};
        if (!(objective(next, penalty_) < objective(s_, penalty_))) return false;
        std::swap(s_, next);
        return true;
    }

    void extrapolate(Extrapolation& past) {
        std::vector<double> w, c;
        if (past.combine(w, c)) {
            const bool outside =
                rules_.positive && std::any_of(w.begin(), w.end(), [](double v) { return v < 0; });
            if (!outside) accept(w, c);
        }
        past.start(s_.w, s_.c);
    }

    // Solve the normal equations of the support for its signs; coefficients that change sign stop
    // at zero. True where none did: then these columns' problem is solved to rounding. Dependent
    // columns leave a direction in which only the penalty changes: along it to the next zero,
    // which takes a column out, and again.
    bool newton() {
        for (double work = 0.0; work <= most_work;) {
            std::vector<Index> support;
            for (Index j = 0; j < gram_.size; ++j)
                if (s_.w[j] != 0.0) support.push_back(j);
            const auto k = static_cast<Index>(support.size());
            if (k == 0) return true;
            const Index ld = padded_stride(k);
            Buffer a(area(k, ld)), d(k);
            normal_equations(support, 0.0, a, ld, d);
            const bool definite = cholesky(a.data(), k, ld, dependent, checkpoint_);
            if (definite) {
                note_condition(a, ld, support);
            } else {
                normal_equations(support, flat, a, ld, d);
                if (!cholesky(a.data(), k, ld, 0.0, checkpoint_)) return false;
            }
            cholesky_solve(a.data(), k, ld, d.data());
            if (definite) return step(support, d);
            if (!step_to_zero(support, d)) return false;
            if (!rules_.polish) return false;
            work += static_cast<double>(k) * static_cast<double>(k) * static_cast<double>(k + 50);
        }
        return false;
    }

    // (G + l2·I)d = −gradient on the support, its diagonal raised by a share
    void normal_equations(const std::vector<Index>& support, double raised, Buffer& a, Index ld,
                          Buffer& d) const {
        for (Index i = 0; i < d.size(); ++i) {
            const double* row = gram_.entries + support[i] * gram_.ld;
            for (Index j = 0; j <= i; ++j) a[i * ld + j] = row[support[j]];
            a[i * ld + i] = (a[i * ld + i] + penalty_.l2) * (1.0 + raised);
            const double w = s_.w[support[i]];
            d[i] = s_.c[support[i]] - penalty_.l2 * w - std::copysign(penalty_.l1, w);
        }
    }

    // A pivot is the share of a column that those before it leave: its root's inverse is the
    // condition of two such columns, and near that of all.
    void note_condition(const Buffer& l, Index ld, const std::vector<Index>& support) {
        double least = 1.0;
        for (Index i = 0; i < static_cast<Index>(support.size()); ++i) {
            const double pivot = l[i * ld + i] * l[i * ld + i];
            least = std::min(least, pivot / (gram_.lengths[support[i]] + penalty_.l2));
        }
        s_.condition = 1.0 / std::sqrt(least);
    }

    bool step(const std::vector<Index>& support, Buffer& d) {
        bool whole = true;
        std::vector<double> w = s_.w;
        for (Index i = 0; i < d.size(); ++i) {
            const Index j = support[i];
            const double before = w[j], after = before + d[i];
            if (before * after > 0.0) {
                w[j] = after;
            } else {
                whole = false;
                w[j] = 0.0;
            }
        }
        if (accept(w, moved(support, w))) return whole;
        if (whole) return true;  // nothing left to gain
        step_to_zero(support, d);
        return false;
    }

    // Along d up to the first change of sign.
    bool step_to_zero(const std::vector<Index>& support, const Buffer& d) {
        std::vector<double> w = s_.w;
        double reach = 1.0;
        Index first = -1;
        for (Index i = 0; i < d.size(); ++i) {
            const double before = w[support[i]];
            if (before * d[i] < 0.0 && -before / d[i] < reach) reach = -before / d[i], first = i;
        }
        for (Index i = 0; i < d.size(); ++i) w[support[i]] += reach * d[i];
        if (first >= 0) w[support[first]] = 0.0;
        return accept(w, moved(support, w));
    }

    // c at other coefficients of the support
    std::vector<double> moved(const std::vector<Index>& support,
                              const std::vector<double>& w) const {
        std::vector<double> c = s_.c;
        for (const Index j : support)
            if (w[j] != s_.w[j])
                dense().axpy(s_.w[j] - w[j], gram_.entries + j * gram_.ld, c.data(), gram_.size);
        return c;
    }

    const Gram& gram_;
    State& s_;
    const Penalty& penalty_;
    const Rules& rules_;
    Checkpoint& checkpoint_;
};

}  // namespace

Proof prove(const double* w, const double* c, Index p, double residual_squares,
            const Penalty& penalty, bool positive) {
    const double l1 = penalty.l1, l2 = penalty.l2;
    double norm = 0.0, squares = 0.0, inner = 0.0, largest = 0.0, unscaled = 0.0, kkt = 0.0;
    for (Index j = 0; j < p; ++j) {
        const double g = c[j] - l2 * w[j], size = positive ? g : std::fabs(g);
        largest = std::max(largest, size);
        norm += std::fabs(w[j]);
        squares += w[j] * w[j];
        inner += w[j] * g;
        kkt = std::max(kkt, w[j] != 0.0 ? std::fabs(g - std::copysign(l1, w[j])) : size - l1);
        const double over = std::max((positive ? c[j] : std::fabs(c[j])) - l1, 0.0);
        if (l2 > 0.0)
            unscaled += l1 * std::fabs(w[j]) + 0.5 * l2 * w[j] * w[j] + over * over / (2.0 * l2) -
                        w[j] * c[j];
    }
    const double r = residual_squares + l2 * squares;  // ‖(r, −√l2·w)‖²
    Proof proof{0.5 * r + l1 * norm, 0.0, std::max(kkt, 0.0)};
    double s = r > 0.0 ? std::max(1.0 + inner / r, 0.0) : 1.0;
    if (largest > 0.0) s = std::min(s, l1 / largest);
    proof.gap = 0.5 * (1.0 - s) * (1.0 - s) * r + (l1 * norm - s * inner);
    if (l2 > 0.0) proof.gap = std::min(proof.gap, unscaled);
    proof.gap = std::max(proof.gap, 0.0);
    return proof;
}

Index descend(const Gram& gram, State& state, const Penalty& penalty, const Rules& rules,
              double gap_goal, Index max_epochs, Checkpoint& checkpoint) {
    return Descent(gram, state, penalty, rules, checkpoint).run(gap_goal, max_epochs);
}

}  // namespace stylobate::descend
