// Sums of bumps by the tree against long double loops over all pairs.
#include "tile/bumps.hpp"

#include <limits>
#include <random>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tile/boxes.hpp"

namespace stylobate {
namespace {

using namespace tests;
using tile::Bumps;
using tile::Map;

constexpr Map every[] = {Map::exponential,  Map::root_exponential, Map::tophat,
                         Map::epanechnikov, Map::linear,           Map::cosine};

long double height(Map kind, long double u) {
    switch (kind) {
        case Map::exponential:
            return -0.5L * u * u;
        case Map::root_exponential:
            return -u;
        case Map::tophat:
            return u < 1 ? 1 : 0;
        case Map::epanechnikov:
            return u < 1 ? 1 - u * u : 0;
        case Map::linear:
            return u < 1 ? 1 - u : 0;
        default:
            return u < 1 ? std::cos(0.5L * 3.14159265358979323846L * u) : 0;
    }
}

long double naive(const MatrixView<double>& q, Index i, const MatrixView<double>& x,
                  const double* w, const Bumps& bumps) {
    const bool logs = bumps.kind == Map::exponential || bumps.kind == Map::root_exponential;
    std::vector<long double> values;
    long double most = -std::numeric_limits<long double>::infinity(), sum = 0;
    for (Index j = 0; j < x.rows; ++j) {
        long double square = 0;
        for (Index l = 0; l < x.cols; ++l) {
            const long double t = static_cast<long double>(q(i, l)) - x(j, l);
            square += t * t;
        }
        values.push_back(height(bumps.kind, std::sqrt(square) / bumps.width));
        if (w == nullptr || w[j] > 0) most = std::max(most, values.back());
    }
    if (!logs) most = 0;
    for (Index j = 0; j < x.rows; ++j)
        if (w == nullptr || w[j] > 0)
            sum += (w == nullptr ? 1 : w[j]) * (logs ? std::exp(values[j] - most) : values[j]);
    return std::log(sum) + most;
}

struct Cloud {
    Matrix<double> x, q;
    std::vector<double> w;
};

// Narrow clusters, copies, queries far from everything.
Cloud cloud(Index n, Index m, Index depth, unsigned seed) {
    Cloud c{random_matrix<double>(n, depth, Layout::padded_rows, seed),
            random_matrix<double>(m, depth, Layout::columns, seed + 1),
            {}};
    for (Index j = 0; j < n; ++j) {
        c.w.push_back(j % 5 == 0 ? 0.0 : 0.25 * static_cast<double>(1 + j % 7));
        for (Index l = 0; l < depth; ++l)
            if (j % 3 == 1)
                c.x.at(j, l) = c.x.at(0, l) + 0.01 * c.x.at(j, l);
            else if (j % 11 == 2)
                c.x.at(j, l) = c.x.at(0, l);
    }
    for (Index i = 0; i < m; i += 7) c.q.at(i, 0) += 60.0;
    return c;
}

// The largest difference of logarithms; infinities must agree.
double worst(const Cloud& c, bool weighted, const Bumps& bumps) {
    const double* const w = weighted ? c.w.data() : nullptr;
    std::vector<double> out(static_cast<std::size_t>(c.q.view.rows));
    tile::log_bump_sums(c.q.view, c.x.view, w, bumps, out.data());
    double most = 0.0;
    for (Index i = 0; i < c.q.view.rows; ++i) {
        const double expected = static_cast<double>(naive(c.q.view, i, c.x.view, w, bumps));
        if (std::isinf(expected) && out[i] == expected) continue;
        const double scale = std::max(1.0, std::fabs(expected));
        const double difference = std::fabs(out[i] - expected) / scale;
        most = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                      : std::max(most, difference);
    }
    return most;
}

}  // namespace

TEST(bumps_are_exact_without_an_error_allowed) {
    for (const Map kind : every)
        for (const Index depth : {1, 2, 3, 5})
            for (const double width : {1e-3, 0.05, 0.7, 4.0, 1e3})
                for (const bool weighted : {false, true}) {
                    const Cloud c = cloud(700, 90, depth, static_cast<unsigned>(depth));
                    const double error = worst(c, weighted, {kind, width});
                    if (!CHECK(error <= 2e-13))
                        std::cerr << "    map " << static_cast<int>(kind) << ", depth " << depth
                                  << ", width " << width << ": " << error << "\n";
                }
}

TEST(bumps_keep_the_error_allowed_and_use_it) {
    double most = 0.0;
    for (const double relative : {1e-2, 1e-5})
        for (const Index depth : {1, 2, 4})
            for (const double width : {0.1, 0.7, 4.0}) {
                const Cloud c = cloud(700, 90, depth, 9);
                for (const Map kind : {Map::exponential, Map::root_exponential}) {
                    const double error = worst(c, true, {kind, width, relative});
                    CHECK(error <= 1.01 * relative);
                    most = std::max(most, error / relative);
                }
            }
    CHECK(most > 1e-4);
}

TEST(bumps_keep_the_absolute_error_allowed) {
    const Cloud c = cloud(500, 60, 2, 3);
    std::vector<double> out(60), exact(60);
    tile::log_bump_sums(c.q.view, c.x.view, nullptr, {Map::cosine, 2.0, 0.0, 1e-3}, out.data());
    tile::log_bump_sums(c.q.view, c.x.view, nullptr, {Map::cosine, 2.0}, exact.data());
    for (Index i = 0; i < 60; ++i)
        CHECK_CLOSE(std::exp(out[i]), std::exp(exact[i]), 1e-3 * 500 * (1 + 1e-12));
}

TEST(bumps_are_the_same_for_any_number_of_threads) {
    const Cloud c = cloud(900, 700, 2, 4);
    std::vector<double> one(700), many(700);
    const int before = set_threads(1);
    tile::log_bump_sums(c.q.view, c.x.view, nullptr, {Map::exponential, 0.3}, one.data());
    set_threads(5);
    tile::log_bump_sums(c.q.view, c.x.view, nullptr, {Map::exponential, 0.3}, many.data());
    set_threads(before);
    CHECK(one == many);
}

TEST(the_tree_finds_the_nearest_point_of_positive_weight) {
    const Cloud c = cloud(600, 40, 3, 5);
    const tile::ArrangedPoints points(c.x.view, c.w.data());
    const tile::Boxes boxes(points.view());
    for (Index i = 0; i < 40; ++i) {
        double best = std::numeric_limits<double>::infinity(), query[3];
        for (Index l = 0; l < 3; ++l) query[l] = c.q.view(i, l);
        for (Index j = 0; j < 600; ++j) {
            double square = 0.0;
            for (Index l = 0; l < 3; ++l) square += std::pow(query[l] - c.x.view(j, l), 2);
            if (c.w[j] > 0.0) best = std::min(best, square);
        }
        CHECK_CLOSE(boxes.nearest(query).square, best, 1e-12 * best);
    }
}

TEST(arranging_keeps_every_point_with_its_weight) {
    for (const Index n : {1, 8, 9, 128, 129, 1000}) {
        const Cloud c = cloud(n, 1, 3, 7);
        const tile::ArrangedPoints points(c.x.view, c.w.data());
        std::vector<std::vector<double>> given, held;
        for (Index i = 0; i < n; ++i)
            if (c.w[i] > 0.0)
                given.push_back(
                    {c.x.view(i, 0), c.x.view(i, 1), c.x.view(i, 2), c.w[i] / points.largest});
        for (Index k = 0; k < points.rows; ++k)
            held.push_back({points.columns[k], points.columns[points.ld + k],
                            points.columns[2 * points.ld + k], points.weights[k]});
        std::sort(given.begin(), given.end());
        std::sort(held.begin(), held.end());
        CHECK(given == held);
    }
}

TEST(equal_and_sorted_points_are_arranged_soon) {
    Matrix<double> x = random_matrix<double>(100000, 1, Layout::rows, 1);
    for (Index i = 0; i < 100000; ++i) x.at(i, 0) = i < 50000 ? 1.0 : static_cast<double>(i);
    const tile::ArrangedPoints points(x.view, nullptr);
    const tile::Boxes boxes(points.view());
    const double query = 60000.25;
    CHECK_CLOSE(boxes.nearest(&query).square, 0.0625, 1e-12);
    CHECK(boxes.node(0).weight == 100000.0);
}

TEST(bumps_refuse_too_many_columns) {
    const Cloud c = cloud(10, 2, 17, 6);
    double out[2];
    CHECK_THROWS(InvalidArgument, tile::log_bump_sums(c.q.view, c.x.view, nullptr, Bumps{}, out));
}

}  // namespace stylobate
