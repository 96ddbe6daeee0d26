#include "descend/row_path.hpp"

#include <algorithm>
#include <cmath>

#include "descend/sparse_descent.hpp"

namespace stylobate::descend {
namespace {

constexpr double share = 0.3;      // of the tolerance that a descent may leave
constexpr Index least_entry = 64;  // columns that may enter a working set at once: at least,
constexpr double entry = 0.3;      // so many as this share of the rows,
constexpr Index most_first = 512;  // and at most this, or
constexpr double growth = 0.7;     // this share of the support
constexpr double near = 0.98;      // of l1: columns that may be violated next are taken along
constexpr double likely = 0.97;    // of l1: what enters for errors only, which are checked later
constexpr Index large = 256;       // columns of a support whose inverse costs many epochs
constexpr double joining = 0.9;    // … and what may do so of the columns at hand
constexpr double slack = 1.001;    // of l1: a violation that changes no error of prediction
constexpr double least_products = 0x1.0p23;  // that all regressions together may keep, or
constexpr double products_share = 1.0;       // so many times the numbers of X
constexpr double rough_share = 0.02;         // of the gap that is left while columns still enter

}  // namespace

RowPath::RowPath(const Columns& x, const RowProblems& problems, Index i) : x_(x) {
    const Index n = x.rows();
    const double* y = problems.y + i * n;
    const double* weights = problems.weights ? problems.weights + i * n : nullptr;
    regression_.intercept = problems.intercept;
    double total = 0.0;
    for (Index k = 0; k < n; ++k) {
        const double omega = weights ? weights[k] : 1.0;
        regression_.weight += omega;
        total += omega * y[k];
    }
    regression_.y_mean = problems.intercept ? total / regression_.weight : 0.0;
    if (weights) regression_.root.resize(n);
    regression_.y.resize(n);
    for (Index k = 0; k < n; ++k) {
        if (weights) regression_.root[k] = std::sqrt(weights[k]);
        regression_.y[k] = regression_.root_of(k) * (y[k] - regression_.y_mean);
    }
    regression_.x_mean.assign(x.cols(), 0.0);
    residual_ = regression_.y;
    at_zero_ = 0.5 * dense().dot(residual_.data(), residual_.data(), n);
    c_.assign(x.cols(), 0.0);
    coef_.assign(x.cols(), 0.0);
    set_ = std::make_unique<WorkingSet>(x_, regression_);
    most_products_ = std::max(least_products, products_share * static_cast<double>(x.entries())) /
                     static_cast<double>(problems.count);
    state_.residual_squares = 2.0 * at_zero_;
}

void RowPath::begin(const double* sums, const double* squares, const double* products) {
    if (regression_.intercept)
        for (Index j = 0; j < x_.cols(); ++j) regression_.x_mean[j] = sums[j] / regression_.weight;
    screen_ = Screen(squares, regression_.x_mean, regression_.weight);
    std::vector<double> weighted(x_.rows());
    weighted_residual(weighted.data());
    take_products(products, weighted.data(), {});
}

void RowPath::start(const double* coef) {
    std::vector<Index> support;
    for (Index j = 0; j < x_.cols(); ++j)
        if (coef[j] != 0.0) support.push_back(j);
    enter(support);
    for (Index m = 0; m < set_->size(); ++m) state_.w[m] = coef[set_->members()[m]];
    renew(false);
}

void RowPath::weighted_residual(double* out) const {
    for (Index k = 0; k < x_.rows(); ++k) out[k] = regression_.root_of(k) * residual_[k];
}

void RowPath::take_products(const double* products, const double* weighted,
                            const std::vector<char>& awake) {
    double total = 0.0;
    for (Index k = 0; k < x_.rows(); ++k) total += weighted[k];
    for (Index j = 0; j < x_.cols(); ++j)
        if ((awake.empty() || awake[j / column_cell] != 0) && must_read(j))
            c_[j] = products[j] - total * regression_.x_mean[j];
    if (by_blocks_) return;
    for (Index m = 0; m < set_->size(); ++m) c_[set_->members()[m]] = state_.c[m];
}

void RowPath::begin_penalty(const ElasticNet& penalty, const Rules& rules) {
    done_ = false, epochs_ = 0, part_ = share;
    prove(penalty, rules);
}

void RowPath::advance(const ElasticNet& penalty, const Rules& rules, Index round,
                      Checkpoint& checkpoint) {
    double threshold = near * penalty.l1, ratio = 0.0;
    if (round == 0) {
        const double before = last_l1_ > 0.0 ? last_l1_ : largest(rules);
        threshold = std::max(2.0 * penalty.l1 - before, 0.5 * penalty.l1);
        if (rules.change > 0.0) threshold = std::max(threshold, likely * penalty.l1);
        if (step_ < 0.0) ratio = (penalty.l1 - last_l1_) / step_;
        step_ = last_l1_ > 0.0 ? penalty.l1 - last_l1_ : 0.0;
        last_l1_ = penalty.l1;
    }
    if (!by_blocks_ && change_goal(rules) > 0.0 && !x_.sparse() && !rules.random_order) {
        by_blocks_ = true;
        set_->forget_gram();
    }
    const std::vector<Index> columns = newcomers(threshold, rules);
    if (round > 0 && columns.empty()) part_ *= 0.1;  // else a violated condition is left
    make_room(threshold, rules, static_cast<Index>(columns.size()));
    enter(columns);
    if (by_blocks_) {
        solve_by_blocks(penalty, rules, threshold, ratio, round == 0, checkpoint);
        return;
    }
    if (round == 0 && rules.change > 0.0 && !without_gram_)
        foresee(ratio, penalty, rules, checkpoint);
    const bool many = 20 * static_cast<Index>(columns.size()) > support();
    solve(penalty, rules, rules.polish && many, checkpoint);
}

void RowPath::judge(const ElasticNet& penalty, const Rules& rules) {
    if (done_) return;
    prove(penalty, rules);
    if (state_.record != nullptr) state_.record->add(proof_);
    done_ = proof_.gap <= goal(rules) ||
            (change_goal(rules) > 0.0 && !violated(slack * penalty.l1, rules)) ||
            epochs_ >= rules.max_epochs || part_ < 1e-7;
}

void RowPath::report(Paths& out, Index at) const {
    std::copy(coef_.begin(), coef_.end(), out.coef.begin() + at * x_.cols());
    out.intercept[at] = intercept();
    out.primal[at] = proof_.primal, out.gap[at] = proof_.gap, out.kkt[at] = proof_.kkt;
    out.epochs[at] = static_cast<double>(epochs_);
    out.condition[at] = state_.condition;
    out.screened[at] = static_cast<double>(screen_.count());
}

// Sweeps tell twice the decrease. Small supports are finished by Newton steps instead, which cost
// next to nothing there.
double RowPath::change_goal(const Rules& rules) const {
    return by_blocks_ || support() > large ? 2.0 * rules.change * at_zero_ : 0.0;
}

// The gap, and what it proves of columns: those dropped have no correlation any more, so that
// nothing below sees them. (The optimum without them is the optimum.) Where errors are asked for a
// penalty takes one round only, and there is nothing to be saved.
void RowPath::prove(const ElasticNet& penalty, const Rules& rules) {
    proof_ = descend::prove(coef_.data(), c_.data(), x_.cols(), state_.residual_squares, penalty,
                            rules.positive);
    if (rules.change > 0.0) return;
    screen_.apply(proof_, penalty, rules.positive, state_.residual_squares, coef_, c_);
    if (screen_.count() == 0) return;
    for (Index j = 0; j < x_.cols(); ++j)
        if (forgotten(j)) c_[j] = 0.0;
}

// Columns not yet in the working set that may be needed: the strong rule for a new penalty,
// the violated conditions after a round. The most promising ones first, and not too many.
std::vector<Index> RowPath::newcomers(double threshold, const Rules& rules) const {
    const Index first = std::clamp(static_cast<Index>(entry * x_.rows()), least_entry, most_first);
    const Index most = std::max(first, static_cast<Index>(growth * support()));
    std::vector<std::pair<double, Index>> found;
    for (Index j = 0; j < x_.cols(); ++j) {
        const double size = rules.positive ? c_[j] : std::fabs(c_[j]);
        if (size > threshold && set_->place(j) < 0) found.emplace_back(-size, j);
    }
    if (static_cast<Index>(found.size()) > most) {
        std::nth_element(found.begin(), found.begin() + most, found.end());
        found.resize(most);
    }
    std::vector<Index> columns;
    for (const auto& [size, j] : found) columns.push_back(j);
    std::sort(columns.begin(), columns.end());
    return columns;
}

// Whether a column is needed that did not take part in the last descent.
bool RowPath::violated(double threshold, const Rules& rules) const {
    for (Index j = 0; j < x_.cols(); ++j) {
        const Index m = set_->place(j);
        const bool idle = m < 0 || (by_blocks_ && took_part_[m] == 0);
        if (idle && (rules.positive ? c_[j] : std::fabs(c_[j])) > threshold) return true;
    }
    return false;
}

void RowPath::enter(const std::vector<Index>& columns) {
    set_->add(columns);
    state_.w.resize(set_->size(), 0.0);
    for (const Index j : columns) state_.c.push_back(c_[j]);
}

// The support, and as many other members as `room` allows: what is needed after all enters again.
std::vector<Index> RowPath::most_promising(Index room, const Rules& rules) const {
    std::vector<Index> kept;
    std::vector<std::pair<double, Index>> others;
    for (Index m = 0; m < set_->size(); ++m)
        if (state_.w[m] != 0.0)
            kept.push_back(m);
        else
            others.emplace_back(rules.positive ? -state_.c[m] : -std::fabs(state_.c[m]), m);
    const auto left = std::clamp<Index>(room - static_cast<Index>(kept.size()), 0,
                                        static_cast<Index>(others.size()));
    std::nth_element(others.begin(), others.begin() + left, others.end());
    for (Index i = 0; i < left; ++i) kept.push_back(others[i].second);
    std::sort(kept.begin(), kept.end());
    return kept;
}

// Members that are neither in the support nor near it leave where the products of all would take
// more memory than the columns themselves; of sparse columns that are still too many, none is kept.
void RowPath::make_room(double threshold, const Rules& rules, Index entering) {
    if (by_blocks_ || without_gram_) return;
    const auto fits = [&](Index k) {
        return static_cast<double>(k) * static_cast<double>(k) <= most_products_;
    };
    if (fits(set_->size() + entering)) return;
    std::vector<Index> kept;
    for (Index m = 0; m < set_->size(); ++m)
        if (state_.w[m] != 0.0 ||
            (rules.positive ? state_.c[m] : std::fabs(state_.c[m])) > threshold)
            kept.push_back(m);
    if (4 * static_cast<Index>(kept.size()) >= 3 * set_->size() && !x_.sparse())
        kept = most_promising(static_cast<Index>(std::sqrt(most_products_)) - entering, rules);
    const auto k = static_cast<Index>(kept.size());
    if (4 * k < 3 * set_->size()) {
        set_->keep(kept);
        for (Index m = 0; m < k; ++m)
            state_.w[m] = state_.w[kept[m]], state_.c[m] = state_.c[kept[m]];
        state_.w.resize(k), state_.c.resize(k);
        inverse_.clear();
    }
    if (x_.sparse() && !fits(set_->size() + entering)) {
        without_gram_ = true;
        set_->forget_gram();
        inverse_.clear();
    }
}

// `rough`: other columns will have to enter, so that more than a share of the gap is in vain.
void RowPath::solve(const ElasticNet& penalty, Rules rules, bool rough, Checkpoint& checkpoint) {
    double goal = part_ * rules.goal(std::max(proof_.primal, 1e-300), at_zero_);
    if (rough) goal = std::max(goal, rough_share * proof_.gap), rules.polish = false;
    const Index most = std::max(rules.max_epochs - epochs_, Index{1});
    epochs_ += without_gram_ ? descend_sparse(x_, regression_, *set_, penalty, rules, goal,
                                              change_goal(rules), most, state_.w, checkpoint)
                             : descend(gram(), state_, inverse_, penalty, rules, goal,
                                       change_goal(rules), most, checkpoint);
    renew(rules.change > 0.0 && !without_gram_);
}

// On the residual, in the support and the members that may join it; at first from where the path
// would be if it went on as from the penalty before the last to the last, if that is better.
void RowPath::solve_by_blocks(const ElasticNet& penalty, const Rules& rules, double threshold,
                              double ratio, bool first, Checkpoint& checkpoint) {
    std::vector<double> r = set_->packed(residual_), w = state_.w;
    if (ratio > 0.0 && !before_residual_.empty()) {
        std::vector<double> further_w = w, further_r = r;
        const std::vector<double> before = set_->packed(before_residual_);
        for (std::size_t i = 0; i < r.size(); ++i) further_r[i] += ratio * (r[i] - before[i]);
        bool allowed = true;
        for (Index m = 0; m < set_->size(); ++m) {
            further_w[m] += ratio * (w[m] - before_coef_[set_->members()[m]]);
            allowed = allowed && !(rules.positive && further_w[m] < 0.0);
        }
        if (allowed && objective(further_w, further_r, penalty) < objective(w, r, penalty))
            w = std::move(further_w), r = std::move(further_r);
    }
    if (first) before_residual_ = residual_, before_coef_ = coef_;
    const double may_join = std::min(threshold, joining * penalty.l1);
    std::vector<Index> members;
    took_part_.assign(set_->size(), 0);
    for (Index m = 0; m < set_->size(); ++m) {
        const double c = c_[set_->members()[m]];
        if (w[m] == 0.0 && !((rules.positive ? c : std::fabs(c)) > may_join)) continue;
        members.push_back(m);
        took_part_[m] = 1;
    }
    epochs_ += descend_blocks(*set_, members, penalty, rules, change_goal(rules),
                              std::max(rules.max_epochs - epochs_, Index{1}), w, r, checkpoint);
    state_.w = std::move(w);
    state_.residual_squares = dense().dot(r.data(), r.data(), static_cast<Index>(r.size()));
    set_->unpack(r, residual_);
    for (Index m = 0; m < set_->size(); ++m) coef_[set_->members()[m]] = state_.w[m];
}

// The path is linear in l1 while the support stays: go on as from the penalty before the last to
// the last, by `ratio` of that step, if that is better than to stay.
void RowPath::foresee(double ratio, const ElasticNet& penalty, const Rules& rules,
                      Checkpoint& checkpoint) {
    if (!before_coef_.empty() && ratio > 0.0) {
        std::vector<double> w(state_.w), c(state_.c);
        bool allowed = true;
        for (Index m = 0; m < set_->size(); ++m) {
            const Index j = set_->members()[m];
            w[m] += ratio * (coef_[j] - before_coef_[j]);
            c[m] += ratio * (c_[j] - before_c_[j]);
            allowed = allowed && !(rules.positive && w[m] < 0.0);
        }
        if (allowed) move_if_better(gram(), state_, inverse_, penalty, rules, w, c, checkpoint);
    }
    before_coef_ = coef_, before_c_ = c_;
}

Index RowPath::support() const {
    return std::count_if(state_.w.begin(), state_.w.end(), [](double w) { return w != 0.0; });
}

double RowPath::largest(const Rules& rules) const {
    double most = 0.0;
    for (const double c : c_) most = std::max(most, rules.positive ? c : std::fabs(c));
    return most;
}

double RowPath::intercept() const {
    if (!regression_.intercept) return 0.0;
    double shift = 0.0;
    for (const Index j : set_->members()) shift += coef_[j] * regression_.x_mean[j];
    return regression_.y_mean - shift;
}

// Residual and correlations of the members from the rows: nothing gathers. `rough`: what gathers
// in the correlations is far below what is asked for.
void RowPath::renew(bool rough) {
    set_->residual(state_.w, residual_);
    if (!rough) set_->correlations(residual_, state_.c);
    state_.residual_squares = dense().dot(residual_.data(), residual_.data(), x_.rows());
    for (Index m = 0; m < set_->size(); ++m) coef_[set_->members()[m]] = state_.w[m];
}

}  // namespace stylobate::descend
