// Moments of parts and unions of parts, and ridge regressions from them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "check.hpp"
#include "descend/normal_equations.hpp"
#include "reference.hpp"
#include "scan/moments.hpp"
#include "scan/unions.hpp"

namespace stylobate {
namespace {

using namespace tests;

using Dense = scan::Rows<scan::DenseFeatures<double>>;

bool same(const scan::Moments& a, const scan::Moments& b) {
    return a.n_rows == b.n_rows && a.weight == b.weight && a.mean == b.mean &&
           a.scatter == b.scatter;
}

// Parts one after the other.
struct Stack {
    explicit Stack(const std::vector<scan::Moments>& parts) {
        for (const scan::Moments& part : parts) {
            weight.push_back(part.weight);
            mean.insert(mean.end(), part.mean.begin(), part.mean.end());
            scatter.insert(scatter.end(), part.scatter.begin(), part.scatter.end());
        }
        q = static_cast<Index>(parts[0].mean.size());
    }
    scan::MomentsStack view() const {
        return {weight.data(), mean.data(), scatter.data(), static_cast<Index>(weight.size()), q};
    }
    std::vector<double> weight, mean, scatter;
    Index q;
};

std::vector<scan::Part> cut(Index n, Index count) {
    std::vector<scan::Part> parts;
    for (Index k = 0; k < count; ++k) parts.push_back({k * n / count, (k + 1) * n / count});
    return parts;
}

}  // namespace

TEST(parts_have_the_bits_of_rows_alone) {
    const Index n = 9000;
    const Matrix<double> x = random_matrix<double>(n, 7, Layout::padded_rows, 3);
    const Matrix<double> y = random_matrix<double>(n, 2, Layout::rows, 4);
    const std::vector<double> weights = random_weights(n, 5);
    for (const double* w : {static_cast<const double*>(nullptr), weights.data()}) {
        const Dense rows(scan::DenseFeatures<double>(x.view), y.view, w);
        const std::vector<scan::Part> parts{{0, 1}, {100, 100}, {3, 5000}, {8999, 9000}, {0, 9000}};
        const auto found = scan::moments_of_parts(rows, parts);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const auto [first, last] = parts[k];
            const MatrixView<double> some{x.view.row(first), last - first, 7, x.view.row_stride, 1};
            const MatrixView<double> targets{y.view.row(first), last - first, 2, 2, 1};
            const double* own = w == nullptr ? nullptr : w + first;
            CHECK(same(found[k],
                       scan::moments(Dense(scan::DenseFeatures<double>(some), targets, own))));
        }
    }
}

TEST(parts_in_an_order_are_parts_of_copied_rows) {
    const Index n = 700;
    const Matrix<double> x = random_matrix<double>(n, 5, Layout::columns, 3);
    const Matrix<double> y = random_matrix<double>(n, 1, Layout::rows, 4);
    const std::vector<double> weights = random_weights(n, 5);
    std::vector<std::int64_t> order(n);
    for (Index i = 0; i < n; ++i) order[i] = (i * 389) % n;
    Matrix<double> x_copy = make_matrix<double>(n, 5, Layout::rows);
    Matrix<double> y_copy = make_matrix<double>(n, 1, Layout::rows);
    std::vector<double> w_copy(n);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < 5; ++j) x_copy.at(i, j) = x.view(order[i], j);
        y_copy.at(i, 0) = y.view(order[i], 0);
        w_copy[i] = weights[order[i]];
    }
    const Dense rows(scan::DenseFeatures<double>(x.view), y.view, weights.data());
    const Dense copied(scan::DenseFeatures<double>(x_copy.view), y_copy.view, w_copy.data());
    const auto found = scan::moments_of_parts(rows.in_order({order.data(), n}), cut(n, 3));
    const auto right = scan::moments_of_parts(copied, cut(n, 3));
    for (std::size_t k = 0; k < 3; ++k) CHECK(same(found[k], right[k]));
}

