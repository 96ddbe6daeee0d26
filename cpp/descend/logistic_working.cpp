#include "descend/logistic_working.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stylobate::descend {
namespace {

constexpr Index least_set = 100;        // a working set may always have so many coefficients,
constexpr Index rows_per_new = 10;      // one for so many rows, and twice those in use
constexpr Index largest_gram = 3000;    // beyond, a Hessian is not formed unless rows are more
constexpr double nearest = 0.95;        // columns whose gradient may yet reach l1 come along:
constexpr double farthest = 0.9;        // those this near to it, by how far away we are
constexpr double slow = 0.2;            // a step that leaves more of the violation is slow
constexpr double steps_anew = 3.0;      // that a new Hessian would still need
constexpr double free_work = 1e7;       // operations of a Hessian that is formed anyway
constexpr double pass_cost = 64.0;      // of a number of the rows, in operations of a Hessian
constexpr Index sample_ratio = 4;       // a Hessian comes from every so manyth row at most,
constexpr Index rows_per_unknown = 12;  // if that leaves so many per coefficient,
constexpr Index rows_far_away = 4;      // or so many in a cold start …
constexpr double far = 3.0;             // … while the violation is this many times l1
constexpr Index least_single = 64;      // coefficients from which single precision is faster
constexpr Index few_missing = 8;        // one new coefficient for so many joins an old Hessian,
constexpr Index rows_sampled = 2000;    // with a curvature from so many rows

}  // namespace

WorkingModel::WorkingModel(const LogisticProblem& problem, const LogisticRows& rows,
                           const double* shift)
    : problem_(problem),
      x_(problem.x),
      rows_(rows),
      shift_(shift),
      k_(problem.margins()),
      p_(x_.cols()),
      n_(x_.rows()),
      l1_(problem.penalty.l1) {}

Variables WorkingModel::choose(const Surroundings& at) const {
    const LogisticPoint& now = at.now;
    const double near = std::clamp(l1_ - at.violation, farthest * l1_, nearest * l1_);
    std::vector<std::pair<double, Index>> others;
    std::vector<Index> chosen;
    for (Index c = 0; c < k_; ++c)
        for (const Index j : at.alive) {
            const Index v = c * p_ + j;
            if (now.w[v] != 0.0)
                chosen.push_back(v);
            else if (std::fabs(now.g[v]) > near)
                others.emplace_back(-std::fabs(now.g[v]), v);
        }
    const auto used = static_cast<Index>(chosen.size());
    const auto room = std::max({least_set, used, n_ / rows_per_new});
    if (static_cast<Index>(others.size()) > room) {
        std::nth_element(others.begin(), others.begin() + room, others.end());
        others.resize(room);
    }
    for (const auto& other : others) chosen.push_back(other.second);
    std::sort(chosen.begin(), chosen.end());
    Variables variables;
    for (const Index v : chosen) {
        variables.margin.push_back(v / p_);
        variables.feature.push_back(v % p_);
    }
    return variables;
}

bool WorkingModel::serves(const Surroundings& at) {
    if (model_ == nullptr || stale_) return false;
    std::vector<bool> inside(k_ * p_, false);
    const Variables& known = model_->variables();
    for (Index v = 0; v < known.size(); ++v) inside[known.margin[v] * p_ + known.feature[v]] = true;
    const auto needed = [&](Index v) { return at.now.w[v] != 0.0 || std::fabs(at.now.g[v]) > l1_; };
    Variables missing;
    for (Index c = 0; c < k_; ++c)
        for (const Index j : at.alive)
            if (needed(c * p_ + j) && !inside[c * p_ + j]) {
                missing.margin.push_back(c);
                missing.feature.push_back(j);
            }
    if (missing.size() == 0) return true;
    if (x_.sparse() || missing.size() * few_missing > known.size()) return false;
    model_->extend(missing, curvatures(missing, at.now));
    return true;
}

bool WorkingModel::can_form(Index size) const {
    return size <= largest_gram || size <= n_ / 2;
}

