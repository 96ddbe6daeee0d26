// Grown trees against loops over all splits, packed ones against plain walks.
#include <cmath>
#include <limits>
#include <random>

#include "check.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tree/draws.hpp"
#include "tree/flat.hpp"
#include "tree/growth.hpp"
#include "tree/pruning.hpp"

namespace stylobate {
namespace {

using namespace tree;

struct Problem {
    Index n, p;
    std::vector<double> x, y, w;
    std::vector<std::int32_t> codes, categories;

    Problem(Index rows, Index cols, unsigned seed, double gaps, std::int32_t kinds)
        : n(rows), p(cols), categories(static_cast<std::size_t>(cols), 0) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> uniform;
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < p; ++j) {
                const bool last = j + 1 == p && kinds > 0;
                double value = last ? std::floor(kinds * uniform(random)) : normal(random);
                if (j == 1) value = std::round(2.0 * value);  // ties
                x.push_back(uniform(random) < gaps ? std::numeric_limits<double>::quiet_NaN()
                                                   : value);
            }
            const double first = x[static_cast<std::size_t>(i * p)];
            y.push_back(std::exp(std::isnan(first) ? 1.0 : std::sin(first)) +
                        0.2 * uniform(random));
            w.push_back(0.5 + uniform(random));
            codes.push_back(static_cast<std::int32_t>(y.back() > 1.0) + (uniform(random) < 0.2));
        }
        if (kinds > 0) categories.back() = kinds;
    }
    MatrixView<double> view() const { return {x.data(), n, p, p, 1}; }
    Target numbers(bool weighted) const {
        Target target;
        target.values = y.data();
        target.weights = weighted ? w.data() : nullptr;
        return target;
    }
    Target labels(bool weighted) const {
        Target target;
        target.codes = codes.data();
        target.classes = {3};
        target.weights = weighted ? w.data() : nullptr;
        return target;
    }
    GrownTree grown(const Target& target, const GrowthOptions& options) const {
        const RankedColumns columns(view(), categories.data(), wanted_columns(options, p));
        return grow(columns, target, options, 7);
    }
};

TreeView view_of(const GrownTree& tree) {
    TreeView view;
    view.nodes = static_cast<Index>(tree.left.size());
    view.left = tree.left.data();
    view.right = tree.right.data();
    view.feature = tree.feature.data();
    view.threshold = tree.threshold.data();
    view.missing_left = tree.missing_left.data();
    view.value = tree.value.data();
    view.category_start = tree.category_start.data();
    view.categories = tree.categories.data();
    view.category_words = static_cast<Index>(tree.categories.size());
    return view;
}

std::size_t plain_walk(const GrownTree& tree, const double* row) {
    std::size_t at = 0;
    while (tree.left[at] >= 0) {
        const double value = row[tree.feature[at]];
        bool left = tree.missing_left[at] != 0;
        if (!std::isnan(value)) {
            const std::int32_t start = tree.category_start[at];
            if (start < 0) {
                left = value <= tree.threshold[at];
            } else {
                const auto code = static_cast<std::uint32_t>(value);
                const auto* words = tree.categories.data() + start;
                if (code < 32 * words[0]) left = (words[1 + code / 32] >> code % 32 & 1u) != 0;
            }
        }
        at = static_cast<std::size_t>(left ? tree.left[at] : tree.right[at]);
    }
    return at;
}

// Rows reach the leaves they were counted in, and the value there is theirs.
void check_leaves(const Problem& problem, const GrownTree& tree, bool weighted) {
    std::vector<double> weight(tree.left.size(), 0.0), sum(weight), count(weight);
    for (Index i = 0; i < problem.n; ++i) {
        const std::size_t leaf = plain_walk(tree, problem.x.data() + i * problem.p);
        const double w = weighted ? problem.w[static_cast<std::size_t>(i)] : 1.0;
        weight[leaf] += w;
        sum[leaf] += w * problem.y[static_cast<std::size_t>(i)];
        count[leaf] += 1.0;
    }
    for (std::size_t k = 0; k < tree.left.size(); ++k) {
        if (tree.left[k] >= 0) continue;
        CHECK(static_cast<std::int64_t>(count[k]) == tree.samples[k]);
        CHECK_CLOSE(weight[k], tree.weight[k], 1e-9);
        CHECK_CLOSE(sum[k] / weight[k], tree.value[k], 1e-9);
    }
}

