#include "descend/logistic_l1.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "descend/logistic_models.hpp"
#include "descend/logistic_points.hpp"

namespace stylobate::descend {
namespace {

constexpr Index least_set = 100;         // a working set may always have so many coefficients,
constexpr Index rows_per_new = 10;       // one for so many rows, and twice those in use
constexpr Index largest_gram = 3000;     // beyond, a Hessian is not formed unless rows are more
constexpr double nearest = 0.95;         // columns whose gradient may yet reach l1 come along:
constexpr double farthest = 0.9;         // those this near to it, by how far away we are
constexpr double slow = 0.2;             // a step that leaves more of the violation is slow
constexpr double steps_anew = 3.0;       // that a new Hessian would still need
constexpr double free_work = 1e7;        // operations of a Hessian that is formed anyway
constexpr double pass_cost = 64.0;       // of a number of the rows, in operations of a Hessian
constexpr double inner_accuracy = 1e-3;  // violation left by the inner problem, of the outer's
constexpr double sufficient = 1e-3;      // of the predicted decrease must be had
constexpr Index sample_ratio = 4;        // a Hessian comes from every so manyth row at most,
constexpr Index rows_per_unknown = 12;   // if that leaves so many per coefficient
constexpr Index least_single = 64;       // coefficients from which single precision is faster
constexpr double strongest = 0.1;        // gradients of this share of the largest at the start …
constexpr Index share_of_strong = 4;     // … begin alone if they are one in so many,
constexpr double rough = 1e-3;           // to this relative gap
constexpr Index most_rough = 20;         // or so many steps
constexpr Index rows_packed = 256;
constexpr Index few_missing = 8;      // one new coefficient for so many joins an old Hessian,
constexpr Index rows_sampled = 2000;  // with a curvature from so many rows
constexpr int most_halvings = 40;
constexpr int patience = 3;  // steps that change nothing before we give up
constexpr double epsilon = std::numeric_limits<double>::epsilon();

class Solver {
 public:
    explicit Solver(const LogisticProblem& problem)
        : problem_(problem),
          x_(problem.x),
          objective_(problem),
          rows_(objective_.rows()),
          k_(problem.margins()),
          p_(x_.cols()),
          n_(x_.rows()),
          l1_(problem.penalty.l1),
          l2_(problem.penalty.l2),
          now_(objective_.point()),
          next_(objective_.point()),
          shift_(p_),
          alive_(p_) {
        std::iota(alive_.begin(), alive_.end(), Index{0});
        answer_.at_zero = rows_.total() * std::log(static_cast<double>(problem.n_classes));
        best_dual_ = -std::numeric_limits<double>::infinity();
        if (problem.intercept && !x_.sparse()) find_shift();
    }

    LogisticAnswer run() {
        const auto begin = std::chrono::steady_clock::now();
        begin_somewhere();
        bool moved = true;
        while (true) {
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
            record(spent.count());
            if (gap() <= asked() || !moved) {
                if (static_cast<Index>(alive_.size()) == p_) break;
                revive();  // the certificate is about all columns
                if (gap() <= asked() || !moved) break;
            }
            if (answer_.iterations == problem_.max_iter) {
                revive();
                break;
            }
            ++answer_.iterations;
            const double before = violation_, gap_before = gap();
            moved = advance();
            look_around();
            stale_ = outdated(violation_ / before, gap() / gap_before);
            if (moved && model_ != nullptr && !stale_) learn();
            moved = moved && !stalled();
        }
        return finish();
    }

 private:
    // --- where we are ---------------------------------------------------------------------------

    double scale() const { return std::max(now_.value, epsilon * answer_.at_zero); }
    double gap() const { return now_.value - best_dual_; }
    double asked() const { return problem_.tol * scale(); }

    // Whether rounding is all that the last steps changed.
    bool stalled() {
        const bool better = violation_ < 0.9 * least_violation_ ||
                            now_.value < least_value_ - 8.0 * epsilon * now_.value;
        least_violation_ = std::min(least_violation_, violation_);
        least_value_ = std::min(least_value_, now_.value);
        idle_ = better ? 0 : idle_ + 1;
        return idle_ >= patience;
    }

