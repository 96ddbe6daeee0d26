// t-SNE: transforms against sums, three ways of repulsion against loops, gradients against
// differences, the same bits on any number of threads.
#include <cmath>
#include <numbers>

#include "check.hpp"
#include "embed/affinities.hpp"
#include "embed/fourier_plan.hpp"
#include "embed/tsne_descent.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace tsne;

// A few clusters of points in a square of this side.
std::vector<float> clustered(Index n, Index d, double side) {
    std::vector<float> points(static_cast<std::size_t>(n * d));
    double state = 0.37;
    const auto draw = [&] {
        state = std::fmod(state * 997.0 + 0.123456789, 1.0);
        return state;
    };
    for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < d; ++c)
            points[i * d + c] = static_cast<float>(
                side * (0.1 * draw() + 0.3 * static_cast<double>((i * (c + 1)) % 4)));
    return points;
}

struct Forces {
    std::vector<double> force;
    double z = 0.0, norm = 0.0;
};

Forces looped(const std::vector<float>& points, Index d, double dof) {
    const auto n = static_cast<Index>(points.size()) / d;
    Forces found;
    found.force.assign(points.size(), 0.0);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            if (i == j) continue;
            double squares = 0.0;
            for (Index c = 0; c < d; ++c)
                squares += std::pow(double(points[i * d + c]) - double(points[j * d + c]), 2);
            const double base = 1.0 + squares / dof;
            found.z += std::pow(base, -0.5 * (dof + 1.0));
            for (Index c = 0; c < d; ++c)
                found.force[i * d + c] += std::pow(base, -0.5 * (dof + 3.0)) *
                                          (double(points[i * d + c]) - double(points[j * d + c]));
        }
    for (const double f : found.force) found.norm += f * f;
    return found;
}

void check_repulsion(Method method, Index n, Index d, double side, double dof, double angle,
                     double tolerance) {
    const std::vector<float> points = clustered(n, d, side);
    const Forces expected = looped(points, d, dof);
    std::vector<float> first;
    const int before = set_threads(1);
    for (const int threads : {1, 2, 7}) {
        set_threads(threads);
        std::vector<float> forces(points.size());
        const double z =
            repulsion_by(method, dof, angle)->compute({points.data(), n, d}, forces.data());
        double error = 0.0;
        for (std::size_t i = 0; i < forces.size(); ++i)
            error += std::pow(double(forces[i]) - expected.force[i], 2);
        CHECK_CLOSE(std::sqrt(error / expected.norm), 0.0, tolerance);
        CHECK_CLOSE(z / expected.z, 1.0, tolerance);
        if (threads == 1) first = forces;
        CHECK(first == forces);
    }
    set_threads(before);
}

TEST(fourier_transforms_of_all_radices) {
    for (const Index n : {8, 24, 40, 120, 128, 360, 600}) {
        const FourierPlan plan(n);
        std::vector<float> data(static_cast<std::size_t>(n * block)), work(data.size());
        for (Index i = 0; i < n * block; ++i)
            data[i] = static_cast<float>(std::sin(0.7 * static_cast<double>(i * i % 101)));
        const std::vector<float> given = data;
        float* const found = kernels().tsne_fourier(plan.passes(), data.data(), work.data(), false);
        for (const Index k : {Index{0}, Index{1}, n / 3, n - 1})
            for (const Index lane : {0, 5}) {
                double re = 0.0, im = 0.0;
                for (Index j = 0; j < n; ++j) {
                    const double angle = -2.0 * std::numbers::pi * static_cast<double>(j * k % n) /
                                         static_cast<double>(n);
                    const double a = given[j * block + lane], b = given[j * block + 8 + lane];
                    re += a * std::cos(angle) - b * std::sin(angle);
                    im += a * std::sin(angle) + b * std::cos(angle);
                }
                CHECK_CLOSE(found[k * block + lane], re, 2e-4);
                CHECK_CLOSE(found[k * block + 8 + lane], im, 2e-4);
            }
        float* const other = found == data.data() ? work.data() : data.data();
        const float* const back = kernels().tsne_fourier(plan.passes(), found, other, true);
        for (Index i = 0; i < n * block; ++i)
            CHECK_CLOSE(back[i] / static_cast<float>(n), given[i], 1e-5);
    }
}

