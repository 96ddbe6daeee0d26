#include <algorithm>
#include <limits>

#include "check.hpp"
#include "cluster/dbscan.hpp"
#include "cluster/feature_tree.hpp"
#include "cluster/hierarchy.hpp"
#include "cluster/optics.hpp"
#include "cluster/pair_spanning_tree.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace tile;
using namespace cluster;

TEST(dbscan_by_boxes_is_dbscan_by_pairs) {
    for (const Index cols : {1, 3, 20}) {
        const Matrix<double> x = random_matrix<double>(700, cols, Layout::rows, 3);
        std::vector<double> weights(700);
        for (Index i = 0; i < 700; ++i) weights[i] = static_cast<double>(i % 4) - 0.5;
        for (const Measure measure : {Measure::squared, Measure::manhattan, Measure::chebyshev})
            for (const double radius : {0.02, 0.3, 4.0, 1e6})
                for (const double* own : {static_cast<const double*>(nullptr),
                                          static_cast<const double*>(weights.data())}) {
                    const TreeMetric metric{measure, 2.0, {}};
                    const Density wish{radius, 4.0, own};
                    const std::vector<double> radii(700, radius);
                    const auto tree = kd_tree(x.view, metric);
                    const DensityClusters pairs = dbscan_pairs(700, 1, wish, [&](const Hit& hit) {
                        tree->visit(nullptr, {radii.data(), false}, hit);
                    });
                    const DensityClusters boxes = dbscan_boxes(x.view, metric, wish);
                    CHECK(boxes.labels == pairs.labels);
                    CHECK(boxes.core == pairs.core);
                }
    }
}

TEST(dbscan_does_not_depend_on_threads) {
    const Matrix<double> x = random_matrix<double>(5000, 3, Layout::rows, 4);
    std::vector<std::int64_t> first;
    for (const int count : {1, 2, 7}) {
        const int before = set_threads(count);
        const DensityClusters found =
            dbscan_boxes(x.view, {Measure::squared, 2.0, {}}, {0.01, 5.0, nullptr});
        set_threads(before);
        if (first.empty()) first = found.labels;
        CHECK(found.labels == first);
    }
}

TEST(optics_reaches_rows_as_a_plain_loop_does) {
    const Matrix<double> x = random_matrix<double>(300, 2, Layout::rows, 5);
    const auto distance = [&](Index i, Index j) {
        const double a = x.view(i, 0) - x.view(j, 0), b = x.view(i, 1) - x.view(j, 1);
        return std::sqrt(a * a + b * b);
    };
    const std::vector<double> core(300, 0.05);
    const double infinity = std::numeric_limits<double>::infinity();
    const Reachabilities found = optics(x.view, {Measure::squared, 2.0, {}}, core.data(), infinity);
    std::vector<double> reach(300, infinity);
    std::vector<bool> seen(300, false);
    for (Index step = 0; step < 300; ++step) {
        Index next = -1;
        for (Index i = 0; i < 300; ++i)
            if (!seen[i] && (next < 0 || reach[i] < reach[next])) next = i;
        CHECK(found.order[step] == next);
        seen[next] = true;
        for (Index i = 0; i < 300; ++i)
            if (!seen[i])
                reach[i] = std::min(
                    reach[i], std::nearbyint(std::max(distance(next, i), 0.05) * 1e15) / 1e15);
    }
    CHECK(found.reach == reach);
}

TEST(equal_edges_come_apart_together) {
    // four rows in a chain of equal steps, whichever edges come first
    const std::vector<double> heights{1.0, 1.0, 1.0};
    for (const std::vector<std::int64_t>& from :
         {std::vector<std::int64_t>{0, 1, 2}, std::vector<std::int64_t>{2, 0, 1}}) {
        std::vector<std::int64_t> to;
        for (const std::int64_t each : from) to.push_back(each + 1);
        const Merges made = single_linkage(4, from.data(), to.data(), heights.data());
        const CondensedTree tree = condensed(4, made.left.data(), made.right.data(),
                                             made.height.data(), made.size.data(), 2);
        CHECK((tree.child == std::vector<std::int64_t>{0, 1, 2, 3}));
        CHECK((tree.parent == std::vector<std::int64_t>{4, 4, 4, 4}));
    }
    const std::vector<std::int64_t> circle{0, 0, 0}, ends{1, 1, 1};
    CHECK_THROWS(InvalidArgument, (single_linkage(4, circle.data(), ends.data(), heights.data())));
}

TEST(trees_of_features_come_back_from_their_numbers) {
    const Matrix<double> x = random_matrix<double>(400, 3, Layout::rows, 6);
    FeatureTree whole(3, 0.2, 4), start(3, 0.2, 4);
    for (Index i = 0; i < 400; ++i) {
        const double row[] = {x.view(i, 0), x.view(i, 1), x.view(i, 2)};
        whole.insert(row);
        if (i < 200) start.insert(row);
    }
    FeatureTree again(start.state(), 3, 0.2, 4);
    for (Index i = 200; i < 400; ++i) {
        const double row[] = {x.view(i, 0), x.view(i, 1), x.view(i, 2)};
        again.insert(row);
    }
    CHECK(again.state().sums == whole.state().sums);
    CHECK(again.state().nodes == whole.state().nodes);
    FeatureTreeState broken = whole.state();
    broken.children.back() = static_cast<std::int64_t>(broken.nodes.size());
    CHECK_THROWS(InvalidArgument, (FeatureTree(broken, 3, 0.2, 4)));
}

}  // namespace
}  // namespace stylobate
