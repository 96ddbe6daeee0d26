#include "descend/sgd.hpp"

#include <cmath>
#include <cstddef>
#include <new>
#include <numeric>
#include <type_traits>

#include "descend/scaled_weights.hpp"

namespace stylobate::descend {
namespace {

constexpr double steepest = 1e12;       // gradients are cut off here: one wild row is not the end
constexpr double least_eta = 1e-6;      // of the adaptive schedule
constexpr Index work_between = 100000;  // multiplications between questions whether to go on
constexpr Index ahead = 3;              // rows asked of the memory before their turn

// At the kink the step is made: the perceptron learns from a row on the boundary, which all rows
// are on at first.
struct KinkedHinge : Hinge {
    double gradient(double y, double z) const { return y * z <= margin ? -y : 0.0; }
};

// sign(0) = +1: at the kink only a row of class −1 makes a step.
struct SignedHinge : Hinge {
    double gradient(double y, double z) const {
        return (y > 0.0 ? y * z < margin : y * z <= margin) ? -y : 0.0;
    }
};

// A loss without its type: one step loop for all of them.
struct ErasedLoss {
    alignas(double) std::byte held[2 * sizeof(double)];
    double (*value)(const void* loss, double y, double z);
    double (*gradient)(const void* loss, double y, double z);

    template <class Loss>
    explicit ErasedLoss(const Loss& loss)
        : value([](const void* it, double y, double z) {
              return static_cast<const Loss*>(it)->value(y, z);
          }),
          gradient([](const void* it, double y, double z) {
              return static_cast<const Loss*>(it)->gradient(y, z);
          }) {
        static_assert(sizeof(Loss) <= sizeof(held) && std::is_trivially_copyable_v<Loss>);
        new (held) Loss(loss);
    }

    double value_at(double y, double z) const { return value(held, y, z); }
    double gradient_at(double y, double z) const { return gradient(held, y, z); }
};

ErasedLoss erased(const LossChoice& choice, bool zero_is_positive) {
    return with_loss(choice, [zero_is_positive](const auto& loss) {
        if constexpr (std::is_same_v<std::decay_t<decltype(loss)>, Hinge>)
            return zero_is_positive ? ErasedLoss(SignedHinge{loss}) : ErasedLoss(KinkedHinge{loss});
        else
            return ErasedLoss(loss);
    });
}

// Bottou's heuristic: the first step moves a weight about as far as weights are expected to lie
// from zero.
double optimal_start(const ErasedLoss& loss, double alpha) {
    const double typical = std::sqrt(1.0 / std::sqrt(alpha));
    const double first = typical / std::max(1.0, std::abs(loss.gradient_at(1.0, -typical)));
    return 1.0 / (first * alpha);
}

template <class Rows>
class Descent {
 public:
    Descent(const Rows& rows, const SgdTarget& target, const SgdOptions& options, SgdState& state)
        : rows_(rows),
          target_(target),
          options_(options),
          state_(state),
          loss_(erased(options.loss, options.zero_is_positive)),
          weights_(state.coef, options.average_from > 0.0, state.mean_coef, averaged()),
          paid_(options.l1 > 0.0 ? state.coef.size() : 0),
          eta_(options.eta0),
          intercept_(state.intercept),
          intercept_sum_(state.mean_intercept * averaged()) {
        if (options.schedule == Schedule::optimal)
            start_ = optimal_start(loss_, options.alpha) - 1.0;
        slopes_.resize(options.batch);
    }

    // One pass; false if the numbers overflowed.
    bool epoch(const RowOrder& way, SgdRun& run, Checkpoint& checkpoint) {
        const std::vector<RowNumber>& order = way.rows();
        const auto n = static_cast<Index>(order.size());
        loss_sum_ = weight_sum_ = mistakes_ = 0.0;
        count_ = static_cast<double>(n);
        Index work = 0;
        for (Index at = 0; at < n; at += options_.batch) {
            const Index count = std::min(options_.batch, n - at);
            for (Index k = at; k < at + count; ++k) {
                if (k + ahead < n) fetch<soon>(order[k + ahead]);
                if (const Index next = way.fetched_at(k); next >= 0) fetch<later>(next);
            }
            step(order.data() + at, count, run);
            work += count * (rows_.entries(order[at]) + 16);
            if (work > work_between) {
                checkpoint();
                work = 0;
            }
        }
        for (Index j = 0; j < static_cast<Index>(paid_.size()); ++j) clip(j);
        run.mistakes.push_back(mistakes_);
        run.eta = eta_;
        return weights_.finite() && std::isfinite(intercept_) && std::isfinite(loss_sum_);
    }

