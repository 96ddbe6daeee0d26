// Shapley values: they sum to the prediction, and Gauss's rule is exact where it must be.
#include "tree/shap.hpp"

#include <cmath>
#include <numeric>

#include "check.hpp"

namespace stylobate {

TEST(gauss_rules_integrate_powers) {
    for (Index points = 1; points <= 32; ++points) {
        std::vector<double> at, weights;
        tree::gauss_rule(points, at, weights);
        for (Index power = 0; power < 2 * points; ++power) {
            double sum = 0.0;
            for (std::size_t q = 0; q < at.size(); ++q)
                sum += weights[q] * std::pow(at[q], static_cast<double>(power));
            CHECK_CLOSE(sum, 1.0 / static_cast<double>(power + 1), 1e-13);
        }
    }
}

TEST(shapley_values_sum_to_the_prediction) {
    // x0 ≤ 0 (3 of 10): x1 in {0, 2} or missing → 1, else 2; otherwise x0 ≤ 5 → 4, else 8
    const std::int32_t left[] = {1, 2, -1, -1, 5, -1, -1}, right[] = {4, 3, -1, -1, 6, -1, -1};
    const std::int32_t feature[] = {0, 1, -2, -2, 0, -2, -2};
    const double threshold[] = {0.0, NAN, -2.0, -2.0, 5.0, -2.0, -2.0};
    const std::uint8_t missing_left[] = {0, 1, 0, 0, 1, 0, 0};
    const double value[] = {0.0, 0.0, 1.0, 2.0, 0.0, 4.0, 8.0};
    const std::int32_t category_start[] = {-1, 0, -1, -1, -1, -1, -1};
    const std::uint32_t categories[] = {1, 5};
    const double cover[] = {10.0, 3.0, 1.0, 2.0, 7.0, 4.0, 3.0};
    const tree::TreeView view{7,     left,           right,      feature, threshold, missing_left,
                              value, category_start, categories, 2};
    const tree::ShapForest forest({view}, {cover}, 2, 1);
    const double x[] = {-1.0, 0.0, -1.0, 1.0, 3.0, 1.0, 9.0, NAN, NAN, 2.0, -1.0, NAN};
    const double answers[] = {1.0, 2.0, 4.0, 8.0, 4.0, 1.0};
    const MatrixView<double> rows{x, 6, 2, 2, 1};
    const double mean = forest.expectation(nullptr, 1)[0];
    CHECK_CLOSE(mean, (1.0 + 4.0 + 16.0 + 24.0) / 10.0, 1e-14);
    std::vector<double> found(12, 0.0), against(12, 0.0);
    forest.path_dependent(rows, nullptr, found.data(), 1);
    forest.interventional(rows, rows, nullptr, against.data(), 1);
    const double average = std::accumulate(answers, answers + 6, 0.0) / 6.0;
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK_CLOSE(found[2 * i] + found[2 * i + 1], answers[i] - mean, 1e-13);
        CHECK_CLOSE(against[2 * i] + against[2 * i + 1], answers[i] - average, 1e-13);
    }
}

}  // namespace stylobate