double loss(const Problem& problem, const std::vector<std::uint8_t>& left, std::uint8_t side) {
    double weight = 0.0, sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < problem.y.size(); ++i) {
        if (left[i] != side) continue;
        weight += problem.w[i];
        sum += problem.w[i] * problem.y[i];
    }
    for (std::size_t i = 0; i < problem.y.size(); ++i)
        if (left[i] == side) squares += problem.w[i] * std::pow(problem.y[i] - sum / weight, 2);
    return squares;
}

TEST(tree_root_is_the_best_of_all_splits) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Problem problem(40, 3, seed, 0.1, 0);
        GrowthOptions options;
        options.criterion = Criterion::squared_error;
        options.max_depth = 1;
        const GrownTree tree = problem.grown(problem.numbers(true), options);
        double best = std::numeric_limits<double>::infinity();
        std::vector<std::uint8_t> left(40);
        for (Index j = 0; j < 3; ++j)
            for (Index cut = 0; cut < 40; ++cut)
                for (const bool missing : {false, true}) {
                    bool both[2] = {false, false};
                    for (Index i = 0; i < 40; ++i) {
                        const double value = problem.view()(i, j);
                        const bool goes =
                            std::isnan(value) ? missing : value <= problem.view()(cut, j);
                        left[static_cast<std::size_t>(i)] = goes;
                        both[goes] = true;
                    }
                    if (both[0] && both[1])
                        best = std::min(best, loss(problem, left, 0) + loss(problem, left, 1));
                }
        const double got = tree.weight[1] * tree.impurity[1] + tree.weight[2] * tree.impurity[2];
        CHECK_CLOSE(got, best, 1e-9);
    }
}

TEST(tree_leaves_hold_their_rows_in_every_mode) {
    for (const Index rows : {Index{60}, Index{9000}}) {
        const Problem problem(rows, 5, 3, 0.05, 40);
        for (const bool weighted : {false, true})
            for (const Index features : {Index{0}, Index{1}})
                for (const bool random : {false, true})
                    for (const Index leaves : {Index{0}, Index{17}}) {
                        GrowthOptions options;
                        options.criterion = Criterion::squared_error;
                        options.random_splits = random;
                        options.max_features = features;
                        options.max_leaf_nodes = leaves;
                        options.min_samples_leaf = 2;
                        const auto tree = problem.grown(problem.numbers(weighted), options);
                        check_leaves(problem, tree, weighted);
                        check_tree(view_of(tree), problem.p);
                    }
    }
}

// The problem's table with half of it zero, compressed by columns.
struct Compressed {
    std::vector<double> values;
    std::vector<std::int32_t> indices, offsets{0};
    Index rows;

    explicit Compressed(const Problem& problem) : rows(problem.n) {
        for (Index j = 0; j < problem.p; ++j) {
            for (Index i = 0; i < problem.n; ++i) {
                const double value = problem.view()(i, j);
                if (value == 0.0 && i % 3 != 0) continue;  // some zeros are stored
                values.push_back(value);
                indices.push_back(static_cast<std::int32_t>(i));
            }
            offsets.push_back(static_cast<std::int32_t>(values.size()));
        }
    }
    SparseColumns view() const {
        return {values.data(), indices.data(), offsets.data(),
                static_cast<Index>(offsets.size()) - 1, rows};
    }
};

