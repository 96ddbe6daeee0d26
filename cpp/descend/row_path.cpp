#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "descend/elastic_net_path.hpp"
#include "descend/support_inverse.hpp"
#include "descend/working_set.hpp"

namespace stylobate::descend {
namespace {

constexpr double share = 0.3;        // of the tolerance that a descent may leave
constexpr Index column_group = 512;  // columns one chunk correlates with the residuals
constexpr Index least_entry = 64;    // columns that may enter a working set at once: at least,
constexpr Index most_first = 512;    // and at most when nothing is known yet
constexpr double growth = 0.7;       // later: this share of the support
constexpr Index max_rounds = 100;
constexpr double near = 0.98;         // of l1: columns that may be violated next are taken along
constexpr double likely = 0.97;       // of l1: what enters for errors only, which are checked later
constexpr Index large = 256;          // columns of a support whose inverse costs many epochs
constexpr double slack = 1.001;       // of l1: a violation that changes no error of prediction
constexpr double rough_share = 0.02;  // of the gap that is left while columns still enter

// One regression's way along its penalties.
class RowPath {
 public:
    RowPath(const Columns& x, const RowProblems& problems, Index i) : x_(x) {
        const Index n = x.rows();
        const double* y = problems.y + i * n;
        const double* weights = problems.weights ? problems.weights + i * n : nullptr;
        regression_.intercept = problems.intercept;
        regression_.weight = 0.0;
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
        state_.residual_squares = 2.0 * at_zero_;
    }

    Regression& regression() { return regression_; }
    double goal(const Rules& rules) const { return rules.goal(proof.primal, at_zero_); }

    // Sweeps tell twice the decrease. Small supports are finished by Newton steps instead, which
    // cost next to nothing there.
    double change_goal(const Rules& rules) const {
        return support() > large ? 2.0 * rules.change * at_zero_ : 0.0;
    }

    // √ω r, whose products with the columns are the correlations
    void weighted_residual(double* out) const {
        for (Index k = 0; k < x_.rows(); ++k) out[k] = regression_.root_of(k) * residual_[k];
    }

    // The correlations of all columns from raw products; members' own are known more exactly.
    void take_products(const double* products, const double* weighted) {
        double total = 0.0;
        for (Index k = 0; k < x_.rows(); ++k) total += weighted[k];
        for (Index j = 0; j < x_.cols(); ++j) c_[j] = products[j] - total * regression_.x_mean[j];
        for (Index m = 0; m < set_->size(); ++m) c_[set_->members()[m]] = state_.c[m];
    }

    void start(const double* coef) {
        std::vector<Index> support;
        for (Index j = 0; j < x_.cols(); ++j)
            if (coef[j] != 0.0) support.push_back(j);
        enter(support);
        for (Index m = 0; m < set_->size(); ++m) state_.w[m] = coef[set_->members()[m]];
        renew(false);
    }

    void prove(const Penalty& penalty, const Rules& rules) {
        proof = descend::prove(coef_.data(), c_.data(), x_.cols(), state_.residual_squares, penalty,
                               rules.positive);
    }

