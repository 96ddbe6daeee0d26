// Rectifiers with slopes, response normalisation, dropout and embeddings: derivatives against
// differences, the same entries dropped on both ways, categories summed in their order.
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "network/dropout.hpp"
#include "network/embedding.hpp"
#include "network/parametric_relu.hpp"
#include "network/response_norm.hpp"
#include "reference.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace network;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(parametric_relu_derivatives) {
    const Channels c{7, 3, 5};
    const auto x = random_weights(105, 1), dy = random_weights(105, 2);
    std::vector<double> slopes{0.25, -0.1, 0.6}, dx(105), by_slopes(3), y(105), moved(105);
    parametric_relu_back(c, x.data(), slopes.data(), dy.data(), dx.data(), by_slopes.data());
    parametric_relu(c, x.data(), slopes.data(), y.data());
    for (std::size_t k = 0; k < 3; ++k) {
        slopes[k] += 1e-6;
        parametric_relu(c, x.data(), slopes.data(), moved.data());
        slopes[k] -= 1e-6;
        CHECK(std::abs((dot(moved, dy) - dot(y, dy)) / 1e-6 - by_slopes[k]) < 1e-7);
    }
    for (std::size_t k = 0; k < 105; k += 13) {
        auto there = x;
        there[k] += 1e-7;
        parametric_relu(c, there.data(), slopes.data(), moved.data());
        CHECK(std::abs((dot(moved, dy) - dot(y, dy)) / 1e-7 - dx[k]) < 1e-6);
    }
}

TEST(response_norm_derivatives) {
    const Channels c{3, 6, 4};
    const auto x = random_weights(72, 3), dy = random_weights(72, 4);
    for (const double beta : {0.75, 0.6}) {
        const Response r{1, 0.3, beta, 1.2};
        std::vector<double> y(72), base(72), dx(72), moved(72), unused(72);
        response_norm(c, r, x.data(), y.data(), base.data());
        response_norm_back(c, r, x.data(), base.data(), dy.data(), dx.data());
        for (std::size_t k = 0; k < 72; k += 5) {
            auto there = x;
            there[k] += 1e-6;
            response_norm(c, r, there.data(), moved.data(), unused.data());
            CHECK(std::abs((dot(moved, dy) - dot(y, dy)) / 1e-6 - dx[k]) < 1e-5);
        }
    }
}

TEST(dropout_is_a_function_of_seed_and_place) {
    const Index n = 20'001;  // several tasks, and a rest
    const std::vector<double> x(static_cast<std::size_t>(n), 1.0);
    std::vector<double> y(x.size()), again(x.size()), part(9'000);
    drop(x.data(), n, 0.25, 7, y.data());
    drop(x.data(), n, 0.25, 7, again.data());
    CHECK(y == again);
    drop(x.data(), 9'000, 0.25, 7, part.data());
    CHECK(std::equal(part.begin(), part.end(), y.begin()));
    const double kept = std::accumulate(y.begin(), y.end(), 0.0) * 0.75 / static_cast<double>(n);
    CHECK(std::abs(kept - 0.75) < 0.02);
}

TEST(embedding_gathers_and_sums) {
    const Embedded e{{1}, {0, 2}, {3, 2}, 2};
    const std::vector<double> x{2, 0.5, 1, 0, -0.5, 1, 2, 4.0, 0};
    const std::vector<double> first{0, 1, 10, 11, 20, 21}, second{5, 6, 7, 8};
    std::vector<double> y(15), dx(9), by_first(6), by_second(4);
    CHECK(first_wrong_code(e, x.data(), 3, 3).row == -1);
    embed(e, {first.data(), second.data()}, x.data(), 3, 3, y.data());
    CHECK((y == std::vector<double>{0.5, 20, 21, 7, 8, -0.5, 0, 1, 7, 8, 4, 20, 21, 5, 6}));
    embed_back(e, x.data(), y.data(), 3, 3, dx.data(), {by_first.data(), by_second.data()});
    CHECK((dx == std::vector<double>{0, 0.5, 0, 0, -0.5, 0, 0, 4.0, 0}));
    CHECK((by_first == std::vector<double>{0, 1, 0, 0, 40, 42}));
    CHECK((by_second == std::vector<double>{5, 6, 14, 16}));
    const std::vector<double> wrong{2, 0.5, 1, 0, -0.5, 1.5};
    const WrongCode found = first_wrong_code(e, wrong.data(), 2, 3);
    CHECK(found.row == 1 && found.place == 1);
}

}  // namespace
}  // namespace stylobate
