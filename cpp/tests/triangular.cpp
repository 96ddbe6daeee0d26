#include "scan/triangular.hpp"

#include <limits>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;

double value(double x) {
    return x;
}
double value(Extended x) {
    return static_cast<double>(x);
}
long double wide(double x) {
    return x;
}
long double wide(Extended x) {
    return static_cast<long double>(x.hi) + x.lo;
}

// RᵀR − Σ w [1, z][1, z]ᵀ, relative to the sizes of the two columns.
template <class Scalar>
void check_gram(const std::vector<Scalar>& r, const std::vector<std::vector<long double>>& rows,
                double tolerance) {
    const auto size = static_cast<Index>(std::sqrt(static_cast<double>(r.size())) + 0.5);
    std::vector<long double> gram(r.size(), 0);
    for (const auto& row : rows)
        for (Index i = 0; i < size; ++i)
            for (Index j = 0; j < size; ++j) gram[i * size + j] += row[i] * row[j];
    for (Index i = 0; i < size; ++i)
        for (Index j = 0; j < size; ++j) {
            long double sum = 0;
            for (Index l = 0; l <= std::min(i, j); ++l)
                sum += wide(r[l * size + i]) * wide(r[l * size + j]);
            const long double norms = std::sqrt(gram[i * size + i] * gram[j * size + j]);
            CHECK_CLOSE(sum - gram[i * size + j], 0.0, tolerance * static_cast<double>(norms));
            if (i > j) CHECK(value(r[i * size + j]) == 0.0);
        }
}

template <class T>
std::vector<std::vector<long double>> weighted_rows(const MatrixView<T>& x,
                                                    const MatrixView<double>& y, const double* w) {
    std::vector<std::vector<long double>> rows(x.rows);
    for (Index i = 0; i < x.rows; ++i) {
        const long double root = w == nullptr ? 1.0L : std::sqrt(static_cast<long double>(w[i]));
        rows[i].push_back(root);
        for (Index j = 0; j < x.cols; ++j) rows[i].push_back(root * x(i, j));
        for (Index j = 0; j < y.cols; ++j) rows[i].push_back(root * y(i, j));
    }
    return rows;
}

template <class Scalar, class T>
void check_factor(Index n, Index p, Layout layout, bool weighted, double tolerance) {
    const Matrix<T> x = random_matrix<T>(n, p, layout, 21);
    const Matrix<double> y = random_matrix<double>(n, 1, Layout::rows, 22);
    const std::vector<double> weights = random_weights(n, 23);
    const double* w = weighted ? weights.data() : nullptr;
    const scan::Rows rows(scan::DenseFeatures<T>(x.view), y.view, w);
    check_gram(scan::triangular<Scalar>(rows), weighted_rows(x.view, y.view, w), tolerance);
}

std::vector<double> factor_of(const MatrixView<double>& x) {
    return scan::triangular<double>(scan::Rows(scan::DenseFeatures<double>(x), {}, nullptr));
}

}  // namespace

TEST(triangular_factor_of_every_layout) {
    for (const Layout layout : layouts)
        for (const bool weighted : {false, true})
            for (const Index p : {1, 4, 9}) {
                check_factor<double, double>(40, p, layout, weighted, 1e-14);
                check_factor<double, float>(40, p, layout, weighted, 1e-14);
                check_factor<Extended, double>(40, p, layout, weighted, 1e-17);
            }
}

TEST(triangular_factor_of_several_blocks_and_units) {
    for (const Index n : {1, 2, 5, 255, 256, 257, 4096, 4097, 9000}) {
        check_factor<double, double>(n, 3, Layout::rows, n % 2 == 0, 1e-13);
        check_factor<Extended, float>(n, 3, Layout::columns, n % 2 == 1, 1e-16);
    }
}

TEST(triangular_factor_of_compressed_rows) {
    const Compressed<double, std::int32_t> x(random_matrix<double>(300, 6, Layout::rows, 24));
    const MatrixView<double> none{nullptr, 300, 0, 0, 0};
    const scan::Rows rows(scan::SparseFeatures(x.view()), none, nullptr);
    check_gram(scan::triangular<double>(rows), weighted_rows(x.dense.view, none, nullptr), 1e-14);
}

TEST(triangular_factor_of_nothing_is_zero) {
    CHECK(factor_of({nullptr, 0, 2, 2, 1}) == std::vector<double>(9, 0.0));
    const std::vector<double> ones = factor_of({nullptr, 4, 0, 0, 1});
    CHECK(ones.size() == 1 && std::fabs(ones[0]) == 2.0);
}

TEST(triangular_factor_of_any_scale) {  // squares of these leave the range of double
    const Matrix<double> x = random_matrix<double>(600, 3, Layout::rows, 25);
    const std::vector<double> plain = factor_of(x.view);
    for (const int exponent : {-1000, -600, -400, 400, 900}) {
        Matrix<double> scaled = x;
        scaled.view.data = scaled.memory.data();
        for (double& entry : scaled.memory) entry = std::ldexp(entry, exponent);
        const std::vector<double> r = factor_of(scaled.view);
        const std::vector<Extended> extended = scan::triangular<Extended>(
            scan::Rows(scan::DenseFeatures<double>(scaled.view), {}, nullptr));
        for (Index i = 0; i < 4; ++i)
            for (Index j = std::max<Index>(i, 1); j < 4; ++j) {
                const double expected = plain[4 * i + j], size = std::fabs(plain[j]) + 30.0;
                CHECK_CLOSE(std::ldexp(r[4 * i + j], -exponent), expected, 1e-13 * size);
                CHECK_CLOSE(std::ldexp(value(extended[4 * i + j]), -exponent), expected,
                            1e-13 * size);
            }
    }
}

