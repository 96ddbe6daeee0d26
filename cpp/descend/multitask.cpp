#include "descend/multitask.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "descend/penalties.hpp"

namespace stylobate::descend {
namespace {

constexpr Index check_every = 10;  // sweeps between two looks at the gap

double dot(const double* a, const double* b, Index n) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

// The exact minimum over the coefficients of column j; true if they moved.
bool update(const BlockProblem& problem, Index j, double* w, double* c, double* change) {
    const Index t = problem.targets;
    const double* row = problem.gram + j * problem.size;
    const double curvature = row[j];
    if (curvature <= 0.0) return false;  // a constant column
    double* own = w + j * t;
    for (Index k = 0; k < t; ++k) change[k] = own[k] + c[j * t + k] / curvature;
    Group{problem.l1}.prox(change, t, 1.0 / curvature);
    const double shrink = curvature / (curvature + problem.l2);
    bool moved = false;
    for (Index k = 0; k < t; ++k) {
        const double value = change[k] * shrink;
        change[k] = value - own[k];
        moved = moved || change[k] != 0.0;
        own[k] = value;
    }
    if (!moved) return false;
    for (Index i = 0; i < problem.size; ++i)
        for (Index k = 0; k < t; ++k) c[i * t + k] -= row[i] * change[k];
    return true;
}

}  // namespace

BlockProof prove_blocks(const BlockProblem& problem, const double* w, const double* c) {
    const Index t = problem.targets, size = problem.size * t;
    // ‖Y − XW‖² = ‖Y‖² − ⟨W, XᵀY⟩ − ⟨W, c⟩
    const double aligned = dot(w, c, size);
    const double residual =
        std::max(problem.squares - dot(w, problem.products, size) - aligned, 0.0);
    const double lengths = dot(w, w, size);
    double norms = 0.0, worst = 0.0, kkt = 0.0, over = 0.0;
    std::vector<double> slack(t);
    for (Index j = 0; j < problem.size; ++j) {
        const double *own = w + j * t, *at = c + j * t;
        for (Index k = 0; k < t; ++k) slack[k] = at[k] - problem.l2 * own[k];
        const double length = Group::norm(own, t), violation = Group::norm(slack.data(), t);
        norms += length;
        worst = std::max(worst, violation);
        over += square(std::max(Group::norm(at, t) - problem.l1, 0.0));
        if (length > 0.0) {
            for (Index k = 0; k < t; ++k) slack[k] -= problem.l1 * own[k] / length;
            kkt = std::max(kkt, Group::norm(slack.data(), t));
        } else {
            kkt = std::max(kkt, violation - problem.l1);
        }
    }
    const double all = residual + problem.l2 * lengths;
    const double product = residual + aligned;  // ⟨Y, R⟩
    const double most = worst <= problem.l1 ? 1.0 : problem.l1 / worst;
    const double scale = all > 0.0 ? std::clamp(product / all, 0.0, most) : 0.0;
    double dual = scale * product - 0.5 * scale * scale * all;
    if (problem.l2 > 0.0)  // the residual itself, for which the dual has no constraint
        dual = std::max(dual, product - 0.5 * residual - over / (2.0 * problem.l2));
    const double primal = 0.5 * all + problem.l1 * norms;
    return {primal, std::max(primal - dual, 0.0), kkt};
}

Index descend_blocks(const BlockProblem& problem, double* w, double* c, double tol,
                     Index max_epochs, Checkpoint& checkpoint) {
    std::vector<double> change(problem.targets);
    for (Index epoch = 1; epoch <= max_epochs; ++epoch) {
        checkpoint();
        bool moved = false;
        for (Index j = 0; j < problem.size; ++j)
            moved = update(problem, j, w, c, change.data()) || moved;
        if (!moved) return epoch;
        if (epoch % check_every != 0) continue;
        const BlockProof proof = prove_blocks(problem, w, c);
        if (proof.gap <= tol * proof.primal) return epoch;
    }
    return max_epochs;
}

}  // namespace stylobate::descend
