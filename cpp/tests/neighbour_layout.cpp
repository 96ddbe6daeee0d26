// Layouts against loops over single pairs, on every instruction set and number of threads.
#include "embed/neighbour_layout.hpp"

#include <algorithm>

#include "check.hpp"
#include "embed/neighbour_scales.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace layout;

constexpr Index n = 700, degree = 19;

// A ring of rows, each tied to those that follow it.
struct Ring {
    std::vector<std::int64_t> offsets;
    std::vector<std::int32_t> columns;
    std::vector<float> weights, start;
    std::vector<std::uint64_t> keys;

    explicit Ring(Index dimensions) {
        const auto draws = random_weights(n * dimensions, 5);
        start.assign(draws.begin(), draws.end());
        for (Index i = 0; i < n; ++i) {
            offsets.push_back(i * degree);
            keys.push_back(static_cast<std::uint64_t>(i));
            for (Index e = 1; e <= degree; ++e) {
                columns.push_back(static_cast<std::int32_t>((i + e) % n));
                weights.push_back(1.0F / static_cast<float>(e));
            }
        }
        offsets.push_back(n * degree);
    }
    LayoutGraph graph(Index dimensions) const {
        return {n,       dimensions, offsets.data(), columns.data(), weights.data(), keys.data(),
                nullptr, n};
    }
};

// One row of an epoch in double precision, pair by pair.
double moved_by_hand(const LayoutRows& rows, const LayoutEpoch& epoch, Index row, Index c,
                     const std::int32_t* strangers, float load) {
    const Index d = rows.dimensions;
    double force = 0, stiffness = 0;
    const auto square = [&](Index j) {
        double sum = 0;
        for (Index k = 0; k < d; ++k) {
            const double t =
                static_cast<double>(rows.points[j * d + k]) - rows.positions[row * d + k];
            sum += t * t;
        }
        return std::max(sum, 1e-8);
    };
    const auto apart = [&](Index j) {
        return static_cast<double>(rows.points[j * d + c]) - rows.positions[row * d + c];
    };
    const double a = epoch.curve.a, b = epoch.curve.b;
    for (Index e = rows.offsets[row]; e < rows.offsets[row + 1]; ++e) {
        const double x = square(rows.columns[e]), raised = std::pow(x, b);
        const double factor = rows.weights[e] * 2 * a * b * raised / (x * (1 + a * raised));
        stiffness += factor;
        force += factor * apart(rows.columns[e]);
    }
    for (Index e = 0; e < epoch.draws; ++e) {
        const double x = square(strangers[e]);
        const double push = 2 * b / ((1e-3 + x) * (1 + a * std::pow(x, b)));
        const double factor = epoch.repulsion * load / static_cast<double>(epoch.draws) *
                              std::min(push, 4 / std::sqrt(x));
        stiffness += epoch.anneal * factor;
        force -= factor * apart(strangers[e]);
    }
    return epoch.anneal * epoch.step * force / (1 + epoch.step * stiffness);
}

TEST(layout_rows_are_the_formula) {
    for (const Index d : {1, 2, 3, 6}) {
        const Ring ring(d);
        const LayoutRows rows{ring.start.data(),   ring.start.data(),   d,
                              ring.offsets.data(), ring.columns.data(), ring.weights.data()};
        const LayoutEpoch epoch{{1.6F, 0.9F}, 0.8F, 0.7F, 0.5F, 2.5F, 16};
        std::vector<std::int32_t> strangers(5 * 16);
        for (Index e = 0; e < 5 * 16; ++e) strangers[e] = static_cast<std::int32_t>((e * 97) % n);
        const std::vector<float> loads(n, 3.5F);
        for (const Isa set : {Isa::base, Isa::avx2, Isa::avx512}) {
            const Kernels* const kernels = kernels_of(set);
            if (!kernels) continue;
            std::vector<float> moved(n * d), steps(n * d, 0.25F);
            kernels->layout_rows(rows, epoch, 3, 8, strangers.data(), loads.data(), moved.data(),
                                 steps.data());
            for (Index i = 3; i < 8; ++i)
                for (Index c = 0; c < d; ++c) {
                    const double step =
                        0.125 +
                        moved_by_hand(rows, epoch, i, c, strangers.data() + (i - 3) * 16, loads[i]);
                    CHECK_CLOSE(steps[i * d + c], step, 2e-5 * (1 + std::fabs(step)));
                    CHECK_CLOSE(moved[i * d + c], ring.start[i * d + c] + step, 1e-4);
                }
        }
    }
}

TEST(layouts_do_not_depend_on_threads_or_parts) {
    const Ring ring(2);
    const LayoutOptions options{{1.6F, 0.9F}, 1.0, 0.9, 2.5, 16, 12, 7};
    std::vector<float> expected;
    for (const int count : {1, 2, 7}) {
        const int before = set_threads(count);
        std::vector<float> positions = ring.start, steps(ring.start.size());
        neighbour_layout(ring.graph(2), options, 0, 5, positions.data(), steps.data());
        neighbour_layout(ring.graph(2), options, 5, 12, positions.data(), steps.data());
        if (expected.empty()) expected = positions;
        CHECK(positions == expected);
        set_threads(before);
    }
}

TEST(layouts_refuse_graphs_that_are_none) {
    Ring ring(2);
    const LayoutOptions options{{1.6F, 0.9F}, 1.0, 0.9, 2.5, 16, 12, 7};
    std::vector<float> positions = ring.start, steps(ring.start.size());
    ring.columns[40] = static_cast<std::int32_t>(n);
    CHECK_THROWS(InvalidArgument,
                 neighbour_layout(ring.graph(2), options, 0, 1, positions.data(), steps.data()));
}

TEST(neighbour_scales_sum_to_the_target) {
    const std::vector<double> d{0.0, 1.0, 2.0, 4.0, 0.5, 0.75, 3.0, 9.0};
    std::vector<double> rho(2), sigma(2);
    neighbour_scales(d.data(), 2, 4, {1.0, 2.5, 1.0}, rho.data(), sigma.data());
    CHECK(rho[0] == 1.0 && rho[1] == 0.5);
    for (Index i = 0; i < 2; ++i) {
        double sum = 0;
        for (Index j = 0; j < 4; ++j)
            sum += std::exp(-std::max(0.0, d[i * 4 + j] - rho[i]) / sigma[i]);
        CHECK_CLOSE(sum, 2.5, 1e-9);
    }
}

}  // namespace
}  // namespace stylobate
