#include <algorithm>
#include <limits>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tile/partition.hpp"
#include "tile/tree.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace tile;

struct Case {
    TreeMetric metric;
    bool cells;  // whether a kd-tree takes it
};

std::vector<Case> cases() {
    return {{{Measure::squared, 2.0, {}}, true},   {{Measure::manhattan, 1.0, {}}, true},
            {{Measure::chebyshev, 1.0, {}}, true}, {{Measure::power, 3.0, {}}, true},
            {{Measure::power, 1.5, {}}, true},     {{Measure::canberra, 1.0, {}}, false},
            {{Measure::hamming, 1.0, {}}, false}};
}

struct Found {
    std::vector<double> values;
    std::vector<std::int64_t> rows;
    bool operator==(const Found&) const = default;
};

Found brute(const MatrixView<double>& q, const MatrixView<double>& x, const TreeMetric& metric,
            const Nearest& wish) {
    const auto size = static_cast<std::size_t>(q.rows * wish.k);
    Found found{std::vector<double>(size), std::vector<std::int64_t>(size)};
    if (metric.measure == Measure::squared)
        nearest_dense(q, x, false, wish, found.values.data(), found.rows.data());
    else
        nearest(*dense_strips(q, x, {metric.measure, metric.p}), false, wish, found.values.data(),
                found.rows.data());
    return found;
}

Found asked(const Tree& tree, const MatrixView<double>* q, const Nearest& wish) {
    const auto size = static_cast<std::size_t>((q == nullptr ? tree.rows() : q->rows) * wish.k);
    Found found{std::vector<double>(size), std::vector<std::int64_t>(size)};
    tree.nearest(q, wish, found.values.data(), found.rows.data());
    return found;
}

// Rounded to few values: many ties, many equal rows.
Matrix<double> grid(Index n, Index cols, unsigned seed, double step) {
    Matrix<double> made = random_matrix<double>(n, cols, Layout::rows, seed);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < cols; ++j) made.at(i, j) = std::round(made.at(i, j) / step) * step;
    return made;
}

void compare(const MatrixView<double>& q, const MatrixView<double>& x) {
    for (const Case& each : cases())
        for (const bool cells : {true, false}) {
            if (cells && !each.cells) continue;
            const auto tree = cells ? kd_tree(x, each.metric) : ball_tree(x, each.metric);
            for (const Index k : {Index{1}, Index{5}, Index{60}}) {
                if (k > x.rows) continue;
                CHECK(asked(*tree, &q, {k, false}) == brute(q, x, each.metric, {k, false}));
                if (k < x.rows)
                    CHECK(asked(*tree, nullptr, {k, true}) == brute(x, x, each.metric, {k, true}));
            }
        }
}

// Jaccard's distance and those that grow with it, of shares and of sets, some of them empty.
TEST(ball_trees_of_sets_find_what_looking_at_all_rows_finds) {
    for (const double step : {0.3, 1.0, 3.0})
        for (const double p : {1.0, 2.0, 4.0}) {
            Matrix<double> x = grid(3000, 6, 11, step), q = grid(50, 6, 12, step);
            for (Matrix<double>* each : {&x, &q})
                for (Index i = 0; i < each->view.rows; ++i)
                    for (Index j = 0; j < 6; ++j) each->at(i, j) = std::fabs(each->at(i, j));
            const TreeMetric metric{Measure::ruzicka, p, {}};
            const auto tree = ball_tree(x.view, metric);
            for (const Index k : {Index{1}, Index{7}}) {
                CHECK(asked(*tree, &q.view, {k, false}) ==
                      brute(q.view, x.view, metric, {k, false}));
                CHECK(asked(*tree, nullptr, {k, true}) == brute(x.view, x.view, metric, {k, true}));
            }
        }
    const Matrix<double> x = grid(40, 2, 1, 1.0);
    CHECK_THROWS(InvalidArgument, ball_tree(x.view, {Measure::ruzicka, 0.5, {}}));
}