    // A rough mean of the columns: what it leaves is small enough to be squared.
    void find_shift() {
        constexpr Index most = 64;
        const Index step = std::max<Index>(1, n_ / most), count = (n_ + step - 1) / step;
        std::vector<Index> all(p_);
        std::iota(all.begin(), all.end(), Index{0});
        Buffer row(p_), zero(p_), first(p_);
        x_.pack(0, all.data(), p_, zero.data(), first.data());  // exact for a constant column
        for (Index i = 0; i < count; ++i) {
            x_.pack(i * step, all.data(), p_, first.data(), row.data());
            for (Index j = 0; j < p_; ++j) shift_[j] += row[j] / static_cast<double>(count);
        }
        for (Index j = 0; j < p_; ++j) shift_[j] += first[j];
    }

    // Gradient, optimality, gap, and the columns the gap rules out.
    void look_around() {
        if (!now_.differentiated) objective_.differentiate(now_, alive_);
        double largest = 0.0, excess = 0.0;
        violation_ = 0.0;
        for (Index c = 0; c < k_; ++c)
            for (const Index j : alive_) {
                const double g = now_.g[c * p_ + j];
                largest = std::max(largest, std::fabs(g));
                violation_ = std::max(violation_, violation(now_.w[c * p_ + j], g));
                const double over = std::max(std::fabs(g) - l1_, 0.0);
                if (l2_ > 0.0) excess += over * over / (2.0 * l2_);
            }
        answer_.kkt = violation_ / std::max({l1_, largest, std::numeric_limits<double>::min()});
        const double feasible = largest > l1_ ? l1_ / largest : 1.0;
        double dual = rows_.conjugate(now_.p.data(), feasible, now_.shift), factor = feasible;
        if (l2_ > 0.0 && feasible < 1.0) {
            const double whole = rows_.conjugate(now_.p.data(), 1.0, now_.shift) - excess;
            if (whole > dual) dual = whole, factor = 1.0;
        }
        best_dual_ = std::max(best_dual_, dual);
        if (screens()) screen(factor, now_.value - dual);
    }

    double violation(double w, double g) const {
        if (w == 0.0) return std::max(std::fabs(g) - l1_, 0.0);
        return std::fabs(g + l2_ * w + std::copysign(l1_, w));
    }

    bool screens() const { return x_.sparse() || p_ > n_; }

    // The optimal residuals lie in a ball about the feasible ones: |xⱼᵀθ*| < l1 if its image does.
    void screen(double factor, double gap) {
        if (!(gap > 0.0) || gap > 0.5 * now_.value) return;
        if (lengths_.empty()) {
            lengths_.resize(p_);
            Buffer sums(p_);
            x_.moments(rows_.weights(), problem_.intercept, sums.data(), lengths_.data());
            for (double& length : lengths_) length = std::sqrt(length);
        }
        const double radius = std::sqrt(2.0 * gap * (k_ == 1 ? 0.25 : 0.5));
        std::erase_if(alive_, [&](Index j) {
            for (Index c = 0; c < k_; ++c)
                if (now_.w[c * p_ + j] != 0.0 ||
                    factor * std::fabs(now_.g[c * p_ + j]) + lengths_[j] * radius >=
                        l1_ * (1.0 - 1e-10))
                    return false;
            return true;
        });
    }

    void revive() {
        if (static_cast<Index>(alive_.size()) == p_) return;
        alive_.resize(p_);
        std::iota(alive_.begin(), alive_.end(), Index{0});
        best_dual_ = -std::numeric_limits<double>::infinity();
        now_.differentiated = false;
        look_around();
        alive_.resize(p_);
        std::iota(alive_.begin(), alive_.end(), Index{0});
    }

    // --- where to begin -------------------------------------------------------------------------