    // Columns not yet in the working set that may be needed: the strong rule for a new penalty,
    // the violated conditions after a round. The most promising ones first, and not too many.
    std::vector<Index> newcomers(double threshold, const Rules& rules) const {
        const Index first = std::min(std::max(x_.rows() / 2, least_entry), most_first);
        const Index next = std::max(first / 2, static_cast<Index>(growth * support()));
        const Index most = set_->size() == 0 ? first : next;
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

    // Whether a column outside the working set is needed.
    bool violated(double threshold, const Rules& rules) const {
        for (Index j = 0; j < x_.cols(); ++j)
            if ((rules.positive ? c_[j] : std::fabs(c_[j])) > threshold && set_->place(j) < 0)
                return true;
        return false;
    }

    void enter(const std::vector<Index>& columns) {
        set_->add(columns);
        state_.w.resize(set_->size(), 0.0);
        for (const Index j : columns) state_.c.push_back(c_[j]);
    }

    // `rough`: other columns will have to enter, so that more than a share of the gap is in vain.
    void solve(const Penalty& penalty, Rules rules, bool rough, Checkpoint& checkpoint) {
        const Gram gram{set_->gram(), set_->gram_stride(), set_->size(), set_->lengths()};
        double goal = part * rules.goal(std::max(proof.primal, 1e-300), at_zero_);
        if (rough) goal = std::max(goal, rough_share * proof.gap), rules.polish = false;
        epochs += descend(gram, state_, inverse_, penalty, rules, goal, change_goal(rules),
                          std::max(rules.max_epochs - epochs, Index{1}), checkpoint);
        renew(rules.change > 0.0);
    }

    // The path is linear in l1 while the support stays: go on as from the penalty before the last
    // to the last, by `ratio` of that step, if that is better than to stay.
    void foresee(double ratio, const Penalty& penalty, const Rules& rules, Checkpoint& checkpoint) {
        if (!before_coef_.empty() && ratio > 0.0) {
            std::vector<double> w(state_.w), c(state_.c);
            bool allowed = true;
            for (Index m = 0; m < set_->size(); ++m) {
                const Index j = set_->members()[m];
                w[m] += ratio * (coef_[j] - before_coef_[j]);
                c[m] += ratio * (c_[j] - before_c_[j]);
                allowed = allowed && !(rules.positive && w[m] < 0.0);
            }
            const Gram gram{set_->gram(), set_->gram_stride(), set_->size(), set_->lengths()};
            if (allowed) move_if_better(gram, state_, inverse_, penalty, rules, w, c, checkpoint);
        }
        before_coef_ = coef_, before_c_ = c_;
    }

    Index support() const {
        return std::count_if(state_.w.begin(), state_.w.end(), [](double w) { return w != 0.0; });
    }

    double largest(const Rules& rules) const {
        double most = 0.0;
        for (const double c : c_) most = std::max(most, rules.positive ? c : std::fabs(c));
        return most;
    }

    const std::vector<double>& coef() const { return coef_; }
    double condition() const { return state_.condition; }
    double intercept() const {
        if (!regression_.intercept) return 0.0;
        double shift = 0.0;
        for (const Index j : set_->members()) shift += coef_[j] * regression_.x_mean[j];
        return regression_.y_mean - shift;
    }

    Proof proof;
    double part = share;   // of the tolerance the next descent may leave
    double last_l1 = 0.0;  // of the penalty before
    double step = 0.0;     // of l1, up to the penalty before
    Index epochs = 0;
    bool done = false;

 private:
    // Residual and correlations of the members from the rows: nothing gathers. `rough`: what
    // gathers in the correlations is far below what is asked for.
    void renew(bool rough) {
        set_->residual(state_.w, residual_);
        if (!rough) set_->correlations(residual_, state_.c);
        state_.residual_squares = dense().dot(residual_.data(), residual_.data(), x_.rows());
        for (Index m = 0; m < set_->size(); ++m) coef_[set_->members()[m]] = state_.w[m];
    }

    const Columns& x_;
    Regression regression_;
    std::unique_ptr<WorkingSet> set_;
    State state_;
    SupportInverse inverse_;
    std::vector<double> residual_, c_, coef_;
    std::vector<double> before_coef_, before_c_;  // at the penalty before the last
    double at_zero_ = 0.0;                        // the objective at zero coefficients
};

class RowPaths {
 public:
    RowPaths(const Columns& x, const RowProblems& problems, const Rules& rules)
        : x_(x), rules_(rules) {
        for (Index i = 0; i < problems.count; ++i)
            paths_.push_back(std::make_unique<RowPath>(x, problems, i));
        if (problems.intercept) centre(problems);
        for (Index i = 0; i < problems.count; ++i)
            if (problems.start != nullptr) paths_[i]->start(problems.start + i * x.cols());
        if (!problems.intercept || problems.start != nullptr) pass();
    }

    // All regressions at one penalty each.
    void solve(const Penalty* penalties, Index step) {
        for (auto& path : paths_) {
            path->done = false, path->epochs = 0, path->part = share;
            const Penalty& own = penalties[index(path) * step];
            path->prove(own, rules_);
        }
        for (Index round = 0; round < max_rounds; ++round) {
            each([&](RowPath& path, Index i, Checkpoint& checkpoint) {
                advance(path, penalties[i * step], round, checkpoint);
            });
            pass();
            bool finished = true;
            for (auto& path : paths_) {
                judge(*path, penalties[index(path) * step]);
                finished = finished && path->done;
            }
            if (finished) break;
        }
    }

    RowPath& path(Index i) { return *paths_[i]; }

 private:
    Index index(const std::unique_ptr<RowPath>& path) const { return &path - paths_.data(); }

    void advance(RowPath& path, const Penalty& penalty, Index round, Checkpoint& checkpoint) {
        double threshold = near * penalty.l1, ratio = 0.0;
        if (round == 0) {
            const double before = path.last_l1 > 0.0 ? path.last_l1 : path.largest(rules_);
            threshold = std::max(2.0 * penalty.l1 - before, 0.5 * penalty.l1);
            if (rules_.change > 0.0) threshold = std::max(threshold, likely * penalty.l1);
            if (path.step < 0.0) ratio = (penalty.l1 - path.last_l1) / path.step;
            path.step = path.last_l1 > 0.0 ? penalty.l1 - path.last_l1 : 0.0;
            path.last_l1 = penalty.l1;
        }
        const std::vector<Index> columns = path.newcomers(threshold, rules_);
        if (round > 0 && columns.empty()) path.part *= 0.1;  // else a violated condition is left
        path.enter(columns);
        if (round == 0 && rules_.change > 0.0) path.foresee(ratio, penalty, rules_, checkpoint);
        const bool many = 20 * static_cast<Index>(columns.size()) > path.support();
        path.solve(penalty, rules_, rules_.polish && many, checkpoint);
    }