    // The mean loss met on the way, plus the penalty as it is now.
    double objective() const {
        double penalty = 0.0;
        if (options_.l1 > 0.0 || options_.l2 > 0.0)
            for (Index j = 0; j < weights_.size(); ++j)
                penalty += options_.l1 * std::abs(weights_[j]) +
                           0.5 * options_.l2 * weights_[j] * weights_[j];
        return loss_sum_ / count_ + penalty;
    }

    double mean_weight() const { return weight_sum_ > 0.0 ? weight_sum_ / count_ : 1.0; }

    // Accuracy or R² of the present weights on rows not learnt from.
    double score(const std::vector<RowNumber>& held) const {
        double right = 0.0, total = 0.0, squares = 0.0, sum = 0.0, sum_squares = 0.0;
        for (const RowNumber i : held) {
            const double w = target_.weights == nullptr ? 1.0 : target_.weights[i];
            const double y = target_.value(i), z = weights_.dot(rows_, i) + intercept_;
            right += w * ((z > 0.0) == (y > 0.0) ? 1.0 : 0.0);
            squares += w * (y - z) * (y - z);
            total += w, sum += w * y, sum_squares += w * y * y;
        }
        if (!options_.squared_score) return right / total;
        const double spread = sum_squares - sum * sum / total;
        return spread > 0.0 ? 1.0 - squares / spread : 0.0;
    }

    bool slow_down() {
        if (options_.schedule != Schedule::adaptive || eta_ <= least_eta) return false;
        eta_ /= 5.0;
        return true;
    }

    void finish() {
        weights_.weights(state_.coef);
        state_.intercept = intercept_;
        if (const double count = averaged(); count > 0.0) {
            weights_.mean(count, state_.mean_coef);
            state_.mean_intercept = intercept_sum_ / count;
        }
    }

 private:
    template <int when>
    [[gnu::always_inline]] void fetch(Index i) const {
        rows_.template fetch<when>(i);
        __builtin_prefetch(target_.y + i, 0, when);
        if (target_.weights != nullptr) __builtin_prefetch(target_.weights + i, 0, when);
    }

    // Steps averaged so far.
    double averaged() const {
        if (options_.average_from <= 0.0) return 0.0;
        return std::max(0.0, state_.t - std::max(1.0, options_.average_from));
    }

    void step(const RowNumber* some, Index count, SgdRun& run) {
        if (options_.schedule == Schedule::optimal)
            eta_ = 1.0 / (options_.alpha * (start_ + state_.t));
        else if (options_.schedule == Schedule::invscaling)
            eta_ = options_.eta0 / std::pow(state_.t, options_.power_t);
        double intercept_change = 0.0;
        for (Index k = 0; k < count; ++k) {
            slopes_[k] = slope(some[k], run, count == 1) / static_cast<double>(count);
            intercept_change += slopes_[k];
        }
        if (options_.l2 > 0.0) weights_.shrink(1.0 - eta_ * options_.l2);
        for (Index k = 0; k < count; ++k)
            if (slopes_[k] != 0.0) weights_.add(rows_, some[k], slopes_[k]);
        if (options_.intercept) intercept_ += intercept_change;
        if (options_.l1 > 0.0) {
            owed_ += eta_ * options_.l1;
            for (Index k = 0; k < count; ++k)
                rows_.each(some[k], [&](Index j, double) { clip(j); });
        }
        if (options_.average_from > 0.0 && options_.average_from <= state_.t) {
            weights_.count_step();
            intercept_sum_ += intercept_;
        }
        if (recorded_ != nullptr) keep_weights(run);
        state_.t += 1.0;
    }

    // How far the weights go along a row: −η·ω·ℓ′.
    double slope(Index i, SgdRun& run, bool records) {
        const double y = target_.value(i), w = target_.weight(i);
        const double z = weights_.dot(rows_, i) + intercept_;
        const double loss = loss_.value_at(y, z);
        loss_sum_ += w * loss;
        weight_sum_ += w;
        const double gradient = std::clamp(loss_.gradient_at(y, z), -steepest, steepest);
        if (gradient == 0.0 || w == 0.0) return 0.0;
        mistakes_ += 1.0;
        if (records) record(i, y * z, run);
        return -length(i, loss, gradient) * w;
    }

    // η·ℓ′, or the passive-aggressive step: just far enough to correct the row.
    double length(Index i, double loss, double gradient) const {
        if (options_.schedule != Schedule::pa1 && options_.schedule != Schedule::pa2)
            return eta_ * gradient;
        const double square = squared_length(rows_, i);
        if (square == 0.0) return 0.0;
        const double far = options_.schedule == Schedule::pa1
                               ? std::min(options_.eta0, loss / square)
                               : loss / (square + 0.5 / options_.eta0);
        return std::copysign(far, gradient);
    }