    void begin_somewhere() {
        if (problem_.start_intercept != nullptr)
            std::copy_n(problem_.start_intercept, k_, now_.b.data());
        if (problem_.start_coef != nullptr) {
            std::copy_n(problem_.start_coef, k_ * p_, now_.w.data());
            objective_.evaluate(now_, alive_);
            return look_around();
        }
        objective_.evaluate_margins(now_);
        look_around();
        if (!x_.sparse()) begin_with_strongest();
    }

    // The few columns that matter most, alone: their answer is near enough for curvatures to be
    // right, and costs little.
    void begin_with_strongest() {
        double largest = 0.0;
        for (Index v = 0; v < k_ * p_; ++v) largest = std::max(largest, std::fabs(now_.g[v]));
        std::vector<Index> strong;
        for (Index j = 0; j < p_; ++j)
            for (Index c = 0; c < k_; ++c)
                if (std::fabs(now_.g[c * p_ + j]) > std::max(strongest * largest, l1_)) {
                    strong.push_back(j);
                    break;
                }
        const auto m = static_cast<Index>(strong.size());
        if (m == 0 || m * share_of_strong > p_ || problem_.max_iter == 0) return;
        Buffer packed(area(n_, m)), zeros(p_);
        parallel_for((n_ + rows_packed - 1) / rows_packed, [&](Index part, Checkpoint&) {
            for (Index i = part * rows_packed; i < std::min(n_, (part + 1) * rows_packed); ++i)
                x_.pack(i, strong.data(), m, zeros.data(), packed.data() + i * m);
        });
        const DenseDesign<double> few({packed.data(), n_, m, m, 1});
        LogisticProblem smaller{few,
                                problem_.codes,
                                problem_.n_classes,
                                problem_.weights,
                                problem_.penalty,
                                problem_.intercept,
                                rough,
                                most_rough};
        smaller.start_intercept = now_.b.data();
        const LogisticAnswer found = Solver(smaller).run();
        for (Index c = 0; c < k_; ++c) {
            for (Index a = 0; a < m; ++a) now_.w[c * p_ + strong[a]] = found.coef[c * m + a];
            now_.b[c] = found.intercept[c];
        }
        objective_.evaluate(now_, alive_);
        look_around();
    }

    // --- one step -------------------------------------------------------------------------------

    bool advance() {
        if (model_ == nullptr || stale_ || !covers()) {
            Variables chosen = choose();
            if (chosen.size() == 0) return false;
            const bool formed = chosen.size() <= largest_gram || chosen.size() <= n_ / 2;
            if (!formed) return advance_by_columns(chosen);
            const LogisticData data{x_, rows_, shift_.data(), problem_.intercept};
            const GramEffort effort = effort_for(chosen.size());
            model_ = std::make_unique<GramModel>(data, now_.p.data(), std::move(chosen), effort);
            fresh_ = effort.step == 1 && !effort.single;
        }
        const bool was_fresh = fresh_;
        fresh_ = false;
        if (!step_by(*model_, model_->variables())) {
            if (was_fresh) return false;
            single_ = false;
            stale_ = true;
            return advance();
        }
        return true;
    }

    // A sample of the rows does while its steps are fast enough, or the answer far away; single
    // precision as long as steps based on it succeed.
    GramEffort effort_for(Index size) {
        GramEffort effort;
        effort.single = single_ && size >= least_single;
        if (stale_ && violation_ <= l1_) sampled_ = false;
        if (sampled_ && !x_.sparse() && !next_to_free(size)) {
            effort.step = std::clamp<Index>(n_ / (rows_per_unknown * size), 1, sample_ratio);
            effort.first = answer_.iterations % effort.step;
        }
        return effort;
    }

    bool next_to_free(Index size) const {
        return static_cast<double>(n_) * static_cast<double>(size * size) <= free_work;
    }

    // Whether a new Hessian would take less time than the steps still needed if the gap goes on
    // falling by `rate`; `left` is how much of the violation the last step left.
    bool outdated(double left, double rate) const {
        if (model_ == nullptr || next_to_free(model_->size())) return true;
        if (left <= slow || !(rate < 1.0)) return left > slow;
        const auto m = static_cast<double>(model_->size());
        const double cost = x_.sparse() ? 1.0 : m * m / (pass_cost * static_cast<double>(p_));
        const double steps = std::log(asked() / gap()) / std::log(rate);
        return steps > steps_anew + cost;
    }

