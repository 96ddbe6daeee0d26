#include "descend/logistic_l1.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "descend/logistic_models.hpp"

namespace stylobate::descend {
namespace {

constexpr Index least_set = 100;         // a working set may always have so many coefficients,
constexpr Index rows_per_new = 10;       // one for so many rows, and twice those in use
constexpr Index largest_gram = 3000;     // beyond, a Hessian is not formed unless rows are more
constexpr double nearest = 0.95;         // columns whose gradient may yet reach l1 come along:
constexpr double farthest = 0.6;         // those this near to it, by how far away we are
constexpr double slow = 0.2;             // a step that leaves more of the violation: new Hessian
constexpr double inner_accuracy = 1e-3;  // violation left by the inner problem, of the outer's
constexpr double sufficient = 1e-3;      // of the predicted decrease must be had
constexpr double far = 3.0;              // while the violation is so many times l1 …
constexpr Index sample_ratio = 4;        // … a Hessian comes from every so manyth row,
constexpr Index rows_per_unknown = 4;    // if that leaves so many per coefficient
constexpr Index least_single = 64;       // coefficients from which single precision is faster
constexpr int most_halvings = 40;
constexpr int patience = 3;  // steps that change nothing before we give up
constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Point {
    Point(Index margins, Index cols, Index rows)
        : w(margins * cols), z(margins * rows), b(margins), p(margins * rows), r(margins * rows) {}
    Buffer w, z, b, p, r;  // coefficients; margins without, intercepts; probabilities; residuals
    double value = 0.0;
};

class Solver {
 public:
    explicit Solver(const LogisticProblem& problem)
        : problem_(problem),
          x_(problem.x),
          rows_(problem.codes, problem.weights, x_.rows(), problem.margins()),
          k_(problem.margins()),
          p_(x_.cols()),
          n_(x_.rows()),
          l1_(problem.penalty.l1),
          l2_(problem.penalty.l2),
          now_(k_, p_, n_),
          next_(k_, p_, n_),
          g_(area(k_, p_)),
          shift_(p_),
          alive_(p_) {
        std::iota(alive_.begin(), alive_.end(), Index{0});
        answer_.at_zero = rows_.total() * std::log(static_cast<double>(problem.n_classes));
        best_dual_ = -std::numeric_limits<double>::infinity();
        if (problem.intercept && !x_.sparse()) find_shift();
    }

    LogisticAnswer run() {
        const auto begin = std::chrono::steady_clock::now();
        if (problem_.start_coef != nullptr)
            std::copy_n(problem_.start_coef, k_ * p_, now_.w.data());
        if (problem_.start_intercept != nullptr)
            std::copy_n(problem_.start_intercept, k_, now_.b.data());
        evaluate(now_);
        look_around();
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
            const double before = violation_;
            moved = advance();
            look_around();
            stale_ = violation_ > slow * before;
            moved = moved && !stalled();
        }
        return finish();
    }

 private:
    // --- where we are ---------------------------------------------------------------------------

    double scale() const { return std::max(now_.value, epsilon * answer_.at_zero); }
    double gap() const { return now_.value - best_dual_; }
    double asked() const { return problem_.tol * scale(); }

    double penalty(const Buffer& w) const {
        double sum = 0.0;
        for (Index v = 0; v < k_ * p_; ++v) sum += l1_ * std::fabs(w[v]) + 0.5 * l2_ * w[v] * w[v];
        return sum;
    }

    // Whether rounding is all that the last steps changed.
    bool stalled() {
        const bool better = violation_ < 0.9 * least_violation_ ||
                            now_.value < least_value_ - 8.0 * epsilon * now_.value;
        least_violation_ = std::min(least_violation_, violation_);
        least_value_ = std::min(least_value_, now_.value);
        idle_ = better ? 0 : idle_ + 1;
        return idle_ >= patience;
    }

    std::vector<Index> support(const Buffer& w) const {
        std::vector<Index> columns;
        for (Index j = 0; j < p_; ++j)
            for (Index c = 0; c < k_; ++c)
                if (w[c * p_ + j] != 0.0) {
                    columns.push_back(j);
                    break;
                }
        return columns;
    }

    void evaluate(Point& at) {
        x_.margins(at.w.data(), k_, support(at.w), at.z.data());
        evaluate_margins(at);
    }

