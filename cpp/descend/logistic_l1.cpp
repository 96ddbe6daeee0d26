#include "descend/logistic_l1.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "descend/logistic_points.hpp"
#include "descend/logistic_working.hpp"

namespace stylobate::descend {
namespace {

constexpr double inner_accuracy = 1e-3;  // violation left by the inner problem, of the outer's
constexpr double sufficient = 1e-3;      // of the predicted decrease must be had
constexpr double strongest = 0.1;        // gradients of this share of the largest at the start …
constexpr Index share_of_strong = 4;     // … begin alone if they are one in so many,
constexpr double rough = 1e-3;           // to this relative gap
constexpr Index most_rough = 20;         // or so many steps
constexpr Index rows_packed = 256;       // by one chunk
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
          alive_(p_),
          working_(problem, rows_, shift_.data()) {
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
            if (moved)  // next_ is where we were before
                working_.review(next_, now_, violation_ / before, gap() / gap_before,
                                asked() / gap());
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
                violation_ =
                    std::max(violation_, violation(problem_.penalty, now_.w[c * p_ + j], g));
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
            working_.warm();
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
        start_condition_ = found.condition;
        working_.warm();
        look_around();
    }

    // --- one step -------------------------------------------------------------------------------

    Surroundings here() const { return {now_, alive_, violation_, answer_.iterations}; }

    bool advance() {
        if (!working_.serves(here())) {
            Variables chosen = working_.choose(here());
            if (chosen.size() == 0) return false;
            if (!working_.can_form(chosen.size())) return advance_by_columns(chosen);
            working_.form(std::move(chosen), here());
        }
        GramModel& model = *working_.get();
        return step_by(model, model.variables()) || (working_.distrust() && advance());
    }

    // One margin after the other, each with its own model of the loss.
    bool advance_by_columns(const Variables& chosen) {
        working_.drop();
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
            ColumnModel model(working_.data(), now_.p.data(), c, own.feature);
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
        CoordinateDescent inner(model, w, problem_.penalty);
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

    LogisticAnswer finish() {
        answer_.coef.assign(now_.w.data(), now_.w.data() + k_ * p_);
        answer_.intercept.assign(now_.b.data(), now_.b.data() + k_);
        if (k_ > 1 && problem_.intercept) {  // any shift of all would do: the one of mean zero
            const double mean =
                std::accumulate(answer_.intercept.begin(), answer_.intercept.end(), 0.0) /
                static_cast<double>(k_);
            for (double& b : answer_.intercept) b -= mean;
        }
        answer_.condition = objective_.support(now_).empty() ? 1.0
                            : working_.get() != nullptr      ? working_.condition(now_)
                                                             : start_condition_;
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
    WorkingModel working_;
    double start_condition_ = std::numeric_limits<double>::infinity();
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