TEST(tree_of_sparse_columns_is_that_of_dense_ones) {
    for (const Index rows : {Index{1}, Index{70}, Index{9000}}) {
        Problem problem(rows, 5, 11, 0.05, 0);
        for (std::size_t k = 0; k < problem.x.size(); ++k)
            if (k % 2 == 0 && std::abs(problem.x[k]) < 1.5) problem.x[k] = 0.0;
        const Compressed compressed(problem);
        const RankedColumns columns(compressed.view());
        for (const bool random : {false, true})
            for (const Index features : {Index{0}, Index{1}})
                for (const Index leaves : {Index{0}, Index{17}}) {
                    GrowthOptions options;
                    options.criterion = Criterion::squared_error;
                    options.random_splits = random;
                    options.max_features = features;
                    options.max_leaf_nodes = leaves;
                    const auto target = problem.numbers(true);
                    const GrownTree dense = problem.grown(target, options);
                    const GrownTree sparse = grow(columns, target, options, 7);
                    CHECK(sparse.feature == dense.feature);
                    CHECK(sparse.threshold == dense.threshold);
                    CHECK(sparse.missing_left == dense.missing_left);
                    CHECK(sparse.value == dense.value);
                }
    }
}

TEST(tree_refuses_sparse_columns_out_of_order) {
    const std::vector<double> values{1.0, 2.0};
    const std::vector<std::int32_t> indices{2, 1}, offsets{0, 2};
    bool refused = false;
    try {
        RankedColumns columns(SparseColumns{values.data(), indices.data(), offsets.data(), 1, 3});
    } catch (const InvalidArgument&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(tree_every_criterion_grows_sound_trees) {
    const Problem problem(500, 4, 5, 0.05, 7);
    for (const auto criterion : {Criterion::gini, Criterion::entropy, Criterion::misclassification,
                                 Criterion::absolute_error, Criterion::poisson})
        for (const bool weighted : {false, true}) {
            GrowthOptions options;
            options.criterion = criterion;
            options.min_samples_leaf = 3;
            const bool numbers =
                criterion == Criterion::absolute_error || criterion == Criterion::poisson;
            const auto tree = problem.grown(
                numbers ? problem.numbers(weighted) : problem.labels(weighted), options);
            check_tree(view_of(tree), problem.p);
            CHECK(tree.left.size() > 3);
            for (std::size_t k = 0; k < tree.left.size(); ++k) {
                if (tree.left[k] < 0) continue;
                const auto l = static_cast<std::size_t>(tree.left[k]);
                const auto r = static_cast<std::size_t>(tree.right[k]);
                CHECK(tree.samples[l] + tree.samples[r] == tree.samples[k]);
                CHECK(tree.weight[l] * tree.impurity[l] + tree.weight[r] * tree.impurity[r] <=
                      tree.weight[k] * tree.impurity[k] + 1e-9);
            }
        }
}

TEST(tree_is_the_same_on_any_number_of_threads) {
    const Problem problem(20000, 4, 11, 0.01, 9);
    GrowthOptions options;
    options.criterion = Criterion::squared_error;
    std::vector<GrownTree> trees;
    const int before = set_threads(1);
    for (const int count : {1, 3}) {
        set_threads(count);
        trees.push_back(problem.grown(problem.numbers(false), options));
    }
    set_threads(before);
    CHECK(trees[0].threshold.size() == trees[1].threshold.size());
    CHECK(trees[0].feature == trees[1].feature);
    CHECK(trees[0].value == trees[1].value);
}

TEST(tree_packed_forest_walks_as_its_trees) {
    const Problem problem(3000, 5, 13, 0.1, 70);
    GrowthOptions options;
    options.criterion = Criterion::squared_error;
    options.max_features = 1;
    const RankedColumns columns(problem.view(), problem.categories.data(),
                                wanted_columns(options, problem.p));
    Drawing drawing;
    drawing.draws = 3000;
    const auto trees = grow_forest(columns, problem.numbers(false), options, drawing,
                                   {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    std::vector<TreeView> views;
    for (const auto& tree : trees) views.push_back(view_of(tree));
    const Forest forest(views, problem.p, 1);
    std::vector<std::int64_t> leaves(static_cast<std::size_t>(problem.n * 12));
    forest.leaves(problem.view(), leaves.data());
    std::vector<double> sums(static_cast<std::size_t>(problem.n), 0.0);
    forest.add(problem.view(), 0, 12, nullptr, sums.data(), 1);
    const auto paths = forest.paths(problem.view());
    for (Index i = 0; i < problem.n; ++i) {
        double sum = 0.0;
        for (std::size_t t = 0; t < 12; ++t) {
            const auto leaf = plain_walk(trees[t], problem.x.data() + i * problem.p);
            CHECK(leaves[static_cast<std::size_t>(i) * 12 + t] == static_cast<Index>(leaf));
            sum += trees[t].value[leaf];
        }
        CHECK_CLOSE(sums[static_cast<std::size_t>(i)], sum, 0.0);
        CHECK(paths.offsets[static_cast<std::size_t>(i) + 1] -
                  paths.offsets[static_cast<std::size_t>(i)] >=
              12);
    }
    CHECK_THROWS(InvalidArgument, forest.add(problem.view(), 0, 13, nullptr, sums.data(), 1));
    GrownTree broken = trees[0];
    broken.left[0] = 0;
    CHECK_THROWS(InvalidArgument, check_tree(view_of(broken), problem.p));
}

// The weakest link found by looking at every node again after every cut.
TEST(tree_pruning_cuts_the_weakest_link) {
    const Problem problem(300, 3, 17, 0.0, 0);
    GrowthOptions options;
    options.criterion = Criterion::squared_error;
    options.min_samples_leaf = 5;
    const auto tree = problem.grown(problem.numbers(true), options);
    std::vector<double> risk;
    for (std::size_t k = 0; k < tree.left.size(); ++k)
        risk.push_back(tree.weight[k] * tree.impurity[k]);
    const auto cuts = weakest_links(tree.left.data(), tree.right.data(), risk.data(),
                                    static_cast<Index>(risk.size()));
    auto left = tree.left;
    double last = 0.0;
    for (std::size_t step = 0; step < cuts.node.size(); ++step) {
        std::vector<double> below(risk), leaves(risk.size(), 1.0);
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = risk.size(); k-- > 0;) {
            if (left[k] < 0) continue;
            const auto l = static_cast<std::size_t>(left[k]);
            const auto r = static_cast<std::size_t>(tree.right[k]);
            below[k] = below[l] + below[r];
            leaves[k] = leaves[l] + leaves[r];
        }
        std::vector<std::size_t> waiting{0};
        while (!waiting.empty()) {
            const std::size_t k = waiting.back();
            waiting.pop_back();
            if (left[k] < 0) continue;
            least = std::min(least, (risk[k] - below[k]) / (leaves[k] - 1.0));
            waiting.push_back(static_cast<std::size_t>(left[k]));
            waiting.push_back(static_cast<std::size_t>(tree.right[k]));
        }
        CHECK_CLOSE(cuts.alpha[step], least, 1e-9 * (1.0 + least));
        CHECK(cuts.alpha[step] >= last - 1e-9);
        last = cuts.alpha[step];
        left[static_cast<std::size_t>(cuts.node[step])] = -1;
    }
    CHECK(left[0] == -1);
    CHECK_CLOSE(cuts.risk.back(), risk[0], 1e-9);
}

TEST(tree_drawing_counts_every_draw) {
    Drawing drawing;
    drawing.draws = 777;
    const auto counts = drawn_counts(1000, drawing, 3);
    std::uint64_t total = 0;
    for (const auto count : counts) total += count;
    CHECK(total == 777);
    CHECK(drawn_counts(1000, drawing, 3) == counts);
    CHECK(drawn_counts(1000, drawing, 4) != counts);
}

}  // namespace
}  // namespace stylobate