TEST(exact_repulsion_is_the_sum_over_pairs) {
    for (const Index d : {1, 2, 3, 5})
        for (const double dof : {1.0, 2.0, 0.7})
            check_repulsion(Method::exact, 203, d, 10.0, dof, 0.0, 1e-5);
}

TEST(trees_approach_the_sum_over_pairs) {
    for (const Index d : {1, 2, 3}) {
        check_repulsion(Method::barnes_hut, 400, d, 20.0, 1.0, 0.0, 1e-5);
        check_repulsion(Method::barnes_hut, 400, d, 20.0, 1.0, 0.5, 3e-2);
        check_repulsion(Method::barnes_hut, 400, d, 20.0, 2.0, 0.2, 1e-2);
    }
}

TEST(grids_approach_the_sum_over_pairs) {
    for (const Index d : {1, 2})
        for (const double side : {1e-4, 0.01, 1.0, 7.0, 40.0, 200.0})
            check_repulsion(Method::fourier, 500, d, side, 1.0, 0.0, side < 4.0 ? 1e-3 : 8e-2);
    check_repulsion(Method::fourier, 500, 2, 30.0, 0.5, 0.0, 3e-2);
    check_repulsion(Method::fourier, 500, 2, 30.0, 3.0, 0.0, 1e-2);
}

TEST(points_in_one_place_repel_nothing) {
    const std::vector<float> points(40, 3.0F);
    std::vector<float> forces(40, 1.0F);
    for (const Method method : {Method::exact, Method::barnes_hut, Method::fourier}) {
        const double z =
            repulsion_by(method, 1.0, 0.5)->compute({points.data(), 20, 2}, forces.data());
        CHECK_CLOSE(z, 380.0, 1e-2);
        for (const float f : forces) CHECK_CLOSE(f, 0.0, 1e-5);
    }
}

TEST(gaussian_affinities_have_the_perplexity) {
    const Index n = 50, k = 30;
    std::vector<std::int64_t> offsets(n + 1);
    std::vector<double> squares(n * k);
    for (Index i = 0; i <= n; ++i) offsets[i] = i * k;
    for (Index j = 0; j < n * k; ++j) squares[j] = 1e-3 * double((j * j) % 977) * double(1 + j / k);
    const auto p = gaussian_affinities({offsets.data(), n}, squares.data(), {12.0}, nullptr);
    for (Index i = 0; i < n; ++i) {
        double entropy = 0.0, sum = 0.0;
        for (Index j = i * k; j < (i + 1) * k; ++j) {
            sum += p[j];
            if (p[j] > 0.0) entropy -= p[j] * std::log(p[j]);
        }
        CHECK_CLOSE(sum, 1.0, 1e-12);
        CHECK_CLOSE(std::exp(entropy), 12.0, 1e-8);
    }
}

TEST(gradients_are_those_of_the_divergence) {
    const Index n = 20, d = 2;
    const std::vector<float> start = clustered(n, d, 4.0);
    std::vector<std::int64_t> offsets(n + 1), columns;
    std::vector<double> values;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 1; j <= 3; ++j) {
            columns.push_back((i + j * j) % n);
            values.push_back(static_cast<double>(j) / 6.0);
        }
        offsets[i + 1] = static_cast<std::int64_t>(columns.size());
    }
    const EdgeLists edges = symmetrized({offsets.data(), n}, columns.data(), values.data());
    const Edges view{edges.offsets.data(), edges.columns.data(), edges.values.data()};
    for (const double dof : {1.0, 2.0, 0.8}) {
        const auto value = [&](std::vector<float> points) {
            return Descent(view, {points.data(), n, d}, dof, exact_repulsion(dof)).divergence();
        };
        const auto gradient =
            Descent(view, {start.data(), n, d}, dof, exact_repulsion(dof)).gradient();
        for (const Index at : {0, 7, 23, 39}) {
            std::vector<float> above = start, below = start;
            above[at] += 0.02F;
            below[at] -= 0.02F;
            const double step = double(above[at]) - double(below[at]);
            CHECK_CLOSE(gradient[at], (value(above) - value(below)) / step, 2e-5);
        }
    }
}

}  // namespace
}  // namespace stylobate
