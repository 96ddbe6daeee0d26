#include <atomic>
#include <cmath>

#include "check.hpp"
#include "svm/linear_dual.hpp"

namespace stylobate::svm {
namespace {

using descend::DenseRows;
using descend::LossChoice;
using descend::LossKind;

const std::atomic<bool> never{false};

// Points of a line, with a few on the wrong side.
const std::vector<double> x{-3.0, -2.0, -1.0, 0.5, -0.5, 1.0, 2.0, 3.0};
const std::vector<double> sides{-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0};
const std::vector<double> ones(8, 1.0);

DenseRows<double> rows() {
    return DenseRows<double>(MatrixView<double>{x.data(), 8, 1, 1, 1});
}

DualAnswer answer(LossChoice loss, const std::vector<double>& y, double scaling = 1.0) {
    Checkpoint checkpoint(never, false);
    return linear_dual(rows(), loss, y.data(), ones.data(), {scaling, 1e-10, 5000, 3}, checkpoint);
}

TEST(dual_descent_closes_the_gap) {
    for (const LossKind kind : {LossKind::hinge, LossKind::squared_hinge}) {
        const DualAnswer found = answer({kind, 0.0}, sides);
        CHECK(found.converged);
        CHECK(found.primal - found.dual <= 1e-10 * found.primal);
        CHECK_CLOSE(found.weights[1], 0.0, 1e-4);  // symmetric points need no intercept
        double w = 0.0;
        for (Index i = 0; i < 8; ++i) w += found.beta[i] * x[i];
        CHECK_CLOSE(found.weights[0], w, 1e-12);
    }
}

TEST(dual_descent_of_regression_stays_in_its_box) {
    for (const LossKind kind :
         {LossKind::epsilon_insensitive, LossKind::squared_epsilon_insensitive}) {
        const DualAnswer found = answer({kind, 0.25}, x);
        CHECK(found.converged);
        if (kind == LossKind::epsilon_insensitive)
            for (const double beta : found.beta) CHECK(std::fabs(beta) <= 1.0);
        CHECK(found.weights[0] > 0.8 && found.weights[0] < 1.0);
    }
}

TEST(crammer_singer_of_two_classes_halves_the_hinge) {
    // with w₁ = −w₀ = w/2 the joint problem is ¼‖w‖² + Σ max(0, 1 − y·xw)
    std::vector<std::int64_t> labels;
    for (const double side : sides) labels.push_back(side > 0.0 ? 1 : 0);
    const std::vector<double> halves(8, 0.5);
    Checkpoint checkpoint(never, false);
    const DualAnswer joint =
        crammer_singer(rows(), labels.data(), 2, halves.data(), {1.0, 1e-9, 20000, 3}, checkpoint);
    const DualAnswer plain = answer({LossKind::hinge, 0.0}, sides);
    CHECK(joint.converged);
    CHECK_CLOSE(joint.weights[2] - joint.weights[0], plain.weights[0], 1e-3);
    CHECK_CLOSE(2.0 * joint.primal, plain.primal, 1e-6);
}

}  // namespace
}  // namespace stylobate::svm