    void judge(RowPath& path, const Penalty& penalty) {
        if (path.done) return;
        path.prove(penalty, rules_);
        path.done =
            path.proof.gap <= path.goal(rules_) ||
            (path.change_goal(rules_) > 0.0 && !path.violated(slack * penalty.l1, rules_)) ||
            path.epochs >= rules_.max_epochs || path.part < 1e-7;
    }

    // The body for every regression that is not done: side by side if there are several.
    template <class Body>
    void each(const Body& body) {
        std::vector<Index> left;
        for (Index i = 0; i < static_cast<Index>(paths_.size()); ++i)
            if (!paths_[i]->done) left.push_back(i);
        if (left.size() == 1) {
            static const std::atomic<bool> never{false};
            Checkpoint checkpoint(never, true);
            body(*paths_[left[0]], left[0], checkpoint);
            return;
        }
        parallel_for(static_cast<Index>(left.size()), [&](Index k, Checkpoint& checkpoint) {
            body(*paths_[left[k]], left[k], checkpoint);
        });
    }

    // Σ x·v of all columns, for the vectors v of several regressions at once: one reading of X.
    void correlate(const std::vector<double>& vectors, Index count, std::vector<double>& out) {
        const Index n = x_.rows(), p = x_.cols();
        out.resize(count * p);
        parallel_for((p + column_group - 1) / column_group, [&](Index g, Checkpoint& checkpoint) {
            checkpoint();
            const Index first = g * column_group, last = std::min(p, first + column_group);
            x_.correlate(first, last, vectors.data(), count, n, out.data() + first, p);
        });
    }

    // The columns' means, and in the same reading their products with the targets.
    void centre(const RowProblems& problems) {
        const Index n = x_.rows(), p = x_.cols();
        const Index shared = problems.weights ? problems.count : 1, count = problems.count;
        std::vector<double> vectors((shared + count) * n, 1.0), sums;
        if (problems.weights)
            std::copy(problems.weights, problems.weights + shared * n, vectors.begin());
        for (Index i = 0; i < count; ++i)
            paths_[i]->weighted_residual(vectors.data() + (shared + i) * n);
        correlate(vectors, shared + count, sums);
        for (Index i = 0; i < count; ++i) {
            Regression& regression = paths_[i]->regression();
            const double* own = sums.data() + (problems.weights ? i * p : 0);
            for (Index j = 0; j < p; ++j) regression.x_mean[j] = own[j] / regression.weight;
            paths_[i]->take_products(sums.data() + (shared + i) * p,
                                     vectors.data() + (shared + i) * n);
        }
    }

    void pass() {
        const Index n = x_.rows();
        std::vector<Index> left;
        for (Index i = 0; i < static_cast<Index>(paths_.size()); ++i)
            if (!paths_[i]->done) left.push_back(i);
        residuals_.resize(left.size() * n);
        for (std::size_t k = 0; k < left.size(); ++k)
            paths_[left[k]]->weighted_residual(residuals_.data() + k * n);
        correlate(residuals_, static_cast<Index>(left.size()), products_);
        for (std::size_t k = 0; k < left.size(); ++k)
            paths_[left[k]]->take_products(products_.data() + k * x_.cols(),
                                           residuals_.data() + k * n);
    }

    const Columns& x_;
    const Rules& rules_;
    std::vector<std::unique_ptr<RowPath>> paths_;
    std::vector<double> residuals_, products_;
};

}  // namespace

Paths row_paths(const Columns& x, const RowProblems& problems, const Penalty* penalties,
                Index n_penalties, const Rules& rules) {
    const Index p = x.cols(), count = problems.count, answers = count * n_penalties;
    Paths out{std::vector<double>(area(answers, p)), std::vector<double>(answers),
              std::vector<double>(answers),          std::vector<double>(answers),
              std::vector<double>(answers),          std::vector<double>(answers),
              std::vector<double>(answers)};
    RowPaths paths(x, problems, rules);
    for (Index a = 0; a < n_penalties; ++a) {
        paths.solve(penalties + a, n_penalties);
        for (Index i = 0; i < count; ++i) {
            const Index at = i * n_penalties + a;
            const RowPath& path = paths.path(i);
            std::copy(path.coef().begin(), path.coef().end(), out.coef.begin() + at * p);
            out.intercept[at] = path.intercept();
            out.primal[at] = path.proof.primal, out.gap[at] = path.proof.gap;
            out.kkt[at] = path.proof.kkt;
            out.epochs[at] = static_cast<double>(path.epochs);
            out.condition[at] = path.condition();
        }
    }
    return out;
}

}  // namespace stylobate::descend