    // Tsuruoka, Tsujii & Ananiadou (2009): a weight pays what it owes of the ℓ1 penalty when it is
    // met, and stops at zero.
    void clip(Index j) {
        const double before = weights_[j];
        if (before == 0.0) return;
        const double after = before > 0.0 ? std::max(0.0, before - (owed_ + paid_[j]))
                                          : std::min(0.0, before + (owed_ - paid_[j]));
        paid_[j] += after - before;
        weights_.set(j, after);
    }

    void record(Index i, double margin, SgdRun& run) {
        SgdHistory& h = run.history;
        if (static_cast<Index>(h.step.size()) >= options_.most_updates) return;
        h.step.push_back(state_.t);
        h.row.push_back(static_cast<double>(i));
        h.margin.push_back(margin);
        recorded_ = &h;
    }

    void keep_weights(SgdRun& run) {
        std::vector<double>& kept = run.history.weights;
        recorded_ = nullptr;
        const Index p = weights_.size();
        const auto updates = static_cast<Index>(run.history.step.size());
        if (updates * (p + 1) > options_.most_weights) {  // all of them, or none
            kept.clear();
            return;
        }
        for (Index j = 0; j < p; ++j) kept.push_back(weights_[j]);
        kept.push_back(intercept_);
    }

    const Rows& rows_;
    const SgdTarget& target_;
    const SgdOptions& options_;
    SgdState& state_;
    ErasedLoss loss_;
    ScaledWeights weights_;
    std::vector<double> paid_, slopes_;  // of the ℓ1 penalty, per column; of a batch's rows
    double owed_ = 0.0, eta_, intercept_, intercept_sum_, start_ = 0.0;
    double loss_sum_ = 0.0, weight_sum_ = 0.0, count_ = 0.0, mistakes_ = 0.0;
    SgdHistory* recorded_ = nullptr;  // where this step's weights are wanted
};

// Whether a quantity to be lowered has stopped falling.
class Patience {
 public:
    Patience(double tol, Index patience) : tol_(tol), patience_(patience) {}
    bool exhausted(double value) {
        waited_ = value > best_ - tol_ ? waited_ + 1 : 0;
        best_ = std::min(best_, value);
        return waited_ >= patience_;
    }
    void renew() { waited_ = 0; }

 private:
    double tol_, best_ = infinity;
    Index patience_, waited_ = 0;
};

}  // namespace

template <class Rows>
SgdRun sgd(const Rows& rows, const SgdTarget& target, const std::vector<RowNumber>& train,
           const std::vector<RowNumber>& held, const SgdOptions& options, std::uint64_t stream,
           SgdState& state, Checkpoint& checkpoint) {
    Descent<Rows> descent(rows, target, options, state);
    const Philox random(options.seed, stream);
    Patience patience(options.tol, options.patience);
    RowOrder order(train, rows.row_bytes());
    order.plain();
    SgdRun run;
    while (run.epochs < options.max_epochs && !run.converged) {
        if (options.shuffle) order.shuffled(random, options.first_epoch + run.epochs);
        const bool finite = descent.epoch(order, run, checkpoint);
        ++run.epochs;
        if (!finite) {
            run.failed_epoch = run.epochs;
            break;
        }
        run.objective.push_back(descent.objective());
        if (!held.empty()) run.score.push_back(descent.score(held));
        if (!options.stops) continue;
        // in units of the mean weight, so that the scale of the weights does not matter
        const double watched =
            held.empty() ? run.objective.back() / descent.mean_weight() : -run.score.back();
        if (!patience.exhausted(watched)) continue;
        patience.renew();
        run.converged = !descent.slow_down();
    }
    descent.finish();
    return run;
}

#define STYLOBATE_INSTANTIATE(Rows)                                                      \
    template SgdRun sgd(const Rows&, const SgdTarget&, const std::vector<RowNumber>&,    \
                        const std::vector<RowNumber>&, const SgdOptions&, std::uint64_t, \
                        SgdState&, Checkpoint&);
using Sparse64 = SparseRows<double, std::int32_t>;
using Sparse64Long = SparseRows<double, std::int64_t>;
using Sparse32 = SparseRows<float, std::int32_t>;
using Sparse32Long = SparseRows<float, std::int64_t>;
STYLOBATE_INSTANTIATE(DenseRows<double>)
STYLOBATE_INSTANTIATE(DenseRows<float>)
STYLOBATE_INSTANTIATE(Sparse64)
STYLOBATE_INSTANTIATE(Sparse64Long)
STYLOBATE_INSTANTIATE(Sparse32)
STYLOBATE_INSTANTIATE(Sparse32Long)

}  // namespace stylobate::descend