void WorkingModel::form(Variables chosen, const Surroundings& at) {
    const GramEffort effort = effort_for(chosen.size(), at);
    model_ = std::make_unique<GramModel>(data(), at.now.p.data(), std::move(chosen), effort);
    exact_ = effort.step == 1 && !effort.single;
    stale_ = false;
}

bool WorkingModel::distrust() {
    if (exact_) return false;
    single_ = sampled_ = false;
    stale_ = true;
    return true;
}

// A sample of the rows does while its steps are fast enough, or the answer far away; single
// precision as long as steps based on it succeed.
GramEffort WorkingModel::effort_for(Index size, const Surroundings& at) {
    GramEffort effort;
    effort.single = single_ && size >= least_single;
    if (stale_ && at.violation <= l1_) sampled_ = false;
    if (sampled_ && !x_.sparse() && !next_to_free(size)) {
        const Index least = cold_ && at.violation > far * l1_ ? rows_far_away : rows_per_unknown;
        effort.step = std::clamp<Index>(n_ / (least * size), 1, sample_ratio);
        effort.first = at.iteration % effort.step;
    }
    return effort;
}

bool WorkingModel::next_to_free(Index size) const {
    return static_cast<double>(n_) * static_cast<double>(size * size) <= free_work;
}

// Whether a new Hessian would take less time than the steps still needed if the gap goes on
// falling by `rate`.
bool WorkingModel::outdated(double left, double rate, double wanted) const {
    if (next_to_free(model_->size())) return true;
    if (left <= slow || !(rate < 1.0) || x_.sparse()) return left > slow;
    const auto m = static_cast<double>(model_->size());
    const double cost = m * m / (pass_cost * static_cast<double>(p_));
    const double steps = std::log(wanted) / std::log(rate);
    return steps > steps_anew + cost;
}

void WorkingModel::review(const LogisticPoint& before, const LogisticPoint& now, double left,
                          double rate, double wanted) {
    exact_ = false;
    if (model_ == nullptr) return;
    stale_ = outdated(left, rate, wanted);
    if (stale_) return;
    const Variables& known = model_->variables();
    std::vector<double> step(known.size()), change(known.size());
    for (Index v = 0; v < known.size(); ++v) {
        const Index at = known.margin[v] * p_ + known.feature[v];
        step[v] = now.w[at] - before.w[at];
        change[v] = now.g[at] - before.g[at];
    }
    model_->learn(step, change);
}

// Σ d(x − mean)² of some coefficients' columns, from a sample of the rows.
std::vector<double> WorkingModel::curvatures(const Variables& of, const LogisticPoint& now) const {
    const Index m = of.size(), step = std::max<Index>(1, n_ / rows_sampled);
    std::vector<double> row(m), weight(m, 0.0), mean(m, 0.0), square(m, 0.0);
    for (Index i = 0; i < n_; i += step) {
        x_.pack(i, of.feature.data(), m, shift_, row.data());
        for (Index v = 0; v < m; ++v) {
            const double p = now.p[of.margin[v] * n_ + i];
            const double d = rows_.weights()[i] * p * (1.0 - p);
            if (!(d > 0.0)) continue;
            weight[v] += d;
            const double off = row[v] - mean[v];
            if (problem_.intercept) mean[v] += d / weight[v] * off;
            square[v] += d * off * (row[v] - mean[v]);
        }
    }
    for (double& each : square) each *= static_cast<double>(step);
    return square;
}

double WorkingModel::condition(const LogisticPoint& now) const {
    const Variables& known = model_->variables();
    std::vector<Index> used;
    for (Index v = 0; v < known.size(); ++v)
        if (now.w[known.margin[v] * p_ + known.feature[v]] != 0.0) used.push_back(v);
    return used.empty() ? std::numeric_limits<double>::infinity()
                        : model_->condition(used, problem_.penalty.l2);
}

}  // namespace stylobate::descend
