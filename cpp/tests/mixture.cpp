#include "cluster/mixture.hpp"

#include <random>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using scan::DenseFeatures;
using scan::DiagonalScores;
using scan::TriangularScores;

struct Mixture {
    Index k, p;
    std::vector<double> bias, mean, scale, factors, shift, zero, scaled;

    Mixture(Index k, Index p, unsigned seed) : k(k), p(p), zero(p, 0.0) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        for (Index c = 0; c < k; ++c) {
            bias.push_back(0.3 * normal(random));
            for (Index j = 0; j < p; ++j) {
                mean.push_back(10.0 * static_cast<double>(j % 7) + normal(random));
                shift.push_back(mean.back() + 0.1 * normal(random));
                scale.push_back(0.5 + std::fabs(normal(random)));
                scaled.push_back(mean.back() * scale.back());
                for (Index i = 0; i < p; ++i)
                    factors.push_back(i < j ? 0.2 * normal(random) : i == j ? scale.back() : 0.0);
            }
        }
    }
    DiagonalScores diagonal() const { return {k, p, bias.data(), scale.data(), scaled.data()}; }
    TriangularScores triangular() const { return {k, p, bias.data(), factors.data(), mean.data()}; }

    // Memberships of a row, and the logarithm of the sum of its densities.
    template <class Row>
    long double memberships(const Row& x, bool full, std::vector<long double>& r) const {
        std::vector<long double> scores(k);
        long double best = -1e300L;
        for (Index c = 0; c < k; ++c) {
            long double square = 0;
            for (Index i = 0; i < p; ++i) {
                long double sum = 0;
                for (Index j = 0; j <= i; ++j)
                    if (full || i == j)
                        sum += static_cast<long double>(factors[(c * p + i) * p + j]) *
                               (static_cast<long double>(x(j)) - mean[c * p + j]);
                square += sum * sum;
            }
            scores[c] = bias[c] - square / 2;
            best = std::max(best, scores[c]);
        }
        long double total = 0;
        for (Index c = 0; c < k; ++c) total += std::exp(scores[c] - best);
        r.resize(k);
        for (Index c = 0; c < k; ++c) r[c] = std::exp(scores[c] - best) / total;
        return best + std::log(total);
    }
};

template <class T>
void check_sums(const MatrixView<T>& x, const Mixture& m, const double* w, bool full) {
    const cluster::MixtureRows<T> rows{DenseFeatures<T>(x), w, m.shift.data()};
    const cluster::MixtureSums found =
        full ? cluster::mixture_sums(rows, m.zero.data(), m.triangular())
             : cluster::mixture_sums(rows, m.zero.data(), m.diagonal());
    const Index size = full ? m.p * m.p : m.p;
    std::vector<long double> weight(m.k), first(m.k * m.p), second(m.k * size), r;
    long double likelihood = 0, entropy = 0;
    for (Index i = 0; i < x.rows; ++i) {
        const long double wi = w == nullptr ? 1.0L : w[i];
        likelihood += wi * m.memberships([&](Index j) { return x(i, j); }, full, r);
        for (Index c = 0; c < m.k; ++c) {
            if (r[c] > 0) entropy -= wi * r[c] * std::log(r[c]);
            weight[c] += wi * r[c];
            for (Index j = 0; j < m.p; ++j) {
                const long double d = static_cast<long double>(x(i, j)) - m.shift[c * m.p + j];
                first[c * m.p + j] += wi * r[c] * d;
                if (!full) second[c * m.p + j] += wi * r[c] * d * d;
                for (Index l = 0; l < m.p && full; ++l)
                    second[(c * m.p + j) * m.p + l] +=
                        wi * r[c] * d * (static_cast<long double>(x(i, l)) - m.shift[c * m.p + l]);
            }
        }
    }
    const double scale = 1e-11 * static_cast<double>(x.rows + 1);
    CHECK_CLOSE(found.log_likelihood, static_cast<double>(likelihood), 20 * scale);
    CHECK_CLOSE(found.entropy, static_cast<double>(entropy), scale);
    for (Index c = 0; c < m.k; ++c) CHECK_CLOSE(found.weight[c], weight[c], scale);
    for (Index j = 0; j < m.k * m.p; ++j) CHECK_CLOSE(found.first[j], first[j], 10 * scale);
    for (Index j = 0; j < m.k * size; ++j) CHECK_CLOSE(found.second[j], second[j], 10 * scale);
}

TEST(mixture_sums_equal_plain_ones) {
    for (const Index p : {1, 3, 8, 21}) {
        const Mixture m(3, p, static_cast<unsigned>(p));
        for (const Layout layout : layouts)
            for (const Index n : {0, 1, 33, 300}) {
                const Matrix<double> x = random_matrix<double>(n, p, layout, 5);
                const Matrix<float> single = random_matrix<float>(n, p, layout, 5);
                std::vector<double> w(n);
                for (Index i = 0; i < n; ++i) w[i] = static_cast<double>(i % 3);
                for (const bool full : {false, true}) {
                    check_sums(x.view, m, nullptr, full);
                    check_sums(x.view, m, w.data(), full);
                    check_sums(single.view, m, nullptr, full);
                }
            }
    }
}

TEST(mixture_sums_do_not_depend_on_threads) {
    const Mixture m(4, 6, 2);
    const Matrix<double> x = random_matrix<double>(20'000, 6, Layout::rows, 1);
    const cluster::MixtureRows<double> rows{DenseFeatures<double>(x.view), nullptr, m.shift.data()};
    const int before = threads();
    cluster::MixtureSums first;
    for (const int count : {1, 2, 7}) {
        set_threads(count);
        const cluster::MixtureSums found =
            cluster::mixture_sums(rows, m.zero.data(), m.triangular());
        if (count == 1) first = found;
        CHECK(found.log_likelihood == first.log_likelihood && found.entropy == first.entropy);
        CHECK(found.weight == first.weight && found.first == first.first &&
              found.second == first.second);
    }
    set_threads(before);
}

TEST(given_memberships_are_summed) {
    const Index n = 700, p = 5, k = 2;
    const Matrix<double> x = random_matrix<double>(n, p, Layout::rows, 3);
    const Mixture m(k, p, 1);
    std::vector<double> r(n * k);
    for (Index i = 0; i < n * k; ++i) r[i] = static_cast<double>(i % 5) / 5.0;
    const cluster::MixtureRows<double> rows{DenseFeatures<double>(x.view), nullptr, m.shift.data()};
    const cluster::MixtureSums full = cluster::membership_sums(rows, r.data(), k, false);
    const cluster::MixtureSums diagonal = cluster::membership_sums(rows, r.data(), k, true);
    for (Index c = 0; c < k; ++c)
        for (Index j = 0; j < p; ++j) {
            long double first = 0, second = 0;
            for (Index i = 0; i < n; ++i) {
                const long double d = static_cast<long double>(x.view(i, j)) - m.shift[c * p + j];
                first += r[i * k + c] * d;
                second += r[i * k + c] * d * d;
            }
            CHECK_CLOSE(full.first[c * p + j], first, 1e-9);
            CHECK_CLOSE(diagonal.first[c * p + j], first, 1e-9);
            CHECK_CLOSE(full.second[(c * p + j) * p + j], second, 1e-9);
            CHECK_CLOSE(diagonal.second[c * p + j], second, 1e-9);
        }
}

}  // namespace
}  // namespace stylobate
