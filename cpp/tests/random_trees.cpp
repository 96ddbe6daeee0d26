// Trees of random splits: the kernels against plain loops, and every split against its rows.
#include "tree/random_trees.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "stylobate/random.hpp"
#include "stylobate/simd.hpp"

namespace stylobate {
namespace {

template <class Key>
struct Made {
    Index stride = 2 * key_bytes / static_cast<Index>(sizeof(Key)), table = 70'000, n = 66'000;
    Key missing = std::numeric_limits<Key>::max();
    std::vector<Key> keys, shift, limit;
    std::vector<unsigned> rows;
    std::vector<unsigned char> labels;
    std::vector<double> y;

    Made(Index count, Index classes) : n(count) {
        const Philox random(7, 3);
        for (Index i = 0; i < table * stride; ++i) {
            const auto word = random.word(static_cast<std::uint64_t>(i));
            keys.push_back(word % 11 == 0 ? missing : static_cast<Key>(word >> 50));
        }
        for (Index i = 0; i < table; ++i) {
            labels.push_back(static_cast<unsigned char>(i * 7 % classes));
            y.push_back(static_cast<double>(i % 13) - 5.0);
        }
        for (Index i = 0; i < n; ++i) rows.push_back(static_cast<unsigned>((i * 37 + 11) % table));
        for (Index j = 0; j < stride; ++j) {
            shift.push_back(static_cast<Key>(j % 2));
            limit.push_back(static_cast<Key>(j * 700 + j % 2));
        }
    }
    bool goes(unsigned row, Index j) const {
        const Key key = keys[static_cast<std::size_t>(row * stride + j)];
        const auto at = static_cast<std::size_t>(j);
        return key == missing ? shift[at] == 1 : key + shift[at] <= limit[at];
    }
};

template <class Key, class Extremes, class Counts, class Sums>
void compare(Extremes extremes, Counts counts, Sums sums, Index n, Index classes) {
    const Made<Key> made(n, classes);
    const auto lanes = static_cast<std::size_t>(made.stride);
    std::vector<Key> least(lanes), most(lanes), present(lanes);
    extremes(made.keys.data(), made.stride, made.rows.data(), n, least.data(), most.data(),
             present.data());
    std::vector<unsigned> left(lanes * static_cast<std::size_t>(classes)), how_many(lanes);
    counts(made.keys.data(), made.stride, made.rows.data(), n, made.shift.data(), made.limit.data(),
           made.labels.data(), classes, left.data());
    std::vector<double> sum(lanes);
    sums(made.keys.data(), made.stride, made.rows.data(), n, made.shift.data(), made.limit.data(),
         made.y.data(), 0.5, sum.data(), how_many.data());
    for (Index j = 0; j < made.stride; ++j) {
        const auto at = static_cast<std::size_t>(j);
        Key low = made.missing, high = 0, last = 0;
        std::vector<unsigned> expected(static_cast<std::size_t>(classes));
        double total = 0.0;
        for (const unsigned row : made.rows) {
            const Key key = made.keys[static_cast<std::size_t>(row * made.stride + j)];
            low = std::min(low, key);
            high = std::max(high, key);
            if (key != made.missing) last = std::max(last, static_cast<Key>(key + 1));
            if (!made.goes(row, j)) continue;
            ++expected[made.labels[row]];
            total += made.y[row] - 0.5;
        }
        CHECK(least[at] == low && most[at] == high && present[at] == last);
        for (Index c = 0; c < classes; ++c)
            CHECK(left[static_cast<std::size_t>(c * made.stride + j)] ==
                  expected[static_cast<std::size_t>(c)]);
        CHECK(sum[at] == total);  // halves: exact
        CHECK(how_many[at] == std::accumulate(expected.begin(), expected.end(), 0u));
    }
}

TEST(keys_of_many_columns_are_looked_at_together) {
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        const Kernels* const k = kernels_of(isa);
        if (k == nullptr) continue;
        for (const Index n : {Index{1}, Index{5}, Index{66'000}}) {
            const Index classes = n == 5 ? 7 : 2;
            compare<std::uint16_t>(k->key_extremes_16, k->key_counts_16, k->key_sums_16, n,
                                   classes);
            compare<std::uint32_t>(k->key_extremes_32, k->key_counts_32, k->key_sums_32, n,
                                   classes);
        }
        compare<std::uint16_t>(k->key_extremes_16, k->key_counts_16, k->key_sums_16, 66'000, 5);
    }
}

// Sends the rows down a tree and holds what each node says against the rows that reach it.
void check_tree(const tree::GrownTree& grown, const std::vector<double>& x,
                const std::vector<std::int32_t>& y, Index cols, Index min_leaf) {
    std::vector<std::vector<Index>> reached(grown.left.size());
    for (Index i = 0; i < static_cast<Index>(y.size()); ++i) reached[0].push_back(i);
    for (std::size_t node = 0; node < grown.left.size(); ++node) {
        const auto& here = reached[node];
        CHECK(static_cast<Index>(here.size()) == grown.samples[node]);
        double ones = 0.0;
        for (const Index i : here) ones += y[static_cast<std::size_t>(i)];
        const double share = ones / static_cast<double>(here.size());
        CHECK_CLOSE(grown.value[2 * node + 1], share, 1e-15);
        CHECK_CLOSE(grown.impurity[node], 2.0 * share * (1.0 - share), 1e-14);
        if (grown.left[node] < 0) continue;
        CHECK(grown.left[node] == static_cast<std::int32_t>(node) + 1);
        for (const Index i : here) {
            const double v = x[static_cast<std::size_t>(i * cols + grown.feature[node])];
            const bool left =
                std::isnan(v) ? grown.missing_left[node] != 0 : v <= grown.threshold[node];
            reached[static_cast<std::size_t>(left ? grown.left[node] : grown.right[node])]
                .push_back(i);
        }
        for (const auto child : {grown.left[node], grown.right[node]})
            CHECK(static_cast<Index>(reached[static_cast<std::size_t>(child)].size()) >= min_leaf);
    }
}

TEST(random_trees_say_what_their_rows_say) {
    const Philox random(1, 2);
    // more distinct values than 16 bits hold, and fewer; copies of both sizes are made
    for (const Index n : {Index{300}, Index{70'000}}) {
        const Index cols = 5;
        std::vector<double> x;
        std::vector<std::int32_t> y;
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < cols; ++j) {
                const auto at = static_cast<std::uint64_t>(i * cols + j);
                const double u = random.uniform(at);
                x.push_back(j == 1   ? std::floor(4.0 * u)
                            : j == 2 ? (u < 0.3 ? std::nan("") : u)
                            : j == 3 ? 1.0
                            : j == 4 ? (u < 0.5 ? std::nan("") : 2.0)
                                     : u);
            }
            const double noise = random.uniform(static_cast<std::uint64_t>(10 * n + i));
            y.push_back(x[static_cast<std::size_t>(i * cols)] + noise > 1.0 ? 1 : 0);
        }
        tree::GrowthOptions options;
        options.random_splits = true;
        options.max_features = 2;
        options.min_samples_leaf = n == 300 ? 1 : 40;
        const tree::RankedColumns columns(MatrixView<double>{x.data(), n, cols, cols, 1}, nullptr,
                                          {false, true});
        tree::Target target;
        target.codes = y.data();
        target.classes = {2};
        CHECK(tree::splits_all_columns(columns, target, options, {}));
        const auto trees = tree::grow_random_trees(columns, target, options, {1, 2, 3});
        for (const auto& each : trees) {
            CHECK(each.left.size() > 3);
            check_tree(each, x, y, cols, options.min_samples_leaf);
        }
        const std::vector<double> twos(y.size(), 2.0);  // say the same
        target.weights = twos.data();
        const auto heavy = tree::grow_random_trees(columns, target, options, {1});
        CHECK(heavy[0].threshold == trees[0].threshold && heavy[0].value == trees[0].value);
        CHECK(heavy[0].weight[0] == 2.0 * static_cast<double>(n));
        CHECK(trees[0].feature != trees[1].feature || trees[0].threshold != trees[1].threshold);
    }
}

}  // namespace
}  // namespace stylobate
