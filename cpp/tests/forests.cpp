// Forests: every split against all others, by definition, and any number of threads.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "stylobate/parallel.hpp"
#include "tree/forest.hpp"

namespace stylobate {
namespace {

using namespace forest;

struct Table {
    Table(Index rows, Index cols, unsigned seed, bool ties, bool missing)
        : rows(rows), cols(cols), x(static_cast<std::size_t>(rows * cols)) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        for (double& value : x) {
            value = ties ? std::floor(2.0 * normal(random)) : normal(random);
            if (missing && random() % 9 == 0) value = std::numeric_limits<double>::quiet_NaN();
        }
        for (Index i = 0; i < rows; ++i) {
            const double a = at(i, 0), b = at(i, 1);
            numbers.push_back((std::isnan(a) ? 1.0 : a) + (std::isnan(b) ? 0.3 : b * b) +
                              0.5 * normal(random));
            weights.push_back(0.25 * static_cast<double>(random() % 6));
        }
    }
    double at(Index i, Index j) const { return x[static_cast<std::size_t>(i * cols + j)]; }
    std::vector<std::int32_t> labels(int classes) const {
        std::vector<std::int32_t> found;
        for (const double number : numbers)
            found.push_back(std::clamp(static_cast<int>(std::floor(number)), 0, classes - 1));
        return found;
    }
    MatrixView<double> view() const { return {x.data(), rows, cols, cols, 1}; }
    Index rows, cols;
    std::vector<double> x, numbers, weights;
};

struct Case {
    std::string name;
    Index rows;
    int classes;
    ForestCriterion criterion = ForestCriterion::gini;
    bool weighted = false, balanced = false, ties = false, missing = false;
    Index least = 1, depth = 0;
};

// A forest of a case that looks at all columns in each node.
struct Grown {
    explicit Grown(const Case& its, Index trees, Index max_features = 5)
        : which(its), table(its.rows, 5, 3, its.ties, its.missing) {
        if (its.classes > 0) labels = table.labels(its.classes);
        const ForestTarget target{its.classes, labels.empty() ? nullptr : labels.data(),
                                  its.classes > 0 ? nullptr : table.numbers.data(),
                                  its.weighted ? table.weights.data() : nullptr};
        ForestOptions options;
        options.criterion = its.criterion;
        options.max_features = max_features;
        options.max_depth = its.depth;
        options.min_samples_leaf = its.least;
        drawing.draws = its.weighted ? 0 : its.rows;
        drawing.balanced = its.balanced;
        for (Index t = 0; t < trees; ++t) seeds.push_back(static_cast<std::uint32_t>(17 + t));
        const RankedColumns columns(table.view());
        forest = grow_forest(columns, target, drawing, options, seeds);
    }
    Case which;
    Table table;
    std::vector<std::int32_t> labels;
    tree::Drawing drawing;
    std::vector<std::uint32_t> seeds;
    std::vector<GrownTree> forest;
};

// What is left of the impurity, by definition: Σ over the sides of weight · impurity.
class Judge {
 public:
    Judge(const Grown& grown, std::size_t t) : grown_(grown) {
        const auto counts =
            grown.drawing.draws > 0
                ? tree::drawn_counts(grown.table.rows, grown.drawing, grown.seeds[t])
                : std::vector<std::uint32_t>(grown.table.weights.size(), 1);
        std::vector<double> drawn(static_cast<std::size_t>(std::max(grown.which.classes, 1)));
        double total = 0.0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            weight_.push_back(counts[i] * (grown.which.weighted ? grown.table.weights[i] : 1.0));
            if (!grown.labels.empty())
                drawn[static_cast<std::size_t>(grown.labels[i])] += counts[i];
            total += counts[i];
        }
        for (std::size_t i = 0; grown.which.balanced && i < counts.size(); ++i)
            weight_[i] *= total / drawn[static_cast<std::size_t>(grown.labels[i])];
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (weight_[i] > 0.0) all_.push_back(static_cast<Index>(i));
    }
    const std::vector<Index>& all() const { return all_; }

    double impurity(const std::vector<Index>& rows) const {
        double weight = 0.0, sum = 0.0, square = 0.0, found = 0.0;
        std::vector<double> held(static_cast<std::size_t>(std::max(grown_.which.classes, 1)));
        for (const Index i : rows) {
            const double w = weight_[static_cast<std::size_t>(i)];
            weight += w;
            if (grown_.labels.empty()) {
                const double y = grown_.table.numbers[static_cast<std::size_t>(i)];
                sum += w * y, square += w * y * y;
            } else {
                held[static_cast<std::size_t>(grown_.labels[static_cast<std::size_t>(i)])] += w;
            }
        }
        if (grown_.labels.empty()) return square - sum * sum / weight;
        for (const double each : held) {
            if (grown_.which.criterion == ForestCriterion::entropy)
                found -= each > 0.0 ? each * std::log2(each / weight) : 0.0;
            else
                found += each * (1.0 - each / weight);
        }
        return found;
    }
    // The least that any split of a column leaves (infinite: none), missing on either side.
    double least_left(const std::vector<Index>& rows, Index col) const {
        double least = std::numeric_limits<double>::infinity();
        std::vector<double> values;
        for (const Index i : rows) values.push_back(grown_.table.at(i, col));
        std::vector<double> cuts = values;
        std::erase_if(cuts, [](double v) { return std::isnan(v); });
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        for (const double cut : cuts) {
            for (const bool missing_left : {false, true}) {
                least = std::min(least, left_by(rows, col, cut, missing_left));
            }
        }
        return least;
    }
    double left_by(const std::vector<Index>& rows, Index col, double cut, bool missing_left) const {
        std::vector<Index> sides[2];
        for (const Index i : rows) {
            const double value = grown_.table.at(i, col);
            sides[(std::isnan(value) ? missing_left : value <= cut) ? 0 : 1].push_back(i);
        }
        const auto least = static_cast<std::size_t>(grown_.which.least);
        if (sides[0].size() < least || sides[1].size() < least)
            return std::numeric_limits<double>::infinity();
        return impurity(sides[0]) + impurity(sides[1]);
    }

