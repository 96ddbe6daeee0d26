// Pair descent against the conditions of its optimum, the Gaussian kernel against long doubles, and
// every instruction set against the plain one.
#include <algorithm>
#include <limits>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/parallel.hpp"
#include "svm/gaussian.hpp"
#include "svm/kernels.hpp"
#include "svm/pair_descent.hpp"

namespace stylobate {
namespace {

using namespace tests;
constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<double> gaussian_matrix(const Matrix<double>& x, double gamma) {
    const Index n = x.view.rows;
    std::vector<double> k(n * n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            long double square = 0;
            for (Index l = 0; l < x.view.cols; ++l) {
                const long double t = static_cast<long double>(x.view(i, l)) - x.view(j, l);
                square += t * t;
            }
            k[i * n + j] = static_cast<double>(std::exp(-gamma * square));
        }
    return k;
}

std::vector<Index> first(Index n) {
    std::vector<Index> all(n);
    for (Index i = 0; i < n; ++i) all[i] = i;
    return all;
}

// Classes by the first column; bounds between 0 and y · c.
struct Classes {
    Index n;
    Matrix<double> x;
    std::vector<double> k, diagonal, target, lower, upper, beta, residual;

    Classes(Index rows, unsigned seed, double c)
        : n(rows),
          x(random_matrix<double>(rows, 3, Layout::rows, seed)),
          k(gaussian_matrix(x, 0.5)),
          diagonal(rows, 1.0),
          target(rows),
          lower(rows),
          upper(rows),
          beta(rows, 0.0) {
        for (Index i = 0; i < n; ++i) {
            target[i] = x.view(i, 0) + 0.5 * x.view(i, 1) > 5.0 ? 1.0 : -1.0;
            lower[i] = target[i] > 0.0 ? 0.0 : -c;
            upper[i] = target[i] > 0.0 ? c : 0.0;
        }
        residual = target;
    }
    svm::Variables variables() const {
        return {n, nullptr, target.data(), lower.data(), upper.data(), nullptr};
    }
    // The largest difference of residuals that a feasible pair could lessen.
    double violation() const {
        double rise = -infinite, fall = infinite;
        for (Index i = 0; i < n; ++i) {
            double s = target[i];
            for (Index j = 0; j < n; ++j) s -= k[i * n + j] * beta[j];
            if (beta[i] < upper[i]) rise = std::max(rise, s);
            if (beta[i] > lower[i]) fall = std::min(fall, s);
        }
        return rise - fall;
    }
};

TEST(svm_pairs_end_at_the_optimum) {
    for (const Index n : {2, 7, 33, 300}) {
        Classes classes(n, 3, 1.5);
        svm::StoredRows<double> rows(classes.k.data(), n);
        const auto out =
            svm::descend_pairs<double>(rows, classes.diagonal.data(), classes.variables(),
                                       {1e-9, -1}, classes.beta.data(), classes.residual.data());
        CHECK(out.end == svm::PairEnd::converged && !out.clipped);
        CHECK(classes.violation() <= 1e-8);
        double sum = 0.0;
        for (Index i = 0; i < n; ++i) {
            sum += classes.beta[i];
            CHECK(classes.beta[i] >= classes.lower[i] && classes.beta[i] <= classes.upper[i]);
        }
        CHECK_CLOSE(sum, 0.0, 1e-12);
    }
}

TEST(svm_pairs_of_cached_rows_and_of_singles_agree) {
    const Index n = 90;
    Classes stored(n, 5, 1.0), cached = stored, single = stored;
    svm::StoredRows<double> rows(stored.k.data(), n);
    const svm::PairWish wish{1e-6, -1};
    svm::descend_pairs<double>(rows, stored.diagonal.data(), stored.variables(), wish,
                               stored.beta.data(), stored.residual.data());
    svm::CachedRowSource<double> few(n, n, 3 * n * 8,
                                     [&](const Index* which, Index count, double* out) {
                                         for (Index q = 0; q < count; ++q)
                                             std::copy_n(&stored.k[which[q] * n], n, out + q * n);
                                     });
    svm::descend_pairs<double>(few, cached.diagonal.data(), cached.variables(), wish,
                               cached.beta.data(), cached.residual.data());
    CHECK(cached.beta == stored.beta);
    const std::vector<float> k32(stored.k.begin(), stored.k.end());
    svm::StoredRows<float> singles(k32.data(), n);
    svm::descend_pairs<float>(singles, single.diagonal.data(), single.variables(), wish,
                              single.beta.data(), single.residual.data());
    for (Index i = 0; i < n; ++i) CHECK_CLOSE(single.beta[i], stored.beta[i], 1e-3);
}

TEST(svm_pairs_without_bounds_of_points_that_coincide_have_no_end) {
    const double k[4] = {1.0, 1.0, 1.0, 1.0}, diagonal[2] = {1.0, 1.0};
    const double target[2] = {1.0, -1.0}, lower[2] = {0.0, -infinite}, upper[2] = {infinite, 0.0};
    double beta[2] = {0.0, 0.0}, residual[2] = {1.0, -1.0};
    svm::StoredRows<double> rows(k, 2);
    const auto out = svm::descend_pairs<double>(
        rows, diagonal, {2, nullptr, target, lower, upper, nullptr}, {1e-3, -1}, beta, residual);
    CHECK(out.end == svm::PairEnd::unbounded);
}

TEST(svm_single_gaussian_is_close_and_has_the_same_bits_with_any_threads) {
    for (const Index n : {1, 5, 49, 230}) {
        const Matrix<double> x = random_matrix<double>(n, 4, Layout::padded_rows, 7);
        const svm::SingleGaussian kernel(x.view, 0.3);
        const std::vector<double> exact = gaussian_matrix(x, 0.3);
        const std::vector<Index> all = first(n);
        std::vector<float> block(n * n);
        kernel.write(all.data(), n, all.data(), n, block.data(), n);
        for (Index e = 0; e < n * n; ++e) CHECK_CLOSE(block[e], exact[e], 1e-5);
        std::vector<float> half(n * n);
        kernel.write_symmetric(all.data(), n, half.data());
        for (Index e = 0; e < n * n; ++e) CHECK_CLOSE(half[e], block[e], 1e-6);
        std::vector<double> v(n), out(n), again(n);
        for (Index i = 0; i < n; ++i) v[i] = std::sin(static_cast<double>(i));
        const int before = set_threads(1);
        kernel.multiply(all.data(), n, all.data(), n, v.data(), out.data());
        set_threads(7);
        kernel.multiply(all.data(), n, all.data(), n, v.data(), again.data());
        set_threads(before);
        CHECK(out == again);
        for (Index i = 0; i < n; ++i) {
            double sum = 0.0;
            for (Index j = 0; j < n; ++j) sum += exact[i * n + j] * v[j];
            CHECK_CLOSE(out[i], sum, 1e-5);
        }
    }
}

TEST(svm_kernels_of_all_instruction_sets_agree) {
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        const svm::Kernels* const kernels = svm::kernels_of(isa);
        if (kernels == nullptr) continue;
        std::vector<float> c(96);
        for (Index j = 0; j < 96; ++j) c[j] = 0.7f - 1.4f * static_cast<float>(j);
        std::vector<double> v(48), sums(2 * svm::sum_lanes, 0.0), wanted(2, 0.0);
        for (Index j = 0; j < 48; ++j) v[j] = std::cos(static_cast<double>(j));
        const std::vector<float> exponents = c;
        kernels->svm_powers_of_two(c.data(), 96);
        for (Index j = 0; j < 96; ++j) {
            const double value = j == 0 ? 1.0 : std::exp2(static_cast<double>(exponents[j]));
            CHECK_CLOSE(c[j], value, 3e-7 * value + 1e-37);
            wanted[j / 48] += value * v[j % 48];
        }
        kernels->svm_add_weighted_powers(exponents.data(), 2, 48, v.data(), sums.data());
        for (Index i = 0; i < 2; ++i) {
            double sum = 0.0;
            for (Index h = 0; h < svm::sum_lanes; ++h) sum += sums[i * svm::sum_lanes + h];
            CHECK_CLOSE(sum, wanted[i], 1e-6);
        }
        const double s[5] = {1.0, 3.0, 3.0, 2.0, 9.0}, lift[5] = {0, 0, 0, 0, -infinite};
        CHECK(kernels->svm_largest(s, lift, 5).place == 1);
        const double out[5] = {-infinite, -infinite, -infinite, -infinite, -infinite};
        CHECK(kernels->svm_largest(s, out, 5).place == -1);
    }
}

}  // namespace
}  // namespace stylobate