    void evaluate_margins(Point& at) {
        const double loss =
            problem_.intercept
                ? rows_.optimise_intercept(at.z.data(), at.b.data(), at.p.data(), at.r.data())
                : rows_.evaluate(at.z.data(), at.b.data(), at.p.data(), at.r.data());
        at.value = loss + penalty(at.w);
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
        x_.gradient(now_.r.data(), k_, alive_, g_.data());
        double largest = 0.0, excess = 0.0;
        violation_ = 0.0;
        for (Index c = 0; c < k_; ++c)
            for (const Index j : alive_) {
                const double g = g_[c * p_ + j];
                largest = std::max(largest, std::fabs(g));
                violation_ = std::max(violation_, violation(now_.w[c * p_ + j], g));
                const double over = std::max(std::fabs(g) - l1_, 0.0);
                if (l2_ > 0.0) excess += over * over / (2.0 * l2_);
            }
        answer_.kkt = violation_ / std::max({l1_, largest, std::numeric_limits<double>::min()});
        const double feasible = largest > l1_ ? l1_ / largest : 1.0;
        double dual = rows_.conjugate(now_.p.data(), feasible), factor = feasible;
        if (l2_ > 0.0 && feasible < 1.0) {
            const double whole = rows_.conjugate(now_.p.data(), 1.0) - excess;
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
                    factor * std::fabs(g_[c * p_ + j]) + lengths_[j] * radius >=
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
        look_around();
        alive_.resize(p_);
        std::iota(alive_.begin(), alive_.end(), Index{0});
    }

    // --- one step -------------------------------------------------------------------------------

    bool advance() {
        if (model_ == nullptr || stale_ || !covered()) {
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

    // A sample of the rows does for the first steps, which are far from the answer anyway, and
    // single precision as long as steps based on it succeed.
    GramEffort effort_for(Index size) {
        GramEffort effort;
        effort.single = single_ && size >= least_single;
        if (!x_.sparse() && violation_ > far * l1_ &&
            n_ >= sample_ratio * rows_per_unknown * size) {
            effort.step = sample_ratio;
            effort.first = answer_.iterations % sample_ratio;
        }
        return effort;
    }

    bool covered() const {
        Index inside = 0, needed = 0;
        const Variables& known = model_->variables();
        for (Index v = 0; v < known.size(); ++v)
            inside += needs(known.margin[v] * p_ + known.feature[v]);
        for (Index c = 0; c < k_; ++c)
            for (const Index j : alive_) needed += needs(c * p_ + j);
        return inside == needed;
    }

    bool needs(Index v) const { return now_.w[v] != 0.0 || std::fabs(g_[v]) > l1_; }

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
                else if (std::fabs(g_[v]) > near)
                    others.emplace_back(-std::fabs(g_[v]), v);
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
            if (c > 0) x_.gradient(now_.r.data() + c * n_, 1, alive_, g_.data() + c * p_);
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
            g[v] = g_[at];
        }
        model.start(std::move(g));
        CoordinateDescent<Model> inner(model, w, problem_.penalty);
        const double predicted = inner.run(inner_accuracy * violation_);
        if (!(predicted > 0.0)) return false;
        std::copy_n(now_.w.data(), k_ * p_, next_.w.data());
        std::copy_n(now_.b.data(), k_, next_.b.data());
        for (Index v = 0; v < m; ++v)
            next_.w[variables.margin[v] * p_ + variables.feature[v]] = inner.solution()[v];
        evaluate(next_);
        return accept(predicted);
    }

    // Shortens the step until enough of the predicted decrease is had.
    bool accept(double predicted) {
        const double rounding = 8.0 * epsilon * now_.value;
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
            evaluate_margins(next_);
        }
        return false;
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
        if (support(now_.w).empty()) return 1.0;
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
    LogisticRows rows_;
    Index k_, p_, n_;
    double l1_, l2_;
    Point now_, next_;
    Buffer g_, shift_;
    std::vector<Index> alive_;     // columns that may have a coefficient
    std::vector<double> lengths_;  // of the columns, once screening needs them
    std::unique_ptr<GramModel> model_;
    bool stale_ = false, fresh_ = false, single_ = true;
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
