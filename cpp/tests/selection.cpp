#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "descend/subsets.hpp"
#include "descend/sweeps.hpp"
#include "reference.hpp"
#include "scan/information.hpp"

namespace stylobate {
namespace {

using namespace tests;

// The table handed over as ψ: any function of the counts serves to compare them.
std::vector<double> table(Index n) {
    std::vector<double> values(n + 1);
    for (Index i = 0; i <= n; ++i) values[i] = static_cast<double>(i) + 1.0 / (i + 1.0);
    return values;
}

double joint_by_hand(const MatrixView<double>& x, Index j, const std::vector<double>& y, Index k,
                     const std::vector<double>& psi) {
    const Index n = x.rows;
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
        std::vector<double> distance;
        for (Index l = 0; l < n; ++l)
            if (l != i)
                distance.push_back(std::max(std::fabs(x(i, j) - x(l, j)), std::fabs(y[i] - y[l])));
        std::sort(distance.begin(), distance.end());
        const double radius = std::nextafter(distance[k - 1], 0.0);
        Index nx = 0, ny = 0;
        for (Index l = 0; l < n; ++l) {
            nx += std::fabs(x(i, j) - x(l, j)) <= radius;
            ny += std::fabs(y[i] - y[l]) <= radius;
        }
        sum += psi[nx] + psi[ny];
    }
    return sum / static_cast<double>(n);
}

// Σ (y − Xw)² of the best w on some columns, by Cholesky-free elimination of the normal equations.
double residual(const std::vector<double>& gram, Index q, std::uint64_t columns) {
    std::vector<double> a = gram;
    for (Index k = 0; k + 1 < q; ++k) {
        if (!(columns >> k & 1)) continue;
        for (Index i = 0; i < q; ++i) {
            const double factor = a[i * q + k] / a[k * q + k];
            const bool later = i > k && (i + 1 == q || (columns >> i & 1));
            if (later)
                for (Index j = 0; j < q; ++j) a[i * q + j] -= factor * a[k * q + j];
        }
    }
    return a[q * q - 1];
}

std::vector<double> random_gram(Index q, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::vector<double> z(40 * q), gram(q * q, 0.0);
    for (double& value : z) value = normal(engine);
    for (Index r = 0; r < 40; ++r) {
        for (Index j = 1; j < q; ++j) z[r * q + j] += 0.6 * z[r * q + j - 1];
        for (Index i = 0; i < q; ++i)
            for (Index j = 0; j < q; ++j) gram[i * q + j] += z[r * q + i] * z[r * q + j];
    }
    return gram;
}

std::vector<double> upper_factor(const std::vector<double>& gram, Index q) {
    std::vector<double> r(q * q, 0.0);
    for (Index i = 0; i < q; ++i)
        for (Index j = i; j < q; ++j) {
            double sum = gram[i * q + j];
            for (Index k = 0; k < i; ++k) sum -= r[k * q + i] * r[k * q + j];
            r[i * q + j] = i == j ? std::sqrt(sum) : sum / r[i * q + i];
        }
    return r;
}

}  // namespace

TEST(joint_neighbours_are_those_by_hand) {
    for (const Layout layout : layouts)
        for (const Index n : {2, 3, 17, 70, 300}) {
            Matrix<double> x = random_matrix<double>(n, 3, layout, 51);
            std::vector<double> y(n);
            for (Index i = 0; i < n; ++i) {
                y[i] = std::round(x.at(i, 0)) + 1e-9 * static_cast<double>(i % 13);
                x.at(i, 1) = std::round(x.at(i, 1)) * 1e8 + 1e-3 * static_cast<double>(i);
            }
            const std::vector<double> psi = table(n);
            for (const Index k : {1, 2, 5}) {
                if (k >= n) continue;
                const auto found = scan::joint_neighbour_counts(x.view, y.data(), k, psi.data());
                for (Index j = 0; j < 3; ++j)
                    CHECK_CLOSE(found[j], joint_by_hand(x.view, j, y, k, psi), 1e-9);
            }
        }
}

TEST(equal_values_have_no_distance) {
    const std::vector<double> x(20, 3.0), psi = table(20);
    const auto found =
        scan::joint_neighbour_counts({x.data(), 20, 1, 1, 1}, x.data(), 2, psi.data());
    CHECK_CLOSE(found[0], 2.0 * psi[20], 1e-12);
    const double tiny = std::numeric_limits<double>::denorm_min();
    const double extreme[] = {-1e308, -tiny, 0.0, tiny, 1e308};
    const auto wide = scan::joint_neighbour_counts({extreme, 5, 1, 1, 1}, extreme, 1, psi.data());
    CHECK(std::isfinite(wide[0]));
}