TEST(parts_of_many_columns) {
    const Matrix<double> x = random_matrix<double>(40, 650, Layout::rows, 1);
    const MatrixView<double> none{nullptr, 40, 0, 0, 0};
    const Dense rows(scan::DenseFeatures<double>(x.view), none, nullptr);
    const auto found = scan::moments_of_parts(rows, {{0, 40}, {5, 20}});
    CHECK(same(found[0], scan::moments(rows)));
    CHECK(found[1].n_rows == 15);
}

TEST(unions_are_the_rows_together) {
    const Index n = 600, q = 4;
    Matrix<double> x = random_matrix<double>(n, q, Layout::rows, 8);
    for (Index i = 0; i < n; ++i) x.at(i, 2) = 1e9 / 3.0;  // a constant column stays exact
    const MatrixView<double> none{nullptr, n, 0, 0, 0};
    std::vector<double> weights = random_weights(n, 2);
    std::fill(weights.begin(), weights.begin() + 60, 0.0);  // the first part has no weight
    const Dense rows(scan::DenseFeatures<double>(x.view), none, weights.data());
    const Stack stack(scan::moments_of_parts(rows, cut(n, 10)));
    for (const bool many : {false, true}) {  // few unions, and so many that beginnings are shared
        std::vector<Index> offsets{0}, members;
        std::vector<std::pair<Index, Index>> missing;
        for (Index k = 0; k < (many ? 10 : 3); ++k)
            for (Index width = 1; width < (many ? 4 : 2); ++width) {
                for (Index part = 0; part < 10; ++part)
                    if (part < k || part >= k + width) members.push_back(part);
                offsets.push_back(static_cast<Index>(members.size()));
                missing.emplace_back(k, k + width);
            }
        const scan::Unions found = scan::merge_parts(stack.view(), offsets, members);
        for (std::size_t u = 0; u < missing.size(); ++u) {
            std::vector<double> own = weights;
            const auto [a, b] = missing[u];
            std::fill(own.begin() + a * 60, own.begin() + std::min(b * 60, n), 0.0);
            const NaiveMoments right = naive_moments(x.view, none, own.data());
            CHECK_CLOSE(found.weight[u], right.weight, 1e-12 * n);
            for (Index j = 0; j < q; ++j) {
                CHECK_CLOSE(found.mean[u * q + j], right.mean[j], 1e-13 * (1.0 + found.mean[j]));
                for (Index i = 0; i < q; ++i) {
                    const double got = found.scatter[(u * q + j) * q + i];
                    CHECK(got == found.scatter[(u * q + i) * q + j]);
                    if (i == 2 || j == 2)
                        CHECK(got == 0.0);
                    else
                        CHECK_CLOSE(got, right.scatter[j * q + i], 1e-10);
                }
            }
        }
    }
}

TEST(ridges_solve_their_equations) {
    for (const Index p : {0, 1, 3, 17, 60})
        for (const Index t : {1, 2}) {
            const Matrix<double> x = random_matrix<double>(200, p, Layout::rows, 6);
            const Matrix<double> y = random_matrix<double>(200, t, Layout::rows, 7);
            const Dense rows(scan::DenseFeatures<double>(x.view), y.view, nullptr);
            const Stack stack(scan::moments_of_parts(rows, {{0, 200}, {0, 150}}));
            const Index q = p + t;
            const std::vector<double> alpha{0.5, t == 1 ? 0.5 : 30.0, 0.0, 0.0};
            const std::vector<descend::RidgeFit> fits{{1, alpha.data()}, {0, alpha.data() + 2}};
            std::vector<double> coef(2 * p * t), bound(2);
            descend::solve_ridges({stack.scatter.data(), 2, q, t}, fits.data(), 2, coef.data(),
                                  bound.data());
            for (Index k = 0; k < 2; ++k) {
                const double* scatter = stack.scatter.data() + fits[k].scatter * q * q;
                CHECK(bound[k] >= 1.0);
                CHECK(bound[k] < 1e4);
                for (Index target = 0; target < t; ++target)
                    for (Index i = 0; i < p; ++i) {
                        long double sum = fits[k].alpha[target] * coef[(k * p + i) * t + target];
                        for (Index j = 0; j < p; ++j)
                            sum += static_cast<long double>(scatter[i * q + j]) *
                                   coef[(k * p + j) * t + target];
                        CHECK_CLOSE(sum, scatter[i * q + p + target], 1e-9);
                    }
            }
        }
}

