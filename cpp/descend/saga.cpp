#include "descend/saga.hpp"

#include <cmath>
#include <limits>

#include "descend/multinomial.hpp"
#include "descend/penalties.hpp"
#include "descend/shuffle.hpp"

namespace stylobate::descend {
namespace {

constexpr Index work_between = 100000;  // multiplications between questions whether to go on
constexpr Index few = 4;                // steps cheaper one by one than by logarithms
constexpr Index ahead = 3;              // rows asked of the memory before their turn

// w after `count` steps w ← shrink·w − drift, all on one side of zero.
double affine(double w, double count, double shrink, double drift) {
    if (shrink == 1.0) return w - count * drift;
    const double rest = -drift / (1.0 - shrink);
    return rest + std::pow(shrink, count) * (w - rest);
}

// How many of `count` steps w ← shrink·w − drift from w > 0 end above zero (one less is no harm).
Index steps_above_zero(double w, Index count, double shrink, double drift) {
    if (drift <= 0.0) return count;
    double steps = 0.0;
    if (shrink == 1.0) {
        steps = w / drift;
    } else {
        const double rest = drift / (1.0 - shrink);
        steps = std::log(rest / (w + rest)) / std::log(shrink);
    }
    if (!(steps < static_cast<double>(count))) return count - 1;
    return std::max<Index>(static_cast<Index>(steps) - 1, 0);
}

// Gradients of the loss of one row in its predictors z, in place.
void gradients(LossKind loss, double y, double* z, Index outputs) {
    if (loss == LossKind::multinomial)
        Multinomial{}.gradient(static_cast<Index>(y), z, outputs, z);
    else
        z[0] = loss == LossKind::logistic ? Logistic{}.gradient(y, z[0])
                                          : HalfSquared{}.gradient(y, z[0]);
}

template <class Rows>
class Sweep {
 public:
    Sweep(const Rows& rows, const double* y, const double* weights, const double* center,
          const SagaOptions& options, SagaState& state)
        : rows_(rows),
          y_(y),
          weights_(weights),
          center_(center),
          options_(options),
          state_(state),
          share_(1.0 / static_cast<double>(rows.rows())),
          shrink_(1.0 - options.step * options.l2),
          threshold_(options.step * options.l1),
          z_(state.outputs),
          last_(Rows::sparse ? rows.cols() : 0) {}

    void epoch(EpochWords words, Checkpoint& checkpoint) {
        const Index n = rows_.rows();
        Index work = 0, queue[ahead];
        for (Index& i : queue) i = static_cast<Index>(below(n, words.next()));
        for (Index s = 0; s < n; ++s) {
            const Index i = queue[s % ahead];
            queue[s % ahead] = static_cast<Index>(below(n, words.next()));
            rows_.template fetch<soon>(queue[s % ahead]);
            step(i, s);
            work += state_.outputs * (rows_.entries(i) + 16);
            if (work > work_between) {
                checkpoint();
                work = 0;
            }
        }
        if constexpr (Rows::sparse)
            for (Index j = 0; j < rows_.cols(); ++j) {
                catch_up(j, n);
                last_[j] = 0;
            }
    }

 private:
    void step(Index i, Index s) {
        const Index p = rows_.cols();
        if constexpr (Rows::sparse) rows_.each(i, [&](Index j, double) { catch_up(j, s); });
        for (Index k = 0; k < state_.outputs; ++k) {
            const double* w = state_.coef + k * p;
            if constexpr (Rows::sparse)
                z_[k] = rows_.dot(i, w) + state_.intercept[k];
            else
                z_[k] = rows_.centred_dot(i, center_, w) + state_.intercept[k];
        }
        gradients(options_.loss, y_[i], z_.data(), state_.outputs);
        const double weight = weights_ == nullptr ? 1.0 : weights_[i];
        const double along = options_.averaged_gradient_only ? share_ : 1.0;
        for (Index k = 0; k < state_.outputs; ++k) {
            double& old = state_.table[i * state_.outputs + k];
            const double change = weight * z_[k] - old;
            old += change;
            move(i, k, {change, along, options_.step, shrink_, threshold_, share_});
            if (!options_.intercept) continue;
            state_.intercept[k] -= options_.step * (along * change + state_.mean_intercept[k]);
            state_.mean_intercept[k] += share_ * change;
        }
        if constexpr (Rows::sparse) rows_.each(i, [&](Index j, double) { last_[j] = s + 1; });
    }