TEST(trees_find_what_looking_at_all_rows_finds) {
    unsigned seed = 1;
    for (const Index cols : {1, 2, 3, 7, 20})
        for (const Index n : {1, 2, 16, 17, 300}) {
            const auto x = random_matrix<double>(n, cols, Layout::rows, ++seed);
            const auto q = random_matrix<double>(40, cols, Layout::rows, ++seed);
            compare(q.view, x.view);
        }
}

TEST(trees_break_ties_by_row) {
    for (const Index cols : {1, 2, 3}) {
        const auto x = grid(400, cols, 7, 0.5), q = grid(50, cols, 8, 0.25);
        compare(q.view, x.view);
    }
    const auto same = grid(200, 2, 9, 1e9);  // all zero
    compare(same.view, same.view);
}

TEST(trees_list_rows_within_a_radius) {
    const auto x = grid(500, 3, 3, 0.1), q = grid(600, 3, 4, 0.1);
    std::vector<double> radii(600, 0.5);
    radii[0] = 0.0, radii[1] = -1.0, radii[2] = std::numeric_limits<double>::infinity();
    const Within wish{radii.data(), false};
    const Lists expected = within_dense(q.view, x.view, wish);
    for (const bool cells : {true, false}) {
        const auto tree = cells ? kd_tree(x.view, {}) : ball_tree(x.view, {});
        const Lists lists = tree->within(&q.view, wish);
        CHECK(lists.offsets == expected.offsets);
        CHECK(lists.rows == expected.rows);
        CHECK(lists.values == expected.values);
        std::vector<std::int64_t> counts(600);
        tree->count(&q.view, wish, counts.data());
        for (Index i = 0; i < 600; ++i)
            CHECK(counts[i] == expected.offsets[i + 1] - expected.offsets[i]);
    }
}

TEST(trees_do_not_depend_on_threads) {
    const auto x = random_matrix<double>(5000, 3, Layout::rows, 11);
    const int before = set_threads(1);
    const Found one = asked(*kd_tree(x.view, {}), nullptr, {3, true});
    set_threads(4);
    CHECK(asked(*kd_tree(x.view, {}), nullptr, {3, true}) == one);
    set_threads(before);
}

TEST(partitions_keep_every_row_once) {
    const auto x = grid(1000, 2, 5, 0.5);
    const Partition parts(x.view);
    std::vector<std::int64_t> order = parts.order();
    std::sort(order.begin(), order.end());
    for (Index i = 0; i < 1000; ++i) CHECK(order[i] == i);
    for (Index leaf = 0; leaf < parts.leaves(); ++leaf)
        for (Index j = 0; j < parts.count(leaf); ++j)
            CHECK(parts.block(leaf)[j] == x.view(parts.order()[leaf * 16 + j], 0));
}

TEST(trees_refuse_what_they_cannot_measure) {
    const auto x = random_matrix<double>(5, 2, Layout::rows, 1);
    const auto wide = random_matrix<double>(5, 3, Layout::rows, 1);
    CHECK_THROWS(InvalidArgument, kd_tree(x.view, {Measure::canberra, 1.0, {}}));
    CHECK_THROWS(InvalidArgument, ball_tree(x.view, {Measure::power, 0.5, {}}));
    CHECK_THROWS(InvalidArgument, ball_tree(x.view, {Measure::braycurtis, 1.0, {}}));
    const auto tree = kd_tree(x.view, {});
    CHECK_THROWS(InvalidArgument, asked(*tree, nullptr, {5, true}));
    CHECK_THROWS(InvalidArgument, asked(*tree, &wide.view, {1, false}));
    std::vector<double> holes(100 * 2, 1.0);
    holes[77] = std::numeric_limits<double>::quiet_NaN();
    const MatrixView<double> odd{holes.data(), 100, 2, 2, 1};
    CHECK_THROWS(InvalidArgument, kd_tree(odd, {}));
    CHECK_THROWS(InvalidArgument, ball_tree(odd, {}));
    CHECK_THROWS(InvalidArgument, Partition{odd});
}

}  // namespace
}  // namespace stylobate
