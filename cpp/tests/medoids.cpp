// k-medoids and k-centres against loops over all pairs, on odd sizes, with weights and duplicates.
#include "cluster/medoids.hpp"

#include <algorithm>

#include "check.hpp"
#include "cluster/k_centers.hpp"
#include "cluster/medoid_kernels.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using medoids::Costs;
using medoids::Service;

// Costs of a table by tiles, and the same numbers in long double.
struct Points {
    Matrix<double> x;
    Index n;
    std::vector<double> w;

    Points(Index rows, Index columns, unsigned seed)
        : x(random_matrix<double>(rows, columns, Layout::rows, seed)),
          n(rows),
          w(random_weights(rows, seed + 1)) {}
    Costs costs(std::vector<Index> own = {}) const {
        const tile::Pairs pairs =
            tile::Pairs::dense(x.view, x.view, {tile::Measure::squared, 2.0, nullptr});
        return {pairs, pairs, {tile::Map::root, 1.0, 0.0, 1.0}, std::move(own)};
    }
    double d(Index i, Index j) const {
        long double square = 0;
        for (Index l = 0; l < x.view.cols; ++l) {
            const long double t = static_cast<long double>(x.view(i, l)) - x.view(j, l);
            square += t * t;
        }
        return static_cast<double>(std::sqrt(square));
    }
    double total(const std::vector<Index>& medoids) const {
        long double sum = 0;
        for (Index i = 0; i < n; ++i) {
            double best = std::numeric_limits<double>::infinity();
            for (const Index m : medoids) best = std::min(best, d(i, m));
            sum += static_cast<long double>(w[i]) * best;
        }
        return static_cast<double>(sum);
    }
    double radius(const std::vector<Index>& centres) const {
        double worst = 0;
        for (Index i = 0; i < n; ++i) {
            double best = std::numeric_limits<double>::infinity();
            for (const Index c : centres) best = std::min(best, d(i, c));
            worst = std::max(worst, best);
        }
        return worst;
    }
    Matrix<double> matrix() const {
        Matrix<double> all = make_matrix<double>(n, n, Layout::columns);
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) all.at(i, j) = d(i, j);
        return all;
    }
};

void check_service(const Points& p, const Costs& costs, const std::vector<Index>& medoids) {
    Service service(costs);
    service.add(costs, medoids.data(), 1);  // in two calls, numbered on
    service.add(costs, medoids.data() + 1, static_cast<Index>(medoids.size()) - 1);
    service.settle(costs, p.w.data());
    CHECK_CLOSE(service.total(), p.total(medoids), 1e-11 * p.total(medoids));
    for (Index i = 0; i < p.n; ++i) {
        std::vector<double> all;
        for (const Index m : medoids) all.push_back(p.d(i, m));
        CHECK_CLOSE(service.nearest[i], all[static_cast<Index>(service.label[i])], 1e-12);
        std::sort(all.begin(), all.end());
        CHECK_CLOSE(service.nearest[i], all[0], 1e-12);
        CHECK_CLOSE(service.second[i], all[1], 1e-12);
    }
}

void check_sums(const Points& p, const Costs& costs) {
    std::vector<double> levels(p.n), sums(p.n), plain(p.n);
    for (Index i = 0; i < p.n; ++i)
        levels[i] = i % 7 == 0 ? -1.0 : 0.2 * static_cast<double>(i % 9);
    medoids::sum_below(costs, levels.data(), p.w.data(), sums.data());
    medoids::sum_below(costs, nullptr, p.w.data(), plain.data());
    for (Index c = 0; c < p.n; ++c) {
        long double below = 0, all = 0;
        for (Index i = 0; i < p.n; ++i) {
            below += static_cast<long double>(p.w[i]) * std::min(p.d(i, c) - levels[i], 0.0);
            all += static_cast<long double>(p.w[i]) * p.d(i, c);
        }
        CHECK_CLOSE(sums[c], below, 1e-11 * static_cast<double>(p.n));
        CHECK_CLOSE(plain[c], all, 1e-11 * static_cast<double>(all));
    }
}