    void move(Index i, Index k, const SagaStep& how) {
        double* w = state_.coef + k * rows_.cols();
        double* g = state_.mean + k * rows_.cols();
        if constexpr (Rows::sparse)
            rows_.each(i, [&](Index j, double x) {
                const double d = how.change * x;
                w[j] = soft_threshold(how.shrink * w[j] - how.step * (how.along * d + g[j]),
                                      how.threshold);
                g[j] += how.share * d;
            });
        else
            rows_.saga(how, i, center_, w, g);
    }

    // Make the steps since column j was last met, whose gradient was the mean one.
    void catch_up(Index j, Index s) {
        const Index missed = s - last_[j];
        if (missed == 0) return;
        for (Index k = 0; k < state_.outputs; ++k) {
            double& w = state_.coef[k * rows_.cols() + j];
            const double drift = options_.step * state_.mean[k * rows_.cols() + j];
            w = repeated_step(w, missed, shrink_, drift, threshold_);
        }
        last_[j] = s;
    }

    const Rows& rows_;
    const double *y_, *weights_, *center_;
    const SagaOptions& options_;
    SagaState& state_;
    double share_, shrink_, threshold_;
    std::vector<double> z_;
    std::vector<Index> last_;  // the step before which a column was last up to date
};

}  // namespace

double repeated_step(double w, Index count, double shrink, double drift, double threshold) {
    while (count > 0) {
        if (w == 0.0 && std::abs(drift) <= threshold) return 0.0;
        Index far = 0;
        if (threshold == 0.0 && count > few) {
            far = count;
            w = affine(w, static_cast<double>(far), shrink, drift);
        } else if (count > few && w != 0.0) {
            const double sign = w > 0.0 ? 1.0 : -1.0, pull = sign * drift + threshold;
            far = steps_above_zero(sign * w, count, shrink, pull);
            if (far > 0) w = sign * affine(sign * w, static_cast<double>(far), shrink, pull);
        }
        count -= far;
        const Index single = std::min(count, few);
        for (Index k = 0; k < single; ++k) w = soft_threshold(shrink * w - drift, threshold);
        count -= single;
    }
    return w;
}

template <class Rows>
void saga(const Rows& rows, const double* y, const double* weights, const double* center,
          const SagaOptions& options, SagaState& state, Checkpoint& checkpoint) {
    const Philox random(options.seed, 0);
    Sweep<Rows> sweep(rows, y, weights, center, options, state);
    for (Index e = 0; e < options.epochs; ++e)
        sweep.epoch(EpochWords(random, options.first_epoch + e), checkpoint);
}

template <class Rows>
double steepest_row(const Rows& rows, const double* weights, const double* center, bool intercept) {
    double most = 0.0;
    for (Index i = 0; i < rows.rows(); ++i) {
        double square = intercept ? 1.0 : 0.0;
        if constexpr (Rows::sparse) {
            square += squared_length(rows, i);
        } else {
            const auto* x = rows.row(i);
            for (Index j = 0; j < rows.cols(); ++j)
                square += (static_cast<double>(x[j]) - center[j]) *
                          (static_cast<double>(x[j]) - center[j]);
        }
        most = std::max(most, (weights == nullptr ? 1.0 : weights[i]) * square);
    }
    return most;
}

#define STYLOBATE_INSTANTIATE(Rows)                                              \
    template void saga(const Rows&, const double*, const double*, const double*, \
                       const SagaOptions&, SagaState&, Checkpoint&);             \
    template double steepest_row(const Rows&, const double*, const double*, bool);
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
