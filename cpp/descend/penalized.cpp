#include "descend/penalized.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "descend/coordinates.hpp"
#include "descend/logistic_models.hpp"
#include "descend/loss_blocks.hpp"
#include "descend/penalties.hpp"

namespace stylobate::descend {
namespace {

constexpr double inner_accuracy = 0.01;  // violation left by the inner problem, of the outer's
constexpr Index least_set = 64;          // coefficients a working set may always have
constexpr Index largest_gram = 1024;     // coefficients whose Hessian is formed
constexpr double damping = 4.0;          // growth of curvatures after a step that went up
constexpr int most_dampings = 30;
constexpr int patience = 3;         // steps that change nothing before we give up
constexpr double rounding = 1e-14;  // of the objective: a rise that is none

// The loss of the rows at margins z + b: value, slopes u = sℓ′ and curvatures d = sℓ″.
class LossRows {
 public:
    LossRows(const PenalizedProblem& problem) : problem_(problem), s_(problem.x.rows()) {
        double total = 0.0;
        for (Index i = 0; i < s_.size(); ++i)
            total += s_[i] = problem.weights == nullptr ? 1.0 : problem.weights[i];
        for (Index i = 0; i < s_.size(); ++i) s_[i] /= total;
    }

    // Any of u and d may be null.
    double evaluate(const double* z, double b, double* u, double* d) const {
        double sum = 0.0, at[most_block_rows];
        LossBlock block;
        for (Index first = 0; first < s_.size(); first += most_block_rows) {
            const Index n = std::min(most_block_rows, s_.size() - first);
            for (Index k = 0; k < n; ++k) at[k] = z[first + k] + b;
            differentiate(problem_.loss, problem_.y + first, at, n, block);
            for (Index k = 0; k < n; ++k) {
                const double s = s_[first + k];
                if (s > 0.0) sum += s * block.value[k];
                if (u != nullptr) u[first + k] = s > 0.0 ? s * block.gradient[k] : 0.0;
                if (d != nullptr) d[first + k] = s > 0.0 ? s * block.curvature[k] : 0.0;
            }
        }
        return sum;
    }

    // Larger curvatures d, to be tried `attempt` steps after the loss's own. Huber's vanish far
    // out: first its tangent parabola, which bounds it from above.
    void bend(const double* z, double b, const double* u, int attempt, double* d) const {
        const bool huber = problem_.loss.kind == LossKind::huber;
        for (Index i = 0; huber && attempt > 0 && i < s_.size(); ++i)
            if (d[i] == 0.0 && u[i] != 0.0) d[i] = u[i] / (z[i] + b - problem_.y[i]);
        const double factor = std::pow(damping, huber ? std::max(attempt - 1, 0) : attempt);
        for (Index i = 0; i < s_.size(); ++i) d[i] = factor * std::max(d[i], 0.0);
    }

    // The intercept that minimises the loss at z, near b.
    double best_intercept(const double* z, double b) const {
        Buffer u(s_.size()), d(s_.size());
        const auto slope = [&](double at) {
            evaluate(z, at, u.data(), d.data());
            return ValueAndSlope{std::accumulate(u.data(), u.data() + u.size(), 0.0),
                                 std::accumulate(d.data(), d.data() + d.size(), 0.0)};
        };
        double low = b, high = b;
        const auto [value, bend] = slope(b);
        if (value == 0.0) return b;
        double reach = bend > 0.0 ? std::clamp(2.0 * std::abs(value) / bend, 1e-300, 4.0) : 1.0;
        if (value > 0.0)
            while (slope(low = b - reach).value > 0.0 && reach < 1e300) reach *= 2.0;
        else
            while (slope(high = b + reach).value < 0.0 && reach < 1e300) reach *= 2.0;
        return increasing_root(slope, low, high);
    }

 private:
    const PenalizedProblem& problem_;
    Buffer s_;
};

template <class Penalty>
class Solver {
 public:
    Solver(const PenalizedProblem& problem, const Penalty& penalty)
        : problem_(problem),
          x_(problem.x),
          penalty_(penalty),
          rows_(problem),
          n_(x_.rows()),
          p_(x_.cols()),
          shift_(p_),
          z_(n_),
          u_(n_),
          d_(n_),
          g_(p_),
          w_(p_, 0.0),
          all_(p_) {
        std::iota(all_.begin(), all_.end(), Index{0});
        if (problem.intercept && !x_.sparse()) {
            Buffer ones(n_), squares(p_);
            std::fill(ones.data(), ones.data() + n_, 1.0 / static_cast<double>(n_));
            x_.moments(ones.data(), false, shift_.data(), squares.data());
        }
    }

    PenalizedAnswer run() {
        objective_ = place(w_, z_, b_);
        differentiate_all();
        for (Index j = 0; j < p_; ++j) answer_.steepest = std::max(answer_.steepest, size(g_[j]));
        if (problem_.start != nullptr) {
            w_.assign(problem_.start, problem_.start + p_);
            objective_ = place(w_, z_, b_);
            differentiate_all();
        }
        const double enough = problem_.tol * answer_.steepest;
        while (true) {
            measure();
            answer_.objectives.push_back(objective_);
            answer_.violations.push_back(answer_.violation);
            answer_.converged = answer_.violation <= enough;
            if (answer_.converged || answer_.iterations == problem_.max_iter || stalled()) break;
            if (!advance()) break;
            ++answer_.iterations;
            differentiate_all();
        }
        answer_.coef = w_, answer_.intercept = b_, answer_.objective = objective_;
        return std::move(answer_);
    }

 private:
    double size(double g) const { return problem_.positive ? std::max(-g, 0.0) : std::abs(g); }

