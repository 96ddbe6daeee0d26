// Forests: kernels of every instruction set against plain loops, and every split against all
// others.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/simd.hpp"
#include "tree/forest.hpp"

namespace stylobate {
namespace {

using namespace forest;

template <class Body>
void on_every_isa(const Body& body) {
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        if (const Kernels* table = kernels_of(which)) body(*table);
    }
}

double gain(double draws, double ones, const TwoClassNode& node) {
    const double zeros = draws - ones, cross = ones * node.draws - draws * node.ones;
    const double left = zeros * node.weight[0] + ones * node.weight[1];
    const double right =
        (node.draws - node.ones - zeros) * node.weight[0] + (node.ones - ones) * node.weight[1];
    return left * right > 0.0 ? cross * cross / (left * right) : 0.0;
}

// Rows of random ranks, classes and counts, as keys.
struct Keys {
    static constexpr int count_bits = 3, shift = 4;
    Keys(std::mt19937& random, Index n, unsigned ranks) : words(2 * small_keys) {
        for (Index i = 0; i < n; ++i) {
            const unsigned label = random() % 2, count = 1 + random() % 7;
            words[static_cast<std::size_t>(i)] =
                (random() % ranks) << shift | label << count_bits | count;
            node.draws += count;
            node.ones += label * count;
        }
        std::sort(words.begin(), words.begin() + n);
    }
    unsigned count(Index i) const { return words[static_cast<std::size_t>(i)] & 7; }
    bool second(Index i) const { return words[static_cast<std::size_t>(i)] >> count_bits & 1; }
    unsigned rank(Index i) const { return words[static_cast<std::size_t>(i)] >> shift; }
    std::vector<unsigned> words;
    TwoClassNode node{0.0, 0.0, {1.0, 1.0}};
};

void check_cuts(const Kernels& table, const Keys& keys, Index n, Index least) {
    std::vector<TwoClassCut> cuts(small_keys);
    const TwoClassKeys form{Keys::shift, Keys::count_bits, 1.0f - 0x1p-16f, 1e-6f};
    const Index found =
        table.two_class_cuts(keys.words.data(), n, form, keys.node, least, -2.0f, cuts.data());
    double most = -1.0, draws = 0.0, ones = 0.0;
    Index first = -1, listed = 0;
    for (Index i = 0; i + 1 < n; ++i) {
        draws += keys.count(i), ones += keys.second(i) ? keys.count(i) : 0;
        while (listed < found && cuts[static_cast<std::size_t>(listed)].at < i) ++listed;
        if (listed < found && cuts[static_cast<std::size_t>(listed)].at == i) {
            const TwoClassCut& cut = cuts[static_cast<std::size_t>(listed)];
            CHECK(cut.draws == draws && cut.ones == ones);
            CHECK_CLOSE(cut.gain, gain(draws, ones, keys.node), 1e-5 * (1.0 + cut.gain));
            CHECK(keys.rank(i) != keys.rank(i + 1) && i + 1 >= least && n - i - 1 >= least);
        }
        if (keys.rank(i) == keys.rank(i + 1) || i + 1 < least || n - i - 1 < least) continue;
        if (gain(draws, ones, keys.node) > most) most = gain(draws, ones, keys.node), first = i;
    }
    CHECK((first < 0) == (found == 0));
    const auto end = cuts.begin() + found;
    CHECK(first < 0 || std::any_of(cuts.begin(), end, [&](auto& cut) { return cut.at == first; }));
}

TwoClassNode random_steps(std::mt19937& random, Index steps, std::vector<unsigned long long>& sums,
                          double second) {
    sums.assign(static_cast<std::size_t>(steps) + 1, 0);
    unsigned long long draws = 0, ones = 0, rows = 0;
    for (std::size_t s = 1; s < sums.size(); ++s) {
        const unsigned some = random() % 4 == 0 ? 0 : random() % 9, zeros = random() % 5;
        ones += some, draws += some + zeros, rows += some > 0 ? 1 + random() % some : 0;
        rows += zeros > 0;
        sums[s] = rows << 44 | ones << 22 | draws;
    }
    return {static_cast<double>(draws), static_cast<double>(ones), {1.0, second}};
}

void check_steps(const Kernels& table, std::mt19937& random, Index steps, Index least) {
    std::vector<unsigned long long> sums;
    const TwoClassNode node = random_steps(random, steps, sums, least % 2 == 0 ? 1.0 : 2.5);
    constexpr unsigned long long field = (1ull << 22) - 1;
    const auto draws = [&](std::size_t s) { return static_cast<double>(sums[s] & field); };
    const auto ones = [&](std::size_t s) { return static_cast<double>(sums[s] >> 22 & field); };
    double most = -1.0;
    for (std::size_t s = 1; s < sums.size(); ++s) {
        const Index left = sums[s] >> 44, right = (sums.back() >> 44) - left;
        if (left >= least && right >= least && right > 0)
            most = std::max(most, gain(draws(s), ones(s), node));
    }
    const float found = table.best_step_gain(sums.data(), steps, node, least);
    CHECK_CLOSE(found, most, 1e-5 * (1.0 + most));
    std::vector<long long> open(static_cast<std::size_t>(steps));
    const float floor = 0.9f * found;
    const bool any = table.open_steps(sums.data(), steps, node, floor, open.data());
    CHECK(any == std::any_of(open.begin(), open.end(), [](long long o) { return o != 0; }));
    for (std::size_t s = 0; s < open.size(); ++s) {
        if (sums[s] == sums[s + 1]) CHECK(open[s] == 0);
        double inside = 0.0;  // of all that may have gone left inside the step
        for (double one = ones(s); one <= ones(s + 1); ++one) {
            const double last = draws(s + 1) - ones(s + 1);
            for (double zero = draws(s) - ones(s); zero <= last; ++zero)
                inside = std::max(inside, gain(zero + one, one, node));
        }
        if (sums[s] != sums[s + 1] && inside > 1.001 * floor) CHECK(open[s] != 0);
        if (inside < 0.999 * floor) CHECK(open[s] == 0);
    }
}

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

TEST(forest_keys_are_sorted) {
    std::mt19937 random(1);
    on_every_isa([&](const Kernels& table) {
        for (Index n = 1; n <= small_keys; ++n) {
            std::vector<unsigned> keys(small_keys);
            for (unsigned& key : keys) key = random() >> (n % 3 == 0 ? 28 : 0);
            std::vector<unsigned> sorted(keys.begin(), keys.begin() + n);
            std::sort(sorted.begin(), sorted.end());
            table.sort_keys(keys.data(), n);
            CHECK(std::equal(sorted.begin(), sorted.end(), keys.begin()));
        }
    });
}

TEST(forest_cuts_hold_the_best) {
    std::mt19937 random(2);
    on_every_isa([&](const Kernels& table) {
        for (Index n = 2; n <= small_keys; ++n) {
            for (const unsigned ranks : {2u, 20u, 100000u}) {
                Keys keys(random, n, ranks);
                if (n % 2 == 0) keys.node.weight[1] = 3.5;
                for (const Index least : {1, 3}) {
                    if (n >= 2 * least) check_cuts(table, keys, n, least);
                }
            }
        }
    });
}

TEST(forest_steps_are_bounded) {
    std::mt19937 random(3);
    on_every_isa([&](const Kernels& table) {
        for (const Index steps : {64, 256}) {
            for (const Index least : {1, 2, 30}) check_steps(table, random, steps, least);
        }
    });
}

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
