#include "scan/gram_product.hpp"

#include <random>

#include "check.hpp"
#include "stylobate/parallel.hpp"

using namespace stylobate;
using namespace stylobate::scan;

namespace {

std::vector<double> numbers(Index size, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> found(size);
    for (double& each : found) each = 3.0 + normal(random);
    return found;
}

// Both products written out.
std::vector<double> expected(const std::vector<double>& x, const double* w, Index n, Index p,
                             const std::vector<double>& center, const std::vector<double>& q,
                             Index width) {
    std::vector<double> out(p * width, 0.0);
    for (Index k = 0; k < n; ++k)
        for (Index c = 0; c < width; ++c) {
            double image = 0.0;
            for (Index j = 0; j < p; ++j) image += (x[k * p + j] - center[j]) * q[j * width + c];
            if (w != nullptr) image *= w[k];
            for (Index j = 0; j < p; ++j) out[j * width + c] += (x[k * p + j] - center[j]) * image;
        }
    return out;
}

void compare(Index n, Index p, Index width, bool weighted) {
    const auto x = numbers(n * p, 1), center = numbers(p, 2), q = numbers(p * width, 3);
    const auto weights = numbers(n, 4);
    const double* w = weighted ? weights.data() : nullptr;
    const DenseFeatures<double> rows({x.data(), n, p, p, 1});
    const auto want = expected(x, w, n, p, center, q, width);
    const auto found = gram_product(rows, w, center.data(), q.data(), width);
    double size = 0.0;
    for (const double each : want) size = std::max(size, std::abs(each));
    for (std::size_t i = 0; i < want.size(); ++i)
        CHECK(std::abs(found[i] - want[i]) <= 1e-12 * size);
    for (const int count : {1, 7}) {
        const int before = set_threads(count);
        CHECK(gram_product(rows, w, center.data(), q.data(), width) == found);
        set_threads(before);
    }
}

}  // namespace

TEST(gram_product_of_any_shape) {
    for (const bool weighted : {false, true}) {
        compare(1, 1, 1, weighted);
        compare(13, 7, 3, weighted);
        compare(25, 500, 16, weighted);
        compare(2500, 9, 17, weighted);
        compare(0, 4, 2, weighted);
    }
}
