#include "descend/elastic_net.hpp"

#include <algorithm>
#include <cmath>

#include "descend/dense.hpp"
#include "descend/extrapolation.hpp"
#include "descend/support_inverse.hpp"
#include "stylobate/random.hpp"

namespace stylobate::descend {
namespace {

constexpr Index period = 5;               // epochs between extrapolations
constexpr double change_epochs = 0.5;     // a column that enters or leaves costs so many epochs
constexpr double rounding = 1.0 + 1e-14;  // a correlation that exceeds l1 by less does not
constexpr Index patience = 50;            // epochs at most between Newton steps
constexpr Index most_rounds = 200;        // changes of the support within one
constexpr std::size_t most_entries =
    10'000;  // of a record: no fit need be that long to be understood

class Descent {
 public:
    Descent(const Gram& gram, State& state, SupportInverse& inverse, const ElasticNet& penalty,
            const Rules& rules, Checkpoint& checkpoint)
        : gram_(gram),
          s_(state),
          inverse_(inverse),
          penalty_(penalty),
          rules_(rules),
          checkpoint_(checkpoint) {}

    Index run(double gap_goal, double change_goal, Index max_epochs) {
        Extrapolation past(gram_.size, period);
        Index epoch = 0, since_newton = 0, refinements = 0;
        bool settled = false;  // the support's own problem is solved
        past.start(s_.w, s_.c);
        while (epoch < max_epochs) {
            if (epoch % 16 == 0) checkpoint_();
            const double decrease = settled ? enter() : sweep(epoch);
            const bool still = decrease == 0.0;
            ++epoch, ++since_newton;
            if (s_.record != nullptr) s_.record->add(proof());
            if (change_goal > 0.0 && !settled && decrease <= change_goal) break;
            if (still && !settled) break;
            if (rules_.plain) continue;
            if (still) {  // all conditions hold; what is left is the inverse's rounding
                if (proof().gap <= gap_goal || refinements == 3) break;
                if (++refinements == 2) inverse_.clear();
            }
            if (!settled) {
                past.push(s_.w, s_.c);
                if (past.full()) extrapolate(past);
            }
            const bool due = settled || since_newton >= (change_goal > 0.0 ? patience : wait());
            if (!due && epoch % period != 0 && change_goal == 0.0) continue;
            if (proof().gap <= gap_goal && !(due && rules_.polish)) break;
            if (!due) continue;
            settled = newton();
            since_newton = 0;
            past.start(s_.w, s_.c);
            if (proof().gap <= gap_goal && (settled || !rules_.polish)) break;
        }
        return epoch;
    }

    // Go to other coefficients, with the correlations they lead to, if they are better.
    bool accept(std::vector<double> w, std::vector<double> c) {
        double total = 0.0, squares = 0.0;
        for (Index j = 0; j < gram_.size; ++j) {
            total += gain(s_.w[j], w[j], s_.c[j], c[j]);
            squares -= (w[j] - s_.w[j]) * (s_.c[j] + c[j]);
        }
        if (!(total > 0.0)) return false;
        s_.w = std::move(w), s_.c = std::move(c);
        s_.residual_squares = std::max(s_.residual_squares + squares, 0.0);
        return true;
    }

 private:
    Proof proof() const {
        return prove(s_.w.data(), s_.c.data(), gram_.size, s_.residual_squares, penalty_,
                     rules_.positive);
    }

    std::vector<Index> support_of(const State& state) const {
        std::vector<Index> support;
        for (Index j = 0; j < gram_.size; ++j)
            if (state.w[j] != 0.0) support.push_back(j);
        return support;
    }

    // Epochs that cost as much as the next Newton step, within bounds: a support that has settled
    // is finished at once.
    Index wait() const {
        const std::vector<Index> support = support_of(s_);
        const double changes = static_cast<double>(inverse_.distance(support));
        const double share = static_cast<double>(support.size()) / static_cast<double>(gram_.size);
        return std::clamp(static_cast<Index>(change_epochs * changes * share), Index{1}, patience);
    }

    // Every coordinate once, to its own minimum; returns the largest decrease of the objective.
    double sweep(Index epoch) {
        const Philox draw(rules_.seed, static_cast<Philox::Word>(epoch));
        double largest = 0.0;
        for (Index step = 0; step < gram_.size; ++step) {
            const Index j =
                rules_.random_order ? static_cast<Index>(draw.uniform(step) * gram_.size) : step;
            largest = std::max(largest, update(j));
        }
        return largest;
    }