    // Margins, best intercept and objective at w.
    double place(const std::vector<double>& w, Buffer& z, double& b) const {
        std::vector<Index> support;
        for (Index j = 0; j < p_; ++j)
            if (w[j] != 0.0) support.push_back(j);
        x_.margins(w.data(), 1, support, z.data());
        if (problem_.intercept) b = rows_.best_intercept(z.data(), b);
        double sum = rows_.evaluate(z.data(), b, nullptr, nullptr);
        for (const Index j : support) sum += penalty_.value(w[j]);
        return sum;
    }

    void differentiate_all() {
        rows_.evaluate(z_.data(), b_, u_.data(), d_.data());
        x_.gradient(u_.data(), 1, all_, g_.data());
        if (!problem_.intercept) return;
        // the slopes sum to zero but for rounding, which large means would blow up
        const double rest = std::accumulate(u_.data(), u_.data() + n_, 0.0);
        for (Index j = 0; j < p_; ++j) g_[j] -= shift_[j] * rest;
    }

    void measure() {
        answer_.violation = 0.0;
        for (Index j = 0; j < p_; ++j)
            answer_.violation = std::max(answer_.violation, violation(penalty_, w_[j], g_[j]));
    }

    // Whether rounding is all that the last steps changed.
    bool stalled() {
        const bool better = answer_.violation < 0.9 * least_violation_ ||
                            objective_ < least_objective_ - rounding * std::abs(objective_);
        least_violation_ = std::min(least_violation_, answer_.violation);
        least_objective_ = std::min(least_objective_, objective_);
        idle_ = better ? 0 : idle_ + 1;
        return idle_ >= patience;
    }

    // The support, and as many others again by how much their condition is violated.
    std::vector<Index> choose() const {
        std::vector<Index> chosen;
        std::vector<std::pair<double, Index>> others;
        for (Index j = 0; j < p_; ++j) {
            const double off = violation(penalty_, w_[j], g_[j]);
            if (w_[j] != 0.0)
                chosen.push_back(j);
            else if (off > 0.0)
                others.emplace_back(-off, j);
        }
        const auto room = std::max(least_set, static_cast<Index>(chosen.size()));
        if (static_cast<Index>(others.size()) > room) {
            std::nth_element(others.begin(), others.begin() + room, others.end());
            others.resize(room);
        }
        for (const auto& other : others) chosen.push_back(other.second);
        std::sort(chosen.begin(), chosen.end());
        return chosen;
    }

    // Coefficients that minimise a quadratic model and the penalty. What they promise is rounding
    // at the end, and not asked for: the objective itself decides.
    template <class Model>
    std::vector<double> minimiser(Model model, const std::vector<double>& w,
                                  const std::vector<double>& g) const {
        model.start(g);
        CoordinateDescent inner(model, w, penalty_);
        inner.run(inner_accuracy * answer_.violation);
        return inner.solution();
    }

    // One step; false if none lowers the objective.
    bool advance() {
        const std::vector<Index> chosen = choose();
        std::vector<double> w(chosen.size()), g(chosen.size());
        for (std::size_t k = 0; k < chosen.size(); ++k) w[k] = w_[chosen[k]], g[k] = g_[chosen[k]];
        std::vector<double> next = w_;
        Buffer z(n_);
        for (int attempt = 0; attempt < most_dampings; ++attempt) {
            Buffer d(n_);
            std::copy_n(d_.data(), n_, d.data());
            rows_.bend(z_.data(), b_, u_.data(), attempt, d.data());
            const std::vector<double> found =
                x_.sparse() || static_cast<Index>(chosen.size()) > largest_gram
                    ? minimiser(
                          ColumnModel(x_, std::move(d), chosen, shift_.data(), problem_.intercept),
                          w, g)
                    : minimiser(GramModel(x_, d, chosen, shift_.data(), problem_.intercept), w, g);
            if (found == w) return false;
            for (std::size_t k = 0; k < chosen.size(); ++k) next[chosen[k]] = found[k];
            double b = b_;
            const double value = place(next, z, b);
            if (!(value <= objective_ + rounding * std::abs(objective_))) continue;
            w_ = std::move(next), z_ = std::move(z), b_ = b, objective_ = value;
            return true;
        }
        return false;
    }

    const PenalizedProblem& problem_;
    const Design& x_;
    Penalty penalty_;
    LossRows rows_;
    Index n_, p_;
    Buffer shift_;          // near the columns' means
    Buffer z_, u_, d_, g_;  // of the rows: Xw, slopes, curvatures; of the columns: Xᵀu
    std::vector<double> w_;
    std::vector<Index> all_;
    double b_ = 0.0, objective_ = 0.0;
    double least_violation_ = infinity, least_objective_ = infinity;
    int idle_ = 0;
    PenalizedAnswer answer_;
};

template <class Penalty>
PenalizedAnswer solve(const PenalizedProblem& problem, const Penalty& penalty) {
    if (problem.positive) return Solver(problem, Nonnegative<Penalty>{penalty}).run();
    return Solver(problem, penalty).run();
}

}  // namespace

PenalizedAnswer solve_penalized(const PenalizedProblem& problem) {
    return with_penalty(problem.penalty, problem.first, problem.second, [&](const auto& penalty) {
        using Given = std::decay_t<decltype(penalty)>;
        if constexpr (std::is_same_v<Given, L1>)
            return solve(problem, ElasticNet{penalty.strength, 0.0});
        else if constexpr (std::is_same_v<Given, L2>)
            return solve(problem, ElasticNet{0.0, penalty.strength});
        else if constexpr (std::is_same_v<Given, Box>)
            throw InvalidArgument("a box is no penalty of this solver");
        else
            return solve(problem, penalty);
        return PenalizedAnswer{};
    });
}

}  // namespace stylobate::descend