TEST(triangular_factor_shows_what_is_not_finite) {
    Matrix<double> x = random_matrix<double>(300, 2, Layout::rows, 26);
    x.at(299, 0) = std::numeric_limits<double>::quiet_NaN();
    CHECK(!std::isfinite(factor_of(x.view)[4]));
    x.at(299, 0) = std::numeric_limits<double>::infinity();
    CHECK(!std::isfinite(factor_of(x.view)[4]));
}

TEST(merged_factors_are_the_factor_of_all_rows) {
    const Matrix<double> x = random_matrix<double>(500, 5, Layout::rows, 27);
    const MatrixView<double> head{x.view.data, 200, 5, 5, 1}, tail{x.view.row(200), 300, 5, 5, 1};
    const auto run = [&](auto scalar, double tolerance) {
        using Scalar = decltype(scalar);
        const auto factor = [](const MatrixView<double>& part) {
            return scan::triangular<Scalar>(
                scan::Rows(scan::DenseFeatures<double>(part), {}, nullptr));
        };
        std::vector<Scalar> merged = factor(head);
        scan::merge_triangular(merged.data(), factor(tail).data(), 6);
        check_gram(merged, weighted_rows(x.view, {}, nullptr), tolerance);
        const std::vector<Scalar> before = merged, nothing(36, Scalar(0.0));
        scan::merge_triangular(merged.data(), nothing.data(), 6);
        for (Index i = 0; i < 36; ++i) CHECK(value(merged[i]) == value(before[i]));
    };
    run(0.0, 1e-14);
    run(Extended(0.0), 1e-17);
}

TEST(triangular_factors_have_the_same_bits_with_any_threads) {
    const Matrix<double> x = random_matrix<double>(20000, 4, Layout::rows, 28);
    set_threads(1);
    const std::vector<double> alone = factor_of(x.view);
    for (const int count : {2, 7}) {
        set_threads(count);
        CHECK(factor_of(x.view) == alone);
    }
    set_threads(0);
}

TEST(solve_triangular_by_hand) {
    // Columns a = (1,1,1,1), b = (0,1,2,3), target 1 + 2b + (1,−1,−1,1): orthogonal to a and b.
    const double x[] = {0, 2, 1, 2, 2, 4, 3, 8};
    const scan::Rows rows(scan::DenseFeatures<double>({x, 4, 2, 2, 1}), {}, nullptr);
    const std::vector<Extended> r = scan::triangular<Extended>(rows);
    const scan::LeastSquares fit = scan::solve_triangular(r.data(), 3, 2);
    CHECK_CLOSE(fit.coefficients[0], 1.0, 0.0);
    CHECK_CLOSE(fit.coefficients[1], 2.0, 0.0);
    CHECK_CLOSE(fit.residual_squares[0], 4.0, 0.0);
    const double inverse_gram[] = {0.7, -0.3, -0.3, 0.2};  // of [[4, 6], [6, 14]]
    for (Index i = 0; i < 4; ++i) CHECK_CLOSE(fit.inverse_gram[i], inverse_gram[i], 0.0);
}

TEST(solve_triangular_inverts) {
    constexpr Index k = 150;  // large enough for several chunks
    const Matrix<double> x = random_matrix<double>(400, k, Layout::rows, 29);
    const Matrix<double> y = random_matrix<double>(400, 2, Layout::rows, 30);
    const scan::Rows rows(scan::DenseFeatures<double>(x.view), y.view, nullptr);
    const std::vector<Extended> r = scan::triangular<Extended>(rows);
    const Index size = k + 3;
    const scan::LeastSquares fit = scan::solve_triangular(r.data(), size, k + 1);
    for (Index i = 0; i <= k; ++i)  // (RᵀR)·inverse = 1 and Rᵀ(R b − c) = 0
        for (Index j = 0; j <= k; j += 10) {
            long double unit = 0, normal = 0;
            for (Index l = 0; l <= k; ++l) {
                long double gram = 0;
                for (Index m = 0; m <= std::min(i, l); ++m)
                    gram += wide(r[m * size + i]) * wide(r[m * size + l]);
                unit += gram * fit.inverse_gram[l * (k + 1) + j];
                normal += gram * fit.coefficients[2 * l];
            }
            for (Index m = 0; m <= i; ++m)
                normal -= wide(r[m * size + i]) * wide(r[m * size + k + 1]);
            CHECK_CLOSE(unit, i == j ? 1.0 : 0.0, 1e-9);
            CHECK_CLOSE(normal, 0.0, 1e-8);
        }
    const scan::LeastSquares no_columns = scan::solve_triangular(r.data(), size, 0);
    CHECK(no_columns.coefficients.empty() && no_columns.residual_squares.size() == size);
}

}  // namespace stylobate