    // Whether the model has all coefficients that matter, or can take in the few it has not.
    bool covers() {
        std::vector<bool> inside(k_ * p_, false);
        const Variables& known = model_->variables();
        for (Index v = 0; v < known.size(); ++v)
            inside[known.margin[v] * p_ + known.feature[v]] = true;
        Variables missing;
        for (Index c = 0; c < k_; ++c)
            for (const Index j : alive_)
                if (needs(c * p_ + j) && !inside[c * p_ + j]) {
                    missing.margin.push_back(c);
                    missing.feature.push_back(j);
                }
        if (missing.size() == 0) return true;
        if (x_.sparse() || missing.size() * few_missing > known.size()) return false;
        model_->extend(missing, curvatures(missing));
        return true;
    }

    // Σ d(x − mean)² of some coefficients' columns, from a sample of the rows.
    std::vector<double> curvatures(const Variables& of) const {
        const Index m = of.size(), step = std::max<Index>(1, n_ / rows_sampled);
        std::vector<double> row(m), weight(m, 0.0), mean(m, 0.0), square(m, 0.0);
        for (Index i = 0; i < n_; i += step) {
            x_.pack(i, of.feature.data(), m, shift_.data(), row.data());
            for (Index v = 0; v < m; ++v) {
                const double p = now_.p[of.margin[v] * n_ + i];
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

    bool needs(Index v) const { return now_.w[v] != 0.0 || std::fabs(now_.g[v]) > l1_; }

    // What the last step says about the Hessian.
    void learn() {
        const Variables& known = model_->variables();
        std::vector<double> step(known.size()), change(known.size());
        for (Index v = 0; v < known.size(); ++v) {
            const Index at = known.margin[v] * p_ + known.feature[v];
            step[v] = now_.w[at] - next_.w[at];  // next_ is where we were before
            change[v] = now_.g[at] - next_.g[at];
        }
        model_->learn(step, change);
    }

    // Coefficients in use, and the worst of those that should be.
    Variables choose() const {
        const double near = std::clamp(l1_ - violation_, farthest * l1_, nearest * l1_);
        std::vector<std::pair<double, Index>> others;
        std::vector<Index> chosen;
        for (Index c = 0; c < k_; ++c)
            for (const Index j : alive_) {
                const Index v = c * p_ + j;
                if (now_.w[v] != 0.0)
                    chosen.push_back(v);
                else if (std::fabs(now_.g[v]) > near)
                    others.emplace_back(-std::fabs(now_.g[v]), v);
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

    // One margin after the other, each with its own model of the loss.
    bool advance_by_columns(const Variables& chosen) {
        model_.reset();
        bool moved = false;
        for (Index c = 0; c < k_; ++c) {
            Variables own;
            for (Index v = 0; v < chosen.size(); ++v)
                if (chosen.margin[v] == c) {
                    own.margin.push_back(c);
                    own.feature.push_back(chosen.feature[v]);
                }
            if (own.size() == 0) continue;
            if (c > 0) x_.gradient(now_.r.data() + c * n_, 1, alive_, now_.g.data() + c * p_);
            const LogisticData data{x_, rows_, shift_.data(), problem_.intercept};
            ColumnModel model(data, now_.p.data(), c, own.feature);
            moved = step_by(model, own) || moved;
        }
        return moved;
    }

    template <class Model>
    bool step_by(Model& model, const Variables& variables) {
        const Index m = variables.size();
        std::vector<double> w(m), g(m);
        for (Index v = 0; v < m; ++v) {
            const Index at = variables.margin[v] * p_ + variables.feature[v];
            w[v] = now_.w[at];
            g[v] = now_.g[at];
        }
        model.start(std::move(g));
        CoordinateDescent<Model> inner(model, w, problem_.penalty);
        const double predicted = inner.run(inner_accuracy * violation_);
        if (!(predicted > 0.0)) return false;
        std::copy_n(now_.w.data(), k_ * p_, next_.w.data());
        for (Index v = 0; v < m; ++v)
            next_.w[variables.margin[v] * p_ + variables.feature[v]] = inner.solution()[v];
        objective_.predict_intercept(now_, next_);
        objective_.evaluate(next_, alive_);
        return accept(predicted);
    }

    // Shortens the step until enough of the predicted decrease is had.
    bool accept(double predicted) {
        const double rounding = 8.0 * epsilon * now_.value + noise();
        double t = 1.0;
        for (int halving = 0; halving < most_halvings; ++halving, t *= 0.5) {
            if (next_.value <= now_.value - sufficient * t * predicted + rounding) {
                std::swap(now_, next_);
                step_ = t;
                return true;
            }
            for (Index v = 0; v < k_ * p_; ++v) next_.w[v] = 0.5 * (next_.w[v] + now_.w[v]);
            for (Index i = 0; i < k_ * n_; ++i) next_.z[i] = 0.5 * (next_.z[i] + now_.z[i]);
            std::copy_n(now_.b.data(), k_, next_.b.data());
            objective_.evaluate_margins(next_);
        }
        return false;
    }

    // What the margins' own rounding does to the loss, as independent errors of the rows.
    double noise() const {
        double sum = 0.0;
        for (Index c = 0; c < k_; ++c)
            for (Index i = 0; i < n_; ++i) {
                const double z = rows_.weights()[i] * next_.z[c * n_ + i];
                sum += z * z;
            }
        return epsilon * std::sqrt(sum);
    }

    // --- reporting ------------------------------------------------------------------------------

    void record(double seconds) {
        answer_.objectives.push_back(now_.value);
        answer_.violations.push_back(violation_);
        answer_.steps.push_back(step_);
        answer_.seconds.push_back(seconds);
    }

    // Of the last Hessian in the coefficients in use; not known where none was formed.
    double condition() const {
        if (objective_.support(now_).empty()) return 1.0;
        if (model_ == nullptr) return std::numeric_limits<double>::infinity();
        const Variables& known = model_->variables();
        std::vector<Index> used;
        for (Index v = 0; v < known.size(); ++v)
            if (now_.w[known.margin[v] * p_ + known.feature[v]] != 0.0) used.push_back(v);
        return used.empty() ? std::numeric_limits<double>::infinity()
                            : model_->condition(used, l2_);
    }

    LogisticAnswer finish() {
        answer_.coef.assign(now_.w.data(), now_.w.data() + k_ * p_);
        answer_.intercept.assign(now_.b.data(), now_.b.data() + k_);
        if (k_ > 1 && problem_.intercept) {  // any shift of all would do: the one of mean zero
            const double mean =
                std::accumulate(answer_.intercept.begin(), answer_.intercept.end(), 0.0) /
                static_cast<double>(k_);
            for (double& b : answer_.intercept) b -= mean;
        }
        answer_.condition = condition();
        answer_.primal = now_.value;
        answer_.dual = best_dual_;
        answer_.converged = gap() <= asked();
        return std::move(answer_);
    }

    const LogisticProblem& problem_;
    const Design& x_;
    LogisticObjective objective_;
    const LogisticRows& rows_;
    Index k_, p_, n_;
    double l1_, l2_;
    LogisticPoint now_, next_;
    Buffer shift_;
    std::vector<Index> alive_;     // columns that may have a coefficient
    std::vector<double> lengths_;  // of the columns, once screening needs them
    std::unique_ptr<GramModel> model_;
    bool stale_ = false, fresh_ = false, single_ = true, sampled_ = true;
    double violation_ = 0.0, best_dual_ = 0.0, step_ = 0.0;
    double least_violation_ = std::numeric_limits<double>::infinity();
    double least_value_ = std::numeric_limits<double>::infinity();
    int idle_ = 0;
    LogisticAnswer answer_;
};

}  // namespace

LogisticAnswer solve_logistic(const LogisticProblem& problem) {
    return Solver(problem).run();
}

}  // namespace stylobate::descend