    // Only the coordinates at zero whose condition is violated.
    double enter() {
        double largest = 0.0;
        for (Index j = 0; j < gram_.size; ++j)
            if (s_.w[j] == 0.0) largest = std::max(largest, update(j));
        return largest;
    }

    double update(Index j) {
        const double length = gram_.lengths[j], old = s_.w[j];
        if (length <= 0.0) return 0.0;
        if (old == 0.0 && std::fabs(s_.c[j]) <= penalty_.l1 * rounding) return 0.0;
        const double z = s_.c[j] + length * old;
        const double now = soft_threshold(z, penalty_.l1, rules_.positive) / (length + penalty_.l2);
        const double step = now - old;
        if (step == 0.0) return 0.0;
        s_.w[j] = now;
        s_.residual_squares += step * (step * length - 2.0 * s_.c[j]);
        dense().axpy(-step, gram_.entries + j * gram_.ld, s_.c.data(), gram_.size);
        return step * step * length;
    }

    // By how much the objective falls, as far as coordinate j is concerned, when its coefficient
    // goes from w0 to w1 while c goes from c0 to c1: differences first, so that it is seen even
    // where the objective itself no longer changes in its last digit.
    double gain(double w0, double w1, double c0, double c1) const {
        return (w1 - w0) * 0.5 * (c0 + c1) - penalty_.l1 * (std::fabs(w1) - std::fabs(w0)) -
               0.5 * penalty_.l2 * (w1 - w0) * (w1 + w0);
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

    // Solve the normal equations of the support for its signs. Coefficients that change sign stop
    // at zero and leave, and again, until none does: then the support's own problem is solved to
    // rounding. False where nothing more is gained before that.
    //
    // While this goes on only the support's own correlations are followed, in `local`; all others
    // are brought up to date once, at the end.
    bool newton() {
        State local = s_;
        bool whole = false, gains = true;
        for (Index round = 0; gains && !whole && round < most_rounds; ++round) {
            const std::vector<Index> support = support_of(local);
            if (!inverse_.follow(gram_, penalty_.l2, support, checkpoint_)) {
                gains = step_along_dependence(local);
                continue;
            }
            whole = solve_support(local, gains);
        }
        s_.condition = inverse_.condition(gram_);
        if (accept(local.w, moved(local.w))) return whole;
        if (gains || !whole) inverse_.clear();  // rounding has spoilt it: build it anew
        return whole && !gains;
    }

    // One Newton step on the members of the inverse; true where no sign changes.
    bool solve_support(State& local, bool& gains) const {
        const std::vector<Index>& members = inverse_.members();
        const auto k = members.size();
        std::vector<double> g(k), d;
        for (std::size_t i = 0; i < k; ++i) {
            const Index j = members[i];
            g[i] = local.c[j] - penalty_.l2 * local.w[j] - std::copysign(penalty_.l1, local.w[j]);
        }
        inverse_.multiply(g, d);
        double reach = 1.0;  // up to the first change of sign
        std::vector<std::size_t> turned;
        for (std::size_t i = 0; i < k; ++i) {
            const double w = local.w[members[i]];
            if (w * (w + d[i]) > 0.0) continue;
            turned.push_back(i);
            reach = std::min(reach, -w / d[i]);
        }
        if (turned.empty()) {
            gains = take(local, d, g, 1.0, {}, d);
            return true;
        }
        // all that turn to zero at once, where that is better than up to the first of them
        std::vector<double> back(turned.size());
        for (std::size_t t = 0; t < turned.size(); ++t)
            back[t] = -(local.w[members[turned[t]]] + d[turned[t]]);
        gains = take(local, d, g, 1.0, turned, back);
        if (gains) return false;
        std::vector<std::size_t> first;
        for (const std::size_t i : turned)
            if (-local.w[members[i]] / d[i] <= reach) first.push_back(i);
        gains = take(local, d, g, reach, first, std::vector<double>(first.size(), 0.0));
        return false;
    }

    // local.w += reach·d + back (at `turned`, whose coefficients become zero), if that is better.
    // (G_SS + l2·I)·d = g, so that the correlations of the support follow without the Gram.
    bool take(State& local, const std::vector<double>& d, const std::vector<double>& g,
              double reach, const std::vector<std::size_t>& turned,
              const std::vector<double>& back) const {
        const std::vector<Index>& members = inverse_.members();
        const auto k = members.size();
        std::vector<double> change(k), c(k);
        for (std::size_t i = 0; i < k; ++i) {
            change[i] = reach * d[i];
            c[i] = local.c[members[i]] - reach * (g[i] - penalty_.l2 * d[i]);
        }
        for (std::size_t t = 0; t < turned.size(); ++t) {
            const std::size_t at = turned[t];
            change[at] = -local.w[members[at]];
            if (back[t] == 0.0) continue;
            const double* row = gram_.entries + members[at] * gram_.ld;
            for (std::size_t i = 0; i < k; ++i) c[i] -= back[t] * row[members[i]];
        }
        return improve(local, members, change, c);
    }

    // Accept a change of some coefficients, with the correlations it leads to, if it is better.
    bool improve(State& local, const std::vector<Index>& columns, const std::vector<double>& change,
                 const std::vector<double>& c) const {
        double total = 0.0, squares = 0.0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double before = local.w[columns[i]], c0 = local.c[columns[i]];
            total += gain(before, before + change[i], c0, c[i]);
            squares -= change[i] * (c0 + c[i]);
        }
        if (!(total > 0.0)) return false;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            local.w[columns[i]] += change[i];
            local.c[columns[i]] = c[i];
        }
        local.residual_squares += squares;
        return true;
    }