TEST(forms_are_sums_over_residuals) {
    for (const Index p : {0, 1, 5, 40})
        for (const Index t : {1, 3}) {
            const Index n = 100, q = p + t;
            const Matrix<double> x = random_matrix<double>(n, p, Layout::rows, 6);
            const Matrix<double> y = random_matrix<double>(n, t, Layout::rows, 7);
            const Dense rows(scan::DenseFeatures<double>(x.view), y.view, nullptr);
            const Stack stack(scan::moments_of_parts(rows, {{0, 50}, {0, n}}));
            const Matrix<double> w = random_matrix<double>(2 * p, t, Layout::rows, 8);
            const Index which[] = {1, 1};
            std::vector<descend::Forms> found(2 * t);
            descend::quadratic_forms({stack.scatter.data(), 2, q, t}, which, w.memory.data(), 2,
                                     found.data());
            for (Index k = 0; k < 2; ++k)
                for (Index target = 0; target < t; ++target) {
                    std::vector<long double> residuals(n);
                    long double mean = 0.0, squares = 0.0;
                    for (Index i = 0; i < n; ++i) {
                        residuals[i] = y.view(i, target);
                        for (Index j = 0; j < p; ++j)
                            residuals[i] -=
                                static_cast<long double>(x.view(i, j)) * w.view(k * p + j, target);
                        mean += residuals[i] / n;
                    }
                    for (const long double r : residuals) squares += (r - mean) * (r - mean);
                    const auto [value, terms] = found[k * t + target];
                    CHECK(terms >= value * (1.0 - 1e-12));
                    CHECK_CLOSE(value, squares, 1e-12 * terms);
                }
        }
}

TEST(the_bound_is_never_below_the_condition) {
    // Two columns of correlation r: the scaled matrix is [1 r; r 1], κ₁ = (1 + |r|)²/(1 − r²).
    for (const double r : {0.0, 0.5, -0.9, 0.999999}) {
        const std::vector<double> scatter{4.0, 20.0 * r, 1.0, 20.0 * r, 100.0, 1.0, 1.0, 1.0, 9.0};
        const double alpha = 0.0;
        const descend::RidgeFit fit{0, &alpha};
        double coef[2], bound;
        descend::solve_ridges({scatter.data(), 1, 3, 1}, &fit, 1, coef, &bound);
        const double exact = (1.0 + std::abs(r)) * (1.0 + std::abs(r)) / (1.0 - r * r);
        CHECK(bound >= exact * (1.0 - 1e-12));
        CHECK(bound <= 4.0 * exact);
    }
}

TEST(dependent_columns_have_no_bound) {
    const std::vector<double> dependent{1.0, 2.0, 1.0, 2.0, 4.0, 1.0, 1.0, 1.0, 9.0};
    const std::vector<double> constant{0.0, 0.0, 0.0, 0.0, 4.0, 1.0, 0.0, 1.0, 9.0};
    for (const auto& scatter : {dependent, constant}) {
        const double alpha = 0.0;
        const descend::RidgeFit fit{0, &alpha};
        double coef[2], bound;
        descend::solve_ridges({scatter.data(), 1, 3, 1}, &fit, 1, coef, &bound);
        CHECK(!(bound < 1e12));
    }
}

}  // namespace stylobate
