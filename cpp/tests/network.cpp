// Kernels of networks on every instruction set against plain loops; epochs on several threads.
#include <cmath>

#include "check.hpp"
#include "network/perceptron.hpp"
#include "reference.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace network;

constexpr Isa sets[] = {Isa::base, Isa::avx2, Isa::avx512};

TEST(network_product) {
    const Index rows = 24, inner = 300, cols = 21;
    const auto a = random_weights(rows * inner, 3), b = random_weights(inner * 64, 5);
    const auto start = random_weights(64, 7);
    for (const Isa set : sets) {
        const Kernels* kernels = kernels_of(set);
        if (kernels == nullptr) continue;
        std::vector<double> c(rows * 64);
        kernels->product_f64({a.data(), inner, 1, b.data(), 64, strip<double>, rows, inner, cols,
                              start.data(), false, false, c.data(), 64});
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < cols; ++j) {
                double sum = start[j];
                for (Index l = 0; l < inner; ++l) sum += a[i * inner + l] * b[l * 64 + j];
                CHECK(std::abs(c[i * 64 + j] - sum) < 1e-10 * (1.0 + std::abs(sum)));
            }
    }
}

TEST(network_activations) {
    std::vector<double> x;
    for (int k = -200; k <= 200; ++k) x.push_back(0.1 * k);
    const auto n = static_cast<Index>(x.size());
    for (const Isa set : sets) {
        const Kernels* kernels = kernels_of(set);
        if (kernels == nullptr) continue;
        auto tanh = x, logistic = x;
        kernels->activate_f64(Activation::tanh, tanh.data(), n);
        kernels->activate_f64(Activation::logistic, logistic.data(), n);
        for (std::size_t k = 0; k < x.size(); ++k) {
            CHECK(std::abs(tanh[k] - std::tanh(x[k])) <= 1e-15 * std::abs(x[k]));
            CHECK(std::abs(logistic[k] - 1.0 / (1.0 + std::exp(-x[k]))) < 1e-15);
        }
    }
}

TEST(network_epochs_have_the_same_bits) {
    const Shape shape{{150, 110, 3}, Activation::relu, network::Output::softmax};
    const auto x = random_weights(400 * 150, 11);
    std::vector<std::int32_t> y(400);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<std::int32_t>(i % 3);
    std::vector<double> first;
    for (const int count : {1, 2, 7}) {
        const int before = set_threads(count);
        auto parameters = random_weights(shape.parameters(), 13);
        std::vector<double> means(parameters.size()), squares(parameters.size());
        Optimiser<double> optimiser;
        optimiser.first_moments = means.data(), optimiser.second_moments = squares.data();
        Perceptron<double> net(shape, parameters.data(), 200);
        const double loss =
            net.epoch({x.data(), 150}, {nullptr, y.data(), nullptr}, nullptr, 400, optimiser);
        set_threads(before);
        CHECK(std::isfinite(loss));
        if (first.empty()) first.assign(parameters.begin(), parameters.end());
        CHECK(std::equal(first.begin(), first.end(), parameters.begin()));
    }
}

}  // namespace
}  // namespace stylobate