    // A column that is a combination of others: trading it against them changes the penalty alone.
    // In the direction that lowers it, up to the next zero, which takes a column out.
    bool step_along_dependence(State& local) const {
        std::vector<Index> columns = inverse_.members();
        std::vector<double> d = inverse_.combination;
        columns.push_back(inverse_.dependent);
        d.push_back(-1.0);
        double slope = 0.0, reach = -1.0;
        for (std::size_t i = 0; i < d.size(); ++i)
            slope += local.w[columns[i]] > 0.0 ? d[i] : -d[i];
        const double way = slope > 0.0 ? -1.0 : 1.0;
        std::size_t first = 0;
        for (std::size_t i = 0; i < d.size(); ++i) {
            const double length = -local.w[columns[i]] / (way * d[i]);
            if (length > 0.0 && (reach < 0.0 || length < reach)) reach = length, first = i;
        }
        if (reach < 0.0) return false;
        std::vector<double> c(d.size());
        for (std::size_t i = 0; i < d.size(); ++i) {
            d[i] *= way * reach;
            c[i] = local.c[columns[i]];
        }
        d[first] = -local.w[columns[first]];
        return improve(local, columns, d, c);
    }

    // c at other coefficients
    std::vector<double> moved(const std::vector<double>& w) const {
        std::vector<double> c = s_.c;
        for (Index j = 0; j < gram_.size; ++j)
            if (w[j] != s_.w[j])
                dense().axpy(s_.w[j] - w[j], gram_.entries + j * gram_.ld, c.data(), gram_.size);
        return c;
    }

    const Gram& gram_;
    State& s_;
    SupportInverse& inverse_;
    const ElasticNet& penalty_;
    const Rules& rules_;
    Checkpoint& checkpoint_;
};

}  // namespace

Proof prove(const double* w, const double* c, Index p, double residual_squares,
            const ElasticNet& penalty, bool positive) {
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
    Proof proof{0.5 * r + l1 * norm, 0.0, std::max(kkt, 0.0), 1.0, l2};
    double s = r > 0.0 ? std::max(1.0 + inner / r, 0.0) : 1.0;
    if (largest > 0.0) s = std::min(s, l1 / largest);
    proof.gap = 0.5 * (1.0 - s) * (1.0 - s) * r + (l1 * norm - s * inner);
    proof.scale = s;
    if (l2 > 0.0 && unscaled < proof.gap)
        proof.gap = unscaled, proof.scale = 1.0, proof.shrink = 0.0;
    proof.gap = std::max(proof.gap, 0.0);
    return proof;
}

void Record::add(const Proof& proof) {
    if (entries_.size() >= most_entries) return;
    const std::chrono::duration<double> passed = Clock::now() - start_;
    entries_.push_back({proof.primal, proof.kkt, passed.count()});
}

Index descend(const Gram& gram, State& state, SupportInverse& inverse, const ElasticNet& penalty,
              const Rules& rules, double gap_goal, double change_goal, Index max_epochs,
              Checkpoint& checkpoint) {
    return Descent(gram, state, inverse, penalty, rules, checkpoint)
        .run(gap_goal, change_goal, max_epochs);
}

bool move_if_better(const Gram& gram, State& state, SupportInverse& inverse,
                    const ElasticNet& penalty, const Rules& rules, std::vector<double> w,
                    std::vector<double> c, Checkpoint& checkpoint) {
    return Descent(gram, state, inverse, penalty, rules, checkpoint)
        .accept(std::move(w), std::move(c));
}

}  // namespace stylobate::descend
