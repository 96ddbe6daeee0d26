// Products of symmetric matrices on every instruction set and any threads; measures of symmetry.
#include "scan/symmetric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "reference.hpp"
#include "scan/kernels.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;

std::vector<double> symmetric_matrix(Index n) {
    std::vector<double> a = random_weights(n * n, 3);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < i; ++j) a[j * n + i] = a[i * n + j];
    return a;
}

void compare_product(Index n, Index columns, bool squared) {
    const auto a = symmetric_matrix(n), v = random_weights(n * columns, 5);
    std::vector<double> out(n * columns, -1.0), again(n * columns);
    scan::symmetric_product({a.data(), n}, squared, v.data(), columns, out.data());
    for (Index i = 0; i < n; ++i)
        for (Index t = 0; t < columns; ++t) {
            double sum = 0.0;
            for (Index j = 0; j < n; ++j)
                sum += (squared ? a[i * n + j] * a[i * n + j] : a[i * n + j]) * v[j * columns + t];
            CHECK(std::abs(out[i * columns + t] - sum) < 1e-12 * n);
        }
    const int before = set_threads(7);
    scan::symmetric_product({a.data(), n}, squared, v.data(), columns, again.data());
    set_threads(before);
    CHECK(out == again);
}

void compare_kernels(const scan::Kernels& kernels) {
    constexpr Index rows = 5, cols = 139, ld = 16;
    const auto a = random_weights(rows * cols, 7), x = random_weights(cols * ld, 9),
               u = random_weights(rows * ld, 11);
    std::vector<double> y(cols * ld, 1.0), v(rows * ld, 2.0);
    kernels.both_products(a.data(), cols, rows, cols, false,
                          {ld, x.data(), y.data(), u.data(), v.data()});
    for (Index t = 0; t < ld; ++t) {
        for (Index j = 0; j < cols; ++j) {
            double sum = 1.0;
            for (Index k = 0; k < rows; ++k) sum += a[k * cols + j] * u[k * ld + t];
            CHECK(std::abs(y[j * ld + t] - sum) < 1e-12);
        }
        for (Index k = 0; k < rows; ++k) {
            double sum = 2.0;
            for (Index j = 0; j < cols; ++j) sum += a[k * cols + j] * x[j * ld + t];
            CHECK(std::abs(v[k * ld + t] - sum) < 1e-12);
        }
    }
}

TEST(symmetric_products) {
    for (const Index n : {1, 2, 63, 64, 65, 200, 331})
        for (const Index columns : {1, 8, 11})
            for (const bool squared : {false, true}) compare_product(n, columns, squared);
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512})
        if (const scan::Kernels* kernels = scan::kernels_of(which)) compare_kernels(*kernels);
}

// A square and its mirror image in one matrix, for every instruction set.
void compare_mirrors(const scan::Kernels& kernels) {
    constexpr Index n = 2 * mirror_side;
    auto a = symmetric_matrix(n);
    const double *const low = a.data() + mirror_side * n, *const high = a.data() + mirror_side;
    double out[2] = {0.0, 0.0};
    CHECK(kernels.is_mirrored(low, high, n, low, high, out));
    double least = 0.0, most = 0.0;
    for (Index i = mirror_side; i < n; ++i)
        for (Index j = 0; j < mirror_side; ++j) {
            least = std::min(least, a[i * n + j]);
            most = std::max(most, a[i * n + j]);
        }
    CHECK(out[0] == least && out[1] == most);
    for (const Index at : {0, 17, 63}) {
        const double given = a[at * n + mirror_side + 2 * at % 64];
        a[at * n + mirror_side + 2 * at % 64] += 1.0;
        CHECK(!kernels.is_mirrored(low, high, n, low, high, out));
        a[at * n + mirror_side + 2 * at % 64] = given;
    }
    CHECK(kernels.is_mirrored(low, high, n, low, high, out));
}

TEST(mirrored_squares) {
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512})
        if (const scan::Kernels* kernels = scan::kernels_of(which)) compare_mirrors(*kernels);
}

TEST(measured_symmetry) {
    constexpr Index n = 150;
    auto a = symmetric_matrix(n);
    CHECK(scan::symmetry({a.data(), n}).worst == 0.0);
    for (const Index other : {5, 70, 140}) {  // on the diagonal's square, in a whole one, in a part
        const double given = a[3 * n + other];
        a[3 * n + other] += 0.25;
        CHECK(std::abs(scan::symmetry({a.data(), n}).worst - 0.25) < 1e-15);
        a[3 * n + other] = given;
    }
    CHECK(scan::symmetry({a.data(), n}).worst == 0.0);
    a[7] = -4.0, a[7 * n] = 9.0;
    const auto found = scan::symmetry({a.data(), n});
    CHECK(found.least == -4.0 && found.most == 9.0 && found.worst == 13.0);
    a[80 * n + 6] = a[6 * n + 80] = a[5 * n + 6] = a[6 * n + 5] =
        std::numeric_limits<double>::quiet_NaN();
    CHECK(scan::symmetry({a.data(), n}).worst == 13.0);
    a[6 * n + 5] = 1.0;
    CHECK(std::isinf(scan::symmetry({a.data(), n}).worst));
    CHECK(scan::symmetry({a.data(), 0}).most == 0.0);
}

}  // namespace
}  // namespace stylobate