// No exchange of one medoid is better, and the total is that of the medoids.
void check_settled(const Points& p, const medoids::Found& found) {
    const double total = p.total(found.medoids);
    CHECK(found.settled);
    CHECK_CLOSE(found.totals.back(), total, 1e-11 * total);
    CHECK(std::is_sorted(found.totals.rbegin(), found.totals.rend()));
    for (std::size_t m = 0; m < found.medoids.size(); ++m)
        for (Index c = 0; c < p.n; ++c) {
            std::vector<Index> other = found.medoids;
            other[m] = c;
            CHECK(p.total(other) >= total * (1 - 1e-12));
        }
}

std::vector<Index> first(Index k) {
    std::vector<Index> some(static_cast<std::size_t>(k));
    for (Index i = 0; i < k; ++i) some[i] = i;
    return some;
}

}  // namespace

TEST(medoid_sums_and_services_equal_the_definition) {
    for (const auto& [n, p] : {std::pair<Index, Index>{2, 1}, {25, 3}, {150, 12}, {799, 2}}) {
        const Points points(n, p, 21);
        check_sums(points, points.costs());
        check_service(points, points.costs(), first(std::min<Index>(n, 9)));
    }
    const Points points(70, 4, 22);
    const Matrix<double> matrix = points.matrix();
    check_sums(points, Costs(matrix.view));
    check_service(points, Costs(matrix.view), first(66));  // more than a strip holds
}

TEST(medoid_kernels_agree_between_instruction_sets) {
    constexpr Index points = 5, k = 3;
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        const auto* const set = medoids::kernels_of(isa);
        if (set == nullptr) continue;
        const Index width = tile::kernels_of(isa)->tile_bytes() / 8;
        std::vector<double> c(points * width), gains(width), losses(k * width), sums(width);
        for (Index a = 0; a < points * width; ++a) c[a] = static_cast<double>((a * 7) % 11);
        c[3] = std::numeric_limits<double>::quiet_NaN();
        const double near[] = {1, 2, 0, 3, 1.5}, next[] = {2, 2, 3, 9, 1.75};
        const double w[] = {1, 0, 2, 0.5, 3}, label[] = {0, 1, 2, 0, 1};
        double limits[points];
        for (Index i = 0; i < points; ++i) limits[i] = next[i] * next[i];
        set->medoid_swaps(c.data(), points, true, {limits, near, next, w, label}, gains.data(),
                          losses.data());
        set->medoid_below(c.data(), points, true, limits, next, w, sums.data());
        for (Index j = 0; j < width; ++j) {
            double gain = 0, sum = 0, loss[k] = {};
            for (Index i = 0; i < points; ++i) {
                const double d = std::sqrt(c[i * width + j]);
                if (!(d == d)) continue;
                gain += w[i] * std::min(d - near[i], 0.0);
                sum += w[i] * std::min(d - next[i], 0.0);
                loss[static_cast<Index>(label[i])] +=
                    w[i] * (std::min(std::max(d, near[i]), next[i]) - next[i]);
            }
            CHECK_CLOSE(gains[j], gain, 1e-14);
            CHECK_CLOSE(sums[j], sum, 1e-14);
            for (Index m = 0; m < k; ++m) CHECK_CLOSE(losses[m * width + j], loss[m], 1e-14);
        }
    }
}

TEST(medoid_swaps_end_where_no_swap_is_better) {
    for (const auto& [n, p, k] :
         {std::tuple<Index, Index, Index>{30, 2, 1}, {40, 3, 5}, {210, 2, 3}, {12, 1, 12}}) {
        const Points points(n, p, 23);
        const Costs costs = points.costs();
        for (const bool eager : {true, false})
            check_settled(points,
                          medoids::swap_medoids(costs, first(k), points.w.data(), {eager, 100}));
        const auto built = medoids::build(costs, k, points.w.data());
        check_settled(points, medoids::swap_medoids(costs, built, points.w.data(), {true, 100}));
    }
    const Points points(40, 3, 24);
    const auto stopped =
        medoids::swap_medoids(points.costs(), first(4), points.w.data(), {true, 0});
    CHECK(!stopped.settled && stopped.passes == 0 && stopped.medoids == first(4));
}

