#include "descend/pursuit.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "embed/contrast.hpp"

using namespace stylobate;

// Atoms that are orthogonal: a code is the largest products themselves.
TEST(matching_pursuit_takes_the_largest_products_of_orthogonal_atoms) {
    const std::vector<double> gram{1, 0, 0, 0, 1, 0, 0, 0, 1}, xy{3, -5, 1};
    const auto code = descend::pursue({gram.data(), xy.data(), 1, 3}, descend::Greedy::matching, 2);
    CHECK_CLOSE(code[0], 3.0, 1e-15);
    CHECK_CLOSE(code[1], -5.0, 1e-15);
    CHECK_CLOSE(code[2], 0.0, 0.0);
}

// Of orthogonal atoms least angles shrink: up to where the next atom is as correlated.
TEST(least_angles_stop_where_the_next_atom_is_as_correlated) {
    const std::vector<double> gram{1, 0, 0, 0, 1, 0, 0, 0, 1}, xy{3, -5, 1};
    const auto code =
        descend::pursue({gram.data(), xy.data(), 1, 3}, descend::Greedy::least_angle, 2);
    CHECK_CLOSE(code[0], 2.0, 1e-14);
    CHECK_CLOSE(code[1], -4.0, 1e-14);
    CHECK_CLOSE(code[2], 0.0, 0.0);
}

TEST(an_atom_given_twice_is_used_once) {
    const std::vector<double> gram{1, 1, 1, 1}, xy{2, 2};
    for (const auto way : {descend::Greedy::matching, descend::Greedy::least_angle}) {
        const auto code = descend::pursue({gram.data(), xy.data(), 1, 2}, way, 2);
        CHECK_CLOSE(code[0] + code[1], 2.0, 1e-14);
        CHECK(code[0] == 0.0 || code[1] == 0.0);
    }
}

TEST(contrasts_are_their_formulas) {
    const Index n = 11, ld = 16;
    std::vector<double> z(2 * ld, 0.0);
    for (Index i = 0; i < n; ++i) z[i] = 0.3 * i - 1.5, z[ld + i] = 0.7 - 0.1 * i;
    const std::vector<double> w{0.6, -0.8};
    const auto sums =
        embed::contrast_sums({z.data(), 2, n, ld}, w.data(), 1, embed::Contrast::logcosh, 1.0);
    double first = 0.0, second = 0.0, slope = 0.0;
    for (Index i = 0; i < n; ++i) {
        const double t = std::tanh(0.6 * z[i] - 0.8 * z[ld + i]);
        first += t * z[i], second += t * z[ld + i], slope += 1.0 - t * t;
    }
    CHECK_CLOSE(sums.products[0], first, 1e-13);
    CHECK_CLOSE(sums.products[1], second, 1e-13);
    CHECK_CLOSE(sums.slopes[0], slope, 1e-13);
}
