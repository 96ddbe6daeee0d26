#include "descend/logistic_points.hpp"

#include <algorithm>
#include <cmath>

namespace stylobate::descend {
namespace {

constexpr double far_intercept = 0.5;  // a shift beyond leaves the domain of the dual, or nearly
constexpr double rounding = 1e-15;     // a sum of residuals below, of the weights, is none
constexpr Index few = 8;               // a share of columns below 1/few is read column by column

}  // namespace

LogisticObjective::LogisticObjective(const LogisticProblem& problem)
    : problem_(problem),
      x_(problem.x),
      k_(problem.margins()),
      p_(x_.cols()),
      n_(x_.rows()),
      rows_(problem.codes, problem.weights, n_, k_) {}

LogisticPoint LogisticObjective::point() const {
    return {k_, p_, n_, k_ == 1 && !x_.sparse() && problem_.intercept};
}

std::vector<Index> LogisticObjective::support(const LogisticPoint& at) const {
    std::vector<Index> columns;
    for (Index j = 0; j < p_; ++j)
        for (Index c = 0; c < k_; ++c)
            if (at.w[c * p_ + j] != 0.0) {
                columns.push_back(j);
                break;
            }
    return columns;
}

double LogisticObjective::penalty(const Buffer& w) const {
    const double l1 = problem_.penalty.l1, l2 = problem_.penalty.l2;
    double sum = 0.0;
    for (Index v = 0; v < k_ * p_; ++v) sum += l1 * std::fabs(w[v]) + 0.5 * l2 * w[v] * w[v];
    return sum;
}

bool LogisticObjective::passes_once(const std::vector<Index>& alive) const {
    return k_ == 1 && !x_.sparse() && static_cast<Index>(alive.size()) * few >= p_;
}

void LogisticObjective::evaluate(LogisticPoint& at, const std::vector<Index>& alive) const {
    if (passes_once(alive)) {
        pass(at);
        if (std::fabs(at.shift) <= far_intercept) return;
        evaluate_margins(at);  // for its intercept
        return pass(at);
    }
    x_.margins(at.w.data(), k_, support(at), at.z.data());
    evaluate_margins(at);
}

void LogisticObjective::evaluate_margins(LogisticPoint& at) const {
    const double loss =
        problem_.intercept
            ? rows_.optimise_intercept(at.z.data(), at.b.data(), at.p.data(), at.r.data())
            : rows_.evaluate(at.z.data(), at.b.data(), at.p.data(), at.r.data());
    at.value = loss + penalty(at.w);
    at.shift = 0.0;
    at.differentiated = at.single_pass = false;
}

void LogisticObjective::differentiate(LogisticPoint& at, const std::vector<Index>& alive) const {
    if (passes_once(alive)) return pass(at);
    x_.gradient(at.r.data(), k_, alive, at.g.data());
    at.differentiated = true;
}

void LogisticObjective::pass(LogisticPoint& at) const {
    const bool shifts = problem_.intercept;
    const PassSums sums = x_.pass(
        rows_, at.w.data(), at.b[0],
        {at.z.data(), at.p.data(), at.r.data(), at.g.data(), shifts ? at.curved.data() : nullptr});
    at.value = sums.loss + penalty(at.w);
    at.curvature = sums.curvature;
    const bool off = std::fabs(sums.residual) > rounding * rows_.total() && sums.curvature > 0.0;
    at.shift = shifts && off ? sums.residual / sums.curvature : 0.0;
    for (Index j = 0; j < p_ && at.shift != 0.0; ++j) at.g[j] -= at.shift * at.curved[j];
    at.differentiated = at.single_pass = true;
}

void LogisticObjective::predict_intercept(const LogisticPoint& from, LogisticPoint& to) const {
    std::copy_n(from.b.data(), k_, to.b.data());
    if (!from.single_pass || !problem_.intercept || !(from.curvature > 0.0)) return;
    double turned = 0.0;
    for (Index j = 0; j < p_; ++j) turned += from.curved[j] * (to.w[j] - from.w[j]);
    to.b[0] -= from.shift + turned / from.curvature;
}

}  // namespace stylobate::descend
