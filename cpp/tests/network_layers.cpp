// Layers of networks against plain loops.
#include <cmath>

#include "check.hpp"
#include "network/convolution.hpp"
#include "network/matrix_product.hpp"
#include "network/pooling.hpp"
#include "reference.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace network;

TEST(network_matrix_product_of_any_strides) {
    const Index rows = 101, inner = 37, cols = 29;
    const auto a = random_weights(rows * inner, 3), b = random_weights(inner * cols, 5);
    std::vector<double> c(rows * cols), d(rows * cols);
    const Strided<double> left{a.data(), rows, inner, 1, rows};  // by columns
    multiply<double>(left, {b.data(), inner, cols, cols, 1}, nullptr, false, c.data());
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) {
            double sum = 0.0;
            for (Index l = 0; l < inner; ++l) sum += a[l * rows + i] * b[l * cols + j];
            CHECK(std::abs(c[i * cols + j] - sum) < 1e-11);
        }
}

TEST(network_convolution_with_everything) {
    const Convolution c{{4, 7, 6}, {{3, 2}, {2, 1}, {1, 2}, {2, 3}}, 6, 2};
    const Pair out = c.window.output(c.image);
    const auto x = random_weights(3 * c.image.size(), 7), w = random_weights(c.weights(), 9);
    const auto bias = random_weights(6, 11);
    std::vector<double> y(3 * 6 * out.y * out.x);
    convolve<double>(c, x.data(), 3, w.data(), bias.data(), {Finish::none, y.data()});
    Index at = 0;
    for (Index n = 0; n < 3; ++n)
        for (Index f = 0; f < 6; ++f)
            for (Index i = 0; i < out.y; ++i)
                for (Index j = 0; j < out.x; ++j, ++at) {
                    double sum = bias[f];
                    for (Index k = 0; k < 2; ++k)
                        for (Index u = 0; u < 3; ++u)
                            for (Index v = 0; v < 2; ++v) {
                                const Index row = c.window.row(i, u), col = c.window.column(j, v);
                                if (row < 0 || row >= 7 || col < 0 || col >= 6) continue;
                                const Index plane = n * 4 + f / 3 * 2 + k;
                                sum += w[((f * 2 + k) * 3 + u) * 2 + v] *
                                       x[plane * 42 + row * 6 + col];
                            }
                    CHECK(std::abs(y[at] - sum) < 1e-12);
                }
}

TEST(network_pooling_returns_all_derivatives) {
    const Image image{1, 6, 6};
    const Window window{{2, 2}, {2, 2}, {0, 0}, {1, 1}};
    const auto x = random_weights(36, 13), dy = random_weights(9, 15);
    std::vector<double> dx(36);
    for (const Pool kind : {Pool::largest, Pool::mean}) {
        pool_back(kind, image, window, x.data(), 1, dy.data(), dx.data());
        double given = 0.0, back = 0.0;
        for (const double d : dy) given += d;
        for (const double d : dx) back += d;
        CHECK(std::abs(given - back) < 1e-12);
    }
}

}  // namespace
}  // namespace stylobate