TEST(medoids_have_the_same_bits_with_any_number_of_threads) {
    const Points points(1500, 10, 25);
    const Costs costs = points.costs();
    const int before = set_threads(1);
    const auto one = medoids::swap_medoids(costs, first(6), points.w.data(), {true, 100});
    const auto built = medoids::build(costs, 3, points.w.data());
    for (const int threads : {2, 7}) {
        set_threads(threads);
        const auto many = medoids::swap_medoids(costs, first(6), points.w.data(), {true, 100});
        CHECK(one.medoids == many.medoids && one.totals == many.totals);
        CHECK(built == medoids::build(costs, 3, points.w.data()));
    }
    set_threads(before);
}

TEST(points_serve_themselves_where_that_is_defined) {
    Points points(30, 2, 26);
    points.x.at(4, 0) = std::numeric_limits<double>::quiet_NaN();  // at no distance from itself
    const Costs costs = points.costs(first(30));
    Service service(costs);
    const Index own = 4;
    service.add(costs, &own, 1);
    CHECK(service.near[4] == 0.0 && service.near[5] == std::numeric_limits<double>::infinity());
    std::vector<double> levels(30, 1.0), sums(30), ones(30, 1.0);
    medoids::sum_below(costs, levels.data(), ones.data(), sums.data());
    CHECK(sums[4] == -1.0);
}

TEST(centres_equal_the_definition) {
    const Points points(90, 3, 27);
    const Costs costs = points.costs();
    const auto far = medoids::farthest_first(costs, 5, 4);
    CHECK(far.points.size() == 5 && far.points[0] == 5);
    for (std::size_t t = 0; t < 4; ++t) {
        const std::vector<Index> some(far.points.begin(), far.points.begin() + t + 1);
        CHECK_CLOSE(far.radii[t], points.radius(some), 1e-12);
        CHECK(points.d(far.points[t + 1], far.points[0]) >= far.radii[t] - 1e-12);
    }
    const std::vector<Index> centres(far.points.begin(), far.points.begin() + 4);
    Service service(costs);
    service.add(costs, centres.data(), 4);
    const auto best = medoids::best_replacement(costs, service);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < 4; ++m)
        for (Index c = 0; c < points.n; ++c) {
            std::vector<Index> other = centres;
            other[m] = c;
            least = std::min(least, points.radius(other));
        }
    CHECK_CLOSE(best.radius, least, 1e-12);
    std::vector<Index> other = centres;
    other[best.centre] = best.candidate;
    CHECK_CLOSE(points.radius(other), least, 1e-12);
    CHECK(medoids::farthest_first(points.costs(), 0, 90).points.size() == 90);
}

TEST(medoids_that_are_no_candidates_are_refused) {
    const Points points(10, 2, 28);
    const Costs costs = points.costs();
    CHECK_THROWS(InvalidArgument, medoids::build(costs, 11, points.w.data()));
    CHECK_THROWS(InvalidArgument, medoids::swap_medoids(costs, {}, points.w.data(), {}));
    CHECK_THROWS(InvalidArgument, medoids::swap_medoids(costs, {10}, points.w.data(), {}));
    CHECK_THROWS(InvalidArgument, medoids::farthest_first(costs, 10, 2));
    CHECK_THROWS(InvalidArgument,
                 Costs(tile::Pairs::dense(points.x.view, points.x.view, {}),
                       tile::Pairs::dense(points.x.view, points.x.view, {}), {}, {1, 2}));
}

}  // namespace stylobate
