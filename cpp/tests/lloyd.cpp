// Lloyd's iterations: every way, precision and number of threads gives the same bits, and those of
// loops; candidates for starts and stretches of numbers against brute force.
#include "cluster/lloyd.hpp"

#include <cmath>
#include <limits>

#include "check.hpp"
#include "cluster/centres.hpp"
#include "cluster/line.hpp"
#include "cluster/starts.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using cluster::LloydRun;
using cluster::Way;

bool same(const LloydRun& a, const LloydRun& b) {
    return a.labels == b.labels && a.centres == b.centres && a.inertia == b.inertia &&
           a.iterations == b.iterations && a.strict == b.strict;
}

// Labels are those of the nearest centre, and centres the means of their rows.
template <class T>
void check_fixed_point(const LloydRun& run, const MatrixView<T>& x, Index k) {
    const cluster::Centres<T> centres(run.centres.data(), k, x.cols);
    std::vector<long double> sums(run.centres.size()), count(static_cast<std::size_t>(k));
    for (Index i = 0; i < x.rows; ++i) {
        CHECK(run.labels[i] == cluster::nearest_of(x.row(i), centres).label);
        count[run.labels[i]] += 1;
        for (Index l = 0; l < x.cols; ++l)
            sums[run.labels[i] * x.cols + l] += static_cast<long double>(x(i, l));
    }
    const double tolerance = sizeof(T) == sizeof(double) ? 1e-11 : 1e-4;
    for (Index c = 0; c < k; ++c)
        for (Index l = 0; l < x.cols && count[c] > 0; ++l)
            CHECK_CLOSE(run.centres[c * x.cols + l], sums[c * x.cols + l] / count[c], tolerance);
}

template <class T>
void check_ways(Index n, Index p, Index k) {
    const Matrix<T> x = random_matrix<T>(n, p, Layout::padded_rows, 17);
    std::vector<double> start(static_cast<std::size_t>(k * p));
    for (Index c = 0; c < k; ++c)
        for (Index l = 0; l < p; ++l) start[c * p + l] = static_cast<double>(x.view(c, l));
    const MatrixView<double> from{start.data(), k, p, p, 1};
    const int before = set_threads(1);
    const LloydRun expected = cluster::lloyd(x.view, nullptr, from, {200, 0.0, Way::full});
    CHECK(expected.strict || expected.iterations == 1);  // centres that are at rest at once
    check_fixed_point(expected, x.view, k);
    for (const int threads : {1, 2, 7}) {
        set_threads(threads);
        for (const Way way : {Way::full, Way::hamerly, Way::yinyang, Way::elkan})
            CHECK(same(expected, cluster::lloyd(x.view, nullptr, from, {200, 0.0, way})));
    }
    set_threads(before);
}

}  // namespace

TEST(lloyd_every_way_gives_the_same_bits) {
    check_ways<double>(7001, 5, 13);
    check_ways<float>(7001, 5, 13);
    check_ways<double>(3300, 21, 40);
    check_ways<float>(60, 3, 60);
    check_ways<double>(1, 1, 1);
    check_ways<double>(100, 2, 1);
}

TEST(lloyd_tells_of_rows_that_are_not_finite) {
    Matrix<double> x = random_matrix<double>(50, 3, Layout::rows, 3);
    x.at(7, 1) = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> start(6, 1.0);
    const MatrixView<double> from{start.data(), 2, 3, 3, 1};
    CHECK(!std::isfinite(cluster::lloyd(x.view, nullptr, from, {}).inertia));
}

TEST(best_candidate_is_that_of_loops) {
    const Matrix<double> x = random_matrix<double>(5000, 6, Layout::rows, 4);
    const std::vector<Index> candidates = {3, 700, 4999, 3};
    const cluster::BestCandidate first = cluster::best_candidate(x.view, nullptr, {11}, nullptr);
    const cluster::BestCandidate found =
        cluster::best_candidate(x.view, nullptr, candidates, first.closest.data());
    std::vector<double> sums(4);
    for (Index i = 0; i < 5000; ++i)
        for (Index j = 0; j < 4; ++j)
            sums[j] += std::min(first.closest[i],
                                cluster::square(x.view.row(i), x.view.row(candidates[j]), 6));
    const auto least = std::min_element(sums.begin(), sums.end());
    CHECK(found.which == least - sums.begin());
    CHECK_CLOSE(found.potential, *least, 1e-9);
    CHECK(found.closest[candidates[found.which]] == 0.0);
}

TEST(best_stretches_beats_every_cut) {
    const std::vector<double> values = {-3.0, -1.0, 0.0, 0.5, 2.0, 7.0, 7.5, 20.0};
    const std::vector<double> weights = {1.0, 2.0, 1.0, 3.0, 1.0, 0.5, 1.0, 1.0};
    const auto cost = [&](Index b, Index e) {
        double w = 0, mean = 0, sum = 0;
        for (Index i = b; i < e; ++i) w += weights[i], mean += weights[i] * values[i];
        for (Index i = b; i < e; ++i)
            sum += weights[i] * (values[i] - mean / w) * (values[i] - mean / w);
        return sum;
    };
    const std::vector<Index> found = cluster::best_stretches(values.data(), weights.data(), 8, 3);
    CHECK(found[0] == 0);
    const double total = cost(0, found[1]) + cost(found[1], found[2]) + cost(found[2], 8);
    for (Index a = 1; a < 7; ++a)
        for (Index b = a + 1; b < 8; ++b)
            CHECK(total <= cost(0, a) + cost(a, b) + cost(b, 8) + 1e-12);
    CHECK_THROWS(InvalidArgument, cluster::best_stretches(values.data(), weights.data(), 2, 3));
}

}  // namespace stylobate
