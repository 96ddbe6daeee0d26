#include "tree/boost_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "descend/loss_blocks.hpp"
#include "scan/kernels.hpp"
#include "tree/kernels.hpp"

namespace stylobate::boost {
namespace {

constexpr Index strip = descend::most_block_rows;  // rows whose exponentials are taken together

double weight_of(const Targets& targets, Index i) {
    return targets.weights == nullptr ? 1.0 : targets.weights[i];
}

void put(Pair* pairs, Index i, double w, double gradient, double hessian) {
    if (pairs != nullptr)
        pairs[i] = {static_cast<float>(w * gradient), static_cast<float>(w * hessian)};
}

// body(first row, rows) over strips of a range.
template <class Body>
void over_strips(const Range& range, const Body& body) {
    for (Index at = range.begin; at < range.end; at += strip)
        body(at, std::min(strip, range.end - at));
}

// A loss of one score.
double single(const Targets& targets, const double* scores, const Range& range, Pair* pairs) {
    const bool flat = constant_hessian(targets.loss.kind);
    double sum = 0.0;
    descend::LossBlock at;
    over_strips(range, [&](Index first, Index n) {
        differentiate(targets.loss, targets.y + first, scores + first, n, at);
        for (Index k = 0; k < n; ++k) {
            const double w = weight_of(targets, first + k);
            sum += w * at.value[k];
            put(pairs, first + k, w, at.gradient[k], flat ? 1.0 : at.curvature[k]);
        }
    });
    return sum;
}

double multinomial(const Targets& targets, const double* scores, const Range& range, Pair* pairs) {
    const Index outputs = targets.outputs, rows = targets.rows;
    std::vector<double> e(static_cast<std::size_t>(outputs * strip));
    double sum = 0.0, top[strip], total[strip];
    over_strips(range, [&](Index at, Index n) {
        std::fill_n(total, n, 0.0);
        std::copy_n(scores + at, n, top);
        for (Index c = 1; c < outputs; ++c)
            for (Index k = 0; k < n; ++k) top[k] = std::max(top[k], scores[c * rows + at + k]);
        for (Index c = 0; c < outputs; ++c) {
            double* const own = e.data() + c * strip;
            for (Index k = 0; k < n; ++k) own[k] = scores[c * rows + at + k] - top[k];
            scan::kernels().exp(own, n, own);
            for (Index k = 0; k < n; ++k) total[k] += own[k];
        }
        for (Index k = 0; k < n; ++k) {
            const auto own = static_cast<Index>(targets.y[at + k]);
            sum += weight_of(targets, at + k) *
                   (std::log(total[k]) + top[k] - scores[own * rows + at + k]);
        }
        if (pairs == nullptr) return;
        for (Index c = 0; c < outputs; ++c)
            for (Index k = 0; k < n; ++k) {
                const double p = e[static_cast<std::size_t>(c * strip + k)] / total[k];
                const double hit = targets.y[at + k] == static_cast<double>(c) ? 1.0 : 0.0;
                put(pairs + c * rows, at + k, weight_of(targets, at + k), p - hit, p * (1.0 - p));
            }
    });
    return sum;
}

}  // namespace

bool constant_hessian(LossKind loss) {
    return loss == LossKind::half_squared || steps_by_quantile(loss);
}

bool steps_by_quantile(LossKind loss) {
    return loss == LossKind::absolute || loss == LossKind::huber || loss == LossKind::quantile;
}

double pairs_at(const Targets& targets, const double* scores, const Range& range, Pair* pairs) {
    if (targets.loss.kind == LossKind::multinomial)
        return multinomial(targets, scores, range, pairs);
    return single(targets, scores, range, pairs);
}

double quantile_of(std::vector<double>& values, const std::vector<double>& weights, double level) {
    if (values.empty()) return 0.0;
    if (weights.empty()) {
        const double place = level * static_cast<double>(values.size() - 1);
        const auto at = static_cast<std::ptrdiff_t>(place);
        std::nth_element(values.begin(), values.begin() + at, values.end());
        const double low = values[static_cast<std::size_t>(at)];
        const double part = place - static_cast<double>(at);
        if (part <= 0.0) return low;
        const double high = *std::min_element(values.begin() + at + 1, values.end());
        return low + part * (high - low);
    }
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    const double goal = level * std::accumulate(weights.begin(), weights.end(), 0.0);
    double height = 0.0;
    for (const std::size_t k : order) {
        height += weights[k];
        if (height >= goal && weights[k] > 0.0) return values[k];
    }
    return values[order.back()];
}

double robust_step(const Targets& targets, std::vector<double>& residuals,
                   const std::vector<double>& weights) {
    const double level = targets.loss.kind == LossKind::quantile ? targets.loss.first : 0.5;
    if (targets.loss.kind != LossKind::huber) return quantile_of(residuals, weights, level);
    // Friedman (2001): from the median, one step on the residuals cut at the slope
    std::vector<double> copy = residuals;
    const double median = quantile_of(copy, weights, level);
    double sum = 0.0, total = 0.0;
    for (std::size_t k = 0; k < residuals.size(); ++k) {
        const double w = weights.empty() ? 1.0 : weights[k];
        sum += w * std::clamp(residuals[k] - median, -targets.loss.first, targets.loss.first);
        total += w;
    }
    return total > 0.0 ? median + sum / total : median;
}

}  // namespace stylobate::boost
