// Stress and its gradient on every instruction set, isotonic regression, disparities.
#include "embed/stress.hpp"

#include <cmath>
#include <limits>

#include "check.hpp"
#include "embed/stress_kernels.hpp"
#include "reference.hpp"

namespace stylobate {
namespace {

using namespace tests;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void compare_row(const stress::Kernels& kernels, Index n, Index k, bool weighted) {
    const auto y = random_weights(n * k, 3), x = random_weights(k, 5);
    auto delta = random_weights(n, 7);
    const auto weights = random_weights(n, 9);
    if (n > 2) delta[1] = nan;
    std::vector<double> half(k), sums(2);
    kernels.stress_row({y.data(), n, n, k}, x.data(), delta.data(),
                       weighted ? weights.data() : nullptr, half.data(), sums.data());
    std::vector<double> expected(k, 0.0);
    double stress = 0.0, squares = 0.0;
    for (Index j = 0; j < n; ++j) {
        if (std::isnan(delta[j])) continue;
        const double w = weighted ? weights[j] : 1.0;
        double square = 0.0;
        for (Index c = 0; c < k; ++c) square += std::pow(x[c] - y[c * n + j], 2);
        const double d = std::sqrt(square);
        for (Index c = 0; c < k; ++c)
            expected[c] += d > 0.0 ? w * (1.0 - delta[j] / d) * (x[c] - y[c * n + j]) : 0.0;
        stress += w * std::pow(d - delta[j], 2), squares += w * square;
    }
    for (Index c = 0; c < k; ++c) CHECK(std::abs(half[c] - expected[c]) < 1e-10);
    CHECK(std::abs(sums[0] - stress) < 1e-10 * (1.0 + stress));
    CHECK(std::abs(sums[1] - squares) < 1e-10 * (1.0 + squares));
}

TEST(stress_rows) {
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512, Isa::vnni}) {
        const stress::Kernels* const kernels = stress::kernels_of(isa);
        if (!kernels) continue;
        for (const Index n : {1, 3, 8, 17, 300})
            for (const Index k : {1, 2, 3, 4, 40})
                for (const bool weighted : {false, true}) compare_row(*kernels, n, k, weighted);
    }
}

TEST(isotonic_pools_violators) {
    std::vector<double> y{3.0, 1.0, 2.0, 5.0, 4.0};
    stress::isotonic(y.data(), nullptr, 5);
    const std::vector<double> expected{2.0, 2.0, 2.0, 4.5, 4.5};
    for (Index i = 0; i < 5; ++i) CHECK(std::abs(y[i] - expected[i]) < 1e-14);
    stress::isotonic(nullptr, nullptr, 0);
}

}  // namespace
}  // namespace stylobate