TEST(class_neighbours_are_those_by_hand) {
    const Index n = 60, k = 3;
    Matrix<double> x = random_matrix<double>(n, 2, Layout::rows, 52);
    std::vector<Index> codes(n);
    for (Index i = 0; i < n; ++i) codes[i] = i < 2 ? 2 : i % 2;  // the last class has two rows
    const std::vector<double> psi = table(n);
    const auto found = scan::class_neighbour_counts(x.view, codes.data(), 3, k, psi.data());
    for (Index j = 0; j < 2; ++j) {
        double sum = 0.0;
        for (Index i = 0; i < n; ++i) {
            std::vector<double> own;
            for (Index l = 0; l < n; ++l)
                if (l != i && codes[l] == codes[i])
                    own.push_back(std::fabs(x.at(i, j) - x.at(l, j)));
            std::sort(own.begin(), own.end());
            const auto last = std::min<std::size_t>(k, own.size()) - 1;
            const double radius = std::nextafter(own[last], 0.0);
            Index m = 0;
            for (Index l = 0; l < n; ++l) m += std::fabs(x.at(i, j) - x.at(l, j)) <= radius;
            sum += psi[m];
        }
        CHECK_CLOSE(found[j], sum / static_cast<double>(n), 1e-10);
    }
}

TEST(best_subsets_beat_all_others) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        const Index q = 9, p = q - 1;
        const std::vector<double> gram = random_gram(q, seed);
        const std::vector<double> factor = upper_factor(gram, q);
        const auto found = descend::best_subsets(factor.data(), p, p);
        std::vector<double> best(q, std::numeric_limits<double>::infinity());
        for (std::uint64_t columns = 0; columns < (std::uint64_t{1} << p); ++columns) {
            const int size = std::popcount(columns);
            best[size] = std::min(best[size], residual(gram, q, columns));
        }
        for (Index m = 0; m <= p; ++m) {
            CHECK_CLOSE(found.squares[m], best[m], 1e-9 * best[0]);
            CHECK(std::popcount(found.columns[m]) == m);
            CHECK_CLOSE(residual(gram, q, found.columns[m]), best[m], 1e-9 * best[0]);
        }
        CHECK(found.nodes < (1 << p));
        const auto small = descend::best_subsets(factor.data(), p, 2);
        CHECK_CLOSE(small.squares[2], best[2], 1e-9 * best[0]);
    }
}

TEST(one_column_has_two_subsets) {
    const double r[] = {2.0, 3.0, 0.0, 1.0};
    const auto found = descend::best_subsets(r, 1, 1);
    CHECK_CLOSE(found.squares[0], 10.0, 1e-12);
    CHECK_CLOSE(found.squares[1], 1.0, 1e-12);
}

TEST(columns_come_and_go) {
    const Index q = 6;
    const std::vector<double> gram = random_gram(q, 9), other = random_gram(q, 10);
    std::vector<double> a = gram, w = other, column(q), share(q);
    const descend::Swept state{a.data(), w.data(), q};
    std::uint64_t inside = 0;
    for (const Index k : {0, 3, 1, 0, 4, 3, 2, 0}) {
        const std::uint64_t flipped = inside ^ (std::uint64_t{1} << k);
        const double before = descend::training_squares(state, k, q - 1);
        CHECK_CLOSE(before, residual(gram, q, flipped), 1e-9 * gram[q * q - 1]);
        const double outside = descend::validation_squares(state, k, q - 1);
        descend::flip(state, k, !(inside >> k & 1), column.data(), share.data());
        inside = flipped;
        CHECK_CLOSE(a[q * q - 1], before, 1e-9 * gram[q * q - 1]);
        CHECK_CLOSE(w[q * q - 1], outside, 1e-9 * other[q * q - 1]);
        // the validation error of the coefficients themselves
        std::vector<double> v(q, 0.0);
        v[q - 1] = 1.0;
        for (Index j = 0; j + 1 < q; ++j)
            if (inside >> j & 1) v[j] = -a[j * q + q - 1];
        double form = 0.0;
        for (Index i = 0; i < q; ++i)
            for (Index j = 0; j < q; ++j) form += v[i] * other[i * q + j] * v[j];
        CHECK_CLOSE(form, outside, 1e-8 * other[q * q - 1]);
    }
}

}  // namespace stylobate