    // Walks a tree; nodes of at most `most` rows are checked against every other split.
    void walk(const GrownTree& tree, std::size_t node, const std::vector<Index>& rows,
              std::size_t most) const {
        CHECK(tree.samples[node] == static_cast<std::int64_t>(rows.size()));
        const double whole = impurity(rows), tolerance = 1e-9 * (1.0 + whole);
        const bool leaf = tree.left[node] < 0;
        if (rows.size() <= most && (!leaf || (grown_.which.depth == 0 && whole > 1e-6))) {
            double best = std::numeric_limits<double>::infinity();
            for (Index j = 0; j < grown_.table.cols; ++j)
                best = std::min(best, least_left(rows, j));
            if (leaf) {
                CHECK(std::isinf(best));
            } else {
                CHECK_CLOSE(left_by(rows, tree.feature[node], tree.threshold[node],
                                    tree.missing_left[node] != 0),
                            best, tolerance);
            }
        }
        if (leaf) return;
        std::vector<Index> sides[2];
        for (const Index i : rows) {
            const double value = grown_.table.at(i, tree.feature[node]);
            const bool left =
                std::isnan(value) ? tree.missing_left[node] != 0 : value <= tree.threshold[node];
            sides[left ? 0 : 1].push_back(i);
        }
        walk(tree, static_cast<std::size_t>(tree.left[node]), sides[0], most);
        walk(tree, static_cast<std::size_t>(tree.right[node]), sides[1], most);
    }

 private:
    const Grown& grown_;
    std::vector<double> weight_;
    std::vector<Index> all_;
};

bool same(const GrownTree& a, const GrownTree& b) {
    return a.left == b.left && a.right == b.right && a.feature == b.feature &&
           a.threshold == b.threshold && a.missing_left == b.missing_left &&
           a.impurity == b.impurity && a.samples == b.samples && a.weight == b.weight &&
           a.value == b.value && a.category_start == b.category_start;
}

constexpr auto entropy = ForestCriterion::entropy;
constexpr auto squared = ForestCriterion::squared_error;

std::vector<Case> cases(Index rows) {
    return {{.name = "gini", .rows = rows, .classes = 2},
            {.name = "ties", .rows = rows, .classes = 2, .ties = true},
            {.name = "missing", .rows = rows, .classes = 2, .missing = true},
            {.name = "missing ties", .rows = rows, .classes = 2, .ties = true, .missing = true},
            {.name = "balanced ties",
             .rows = rows,
             .classes = 2,
             .balanced = true,
             .ties = true,
             .missing = true,
             .least = 4},
            {.name = "leaves", .rows = rows, .classes = 2, .least = 7},
            {.name = "balanced", .rows = rows, .classes = 2, .balanced = true},
            {.name = "weights", .rows = rows, .classes = 2, .weighted = true},
            {.name = "classes", .rows = rows, .classes = 3, .least = 3},
            {.name = "entropy", .rows = rows, .classes = 2, .criterion = entropy},
            {.name = "weighted entropy",
             .rows = rows,
             .classes = 3,
             .criterion = entropy,
             .weighted = true,
             .ties = true},
            {.name = "numbers", .rows = rows, .classes = 0, .criterion = squared},
            {.name = "missing numbers",
             .rows = rows,
             .classes = 0,
             .criterion = squared,
             .missing = true}};
}

}  // namespace

TEST(forest_splits_are_the_best) {
    for (const Case& each : cases(400)) {
        const Grown grown(each, 2);
        for (std::size_t t = 0; t < grown.forest.size(); ++t) {
            const Judge judge(grown, t);
            judge.walk(grown.forest[t], 0, judge.all(), 400);
        }
    }
}

TEST(forest_splits_of_many_rows_are_the_best) {
    for (Case each : cases(3000)) {
        each.depth = 2;
        if (!each.ties) each.least = std::max<Index>(each.least, 5);
        const Grown grown(each, 1);
        const Judge judge(grown, 0);
        judge.walk(grown.forest[0], 0, judge.all(), each.ties ? 3000 : 700);
    }
}

TEST(forest_is_the_same_for_any_number_of_threads) {
    for (const Case& each : cases(9000)) {
        for (const Index trees : {1, 3}) {
            const int before = set_threads(1);
            const Grown one(each, trees, 2);
            for (const int count : {2, 3, 8}) {
                set_threads(count);
                const Grown many(each, trees, 2);
                for (std::size_t t = 0; t < one.forest.size(); ++t)
                    CHECK(same(one.forest[t], many.forest[t]));
            }
            set_threads(before);
        }
    }
}

}  // namespace stylobate
