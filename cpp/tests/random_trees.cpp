// Trees of random splits: the kernels against plain loops, and every split against its rows.
#include "tree/random_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "stylobate/random.hpp"
#include "tree/kernels.hpp"
#include "tree/key_values.hpp"

namespace stylobate {
namespace {

template <class Key>
struct Made {
    Index stride = 2 * key_bytes / static_cast<Index>(sizeof(Key)), table = 70'000, n = 66'000;
    Key missing = std::numeric_limits<Key>::max();
    std::vector<Key> keys, shift, limit;
    std::vector<unsigned> rows;
    std::vector<unsigned> of_class;  // rows of one class after those of another
    std::vector<double> y;

    // Rows listed here and there, or the first ones; of one vector, or of two.
    Made(Index count, Index classes, bool listed, bool narrow) : n(count) {
        if (narrow) stride /= 2;
        const Philox random(7, 3);
        for (Index i = 0; i < table * stride; ++i) {
            const auto word = random.word(static_cast<std::uint64_t>(i));
            keys.push_back(word % 11 == 0 ? missing : static_cast<Key>(word >> 50));
        }
        for (Index i = 0; i < n; ++i) {
            y.push_back(static_cast<double>(i % 13) - 5.0);
            rows.push_back(static_cast<unsigned>(listed ? (i * 37 + 11) % table : i));
        }
        of_class.assign(static_cast<std::size_t>(classes), 0);
        for (Index i = 0; i < n; ++i) ++of_class[static_cast<std::size_t>(i * i % 7 % classes)];
        for (Index j = 0; j < stride; ++j) {
            shift.push_back(static_cast<Key>(j % 2));
            limit.push_back(static_cast<Key>(j * 700 + j % 2));
        }
    }
    Key key(Index i, Index j) const {
        const auto row = static_cast<Index>(rows[static_cast<std::size_t>(i)]);
        return keys[static_cast<std::size_t>(row * stride + j)];
    }
    bool goes(Index i, Index j) const {
        const auto at = static_cast<std::size_t>(j);
        return key(i, j) == missing ? shift[at] == 1 : key(i, j) + shift[at] <= limit[at];
    }
    std::vector<Index> classes() const {  // of each row
        std::vector<Index> out;
        for (std::size_t c = 0; c < of_class.size(); ++c)
            out.insert(out.end(), of_class[c], static_cast<Index>(c));
        return out;
    }
};

template <class Key, class Extremes, class Counts, class Sums>
void compare(Extremes extremes, Counts counts, Sums sums, Index n, Index classes, bool listed) {
    const Made<Key> made(n, classes, listed, false);
    const unsigned* const rows = listed ? made.rows.data() : nullptr;
    const auto lanes = static_cast<std::size_t>(made.stride);
    std::vector<Key> least(lanes), most(lanes), present(lanes), low_alone(lanes), high_alone(lanes);
    extremes(made.keys.data(), made.stride, rows, n, least.data(), most.data(), present.data());
    extremes(made.keys.data(), made.stride, rows, n, low_alone.data(), high_alone.data(), nullptr);
    CHECK(low_alone == least && high_alone == most);
    std::vector<unsigned> left(lanes * static_cast<std::size_t>(classes)), how_many(lanes);
    counts(made.keys.data(), made.stride, rows, made.of_class.data(), classes, made.shift.data(),
           made.limit.data(), left.data());
    std::vector<double> sum(lanes);
    sums(made.keys.data(), made.stride, rows, n, made.shift.data(), made.limit.data(),
         made.y.data(), 0.5, sum.data(), how_many.data());
    const std::vector<Index> labels = made.classes();
    for (Index j = 0; j < made.stride; ++j) {
        const auto at = static_cast<std::size_t>(j);
        Key low = made.missing, high = 0, last = 0;
        std::vector<unsigned> expected(static_cast<std::size_t>(classes));
        double total = 0.0;
        for (Index i = 0; i < n; ++i) {
            const Key key = made.key(i, j);
            low = std::min(low, key);
            high = std::max(high, key);
            if (key != made.missing) last = std::max(last, static_cast<Key>(key + 1));
            if (!made.goes(i, j)) continue;
            ++expected[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])];
            total += made.y[static_cast<std::size_t>(i)] - 0.5;
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
        const tree::Kernels* const k = tree::kernels_of(isa);
        if (k == nullptr) continue;
        for (const Index n : {Index{1}, Index{5}, Index{66'000}}) {
            const Index classes = n == 5 ? 7 : 2;
            for (const bool listed : {false, true}) {
                compare<std::uint16_t>(k->key_extremes_16, k->key_counts_16, k->key_sums_16, n,
                                       classes, listed);
                compare<std::uint32_t>(k->key_extremes_32, k->key_counts_32, k->key_sums_32, n,
                                       classes, listed);
            }
        }
        compare<std::uint16_t>(k->key_extremes_16, k->key_counts_16, k->key_sums_16, 66'000, 5,
                               true);
    }
}

template <class Key, class Part>
void compare_parts(Part part, Index n, bool narrow, bool told) {
    const Made<Key> made(n, 2, false, narrow);
    const Index column = made.stride / 2 + 1;
    const auto at = static_cast<std::size_t>(column);
    std::vector<Key> left, right;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < made.stride; ++j)
            (made.goes(i, column) ? left : right).push_back(made.key(i, j));
    std::vector<Key> out(left.size() + right.size() + 1, Key{7});
    std::vector<unsigned char> goes(static_cast<std::size_t>(n) + 1, 9);
    part(made.keys.data(), made.stride, n, column, made.shift[at], made.limit[at], out.data(),
         out.data() + left.size(), told ? goes.data() : nullptr);
    left.insert(left.end(), right.begin(), right.end());
    left.push_back(Key{7});  // nothing is written after them
    CHECK(out == left);
    for (Index i = 0; i < n; ++i)
        CHECK(goes[static_cast<std::size_t>(i)] == (told ? (made.goes(i, column) ? 1 : 0) : 9));
    CHECK(goes.back() == 9);
}

TEST(rows_of_keys_are_parted_in_their_order) {
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        const tree::Kernels* const k = tree::kernels_of(isa);
        if (k == nullptr) continue;
        for (const Index n : {Index{1}, Index{2}, Index{37}, Index{5000}})
            for (const bool narrow : {false, true})
                for (const bool told : {false, true}) {
                    compare_parts<std::uint16_t>(k->key_part_16, n, narrow, told);
                    compare_parts<std::uint32_t>(k->key_part_32, n, narrow, told);
                }
    }
}

TEST(a_threshold_is_found_among_the_values_of_its_bucket) {
    const double far = std::numeric_limits<double>::max();
    std::vector<double> steep, even{-3.0, -1.0, 0.0, 2.0, 2.5, 7.0}, wide{-far, -1.0, 1.0, far};
    for (int i = 0; i < 200; ++i) steep.push_back(std::exp(0.2 * i));  // most lie in one bucket
    const double tiny = std::numeric_limits<double>::denorm_min();
    for (const auto& values : {even, steep, wide, {0.0, tiny}, {5.0}}) {
        const tree::KeyValues found{std::vector<double>(values)};
        for (std::size_t low = 0; low < values.size(); ++low)
            for (std::size_t high = low + 1; high < values.size(); high += 1 + high / 5)
                for (const double share : {0.0, 0.01, 0.3, 0.999}) {
                    double t = values[low] * (1.0 - share) + values[high] * share;
                    if (!(t < values[high]) || t < values[low]) t = values[low];
                    std::size_t last = low;
                    while (values[last + 1] <= t) ++last;
                    CHECK(found.last_up_to(low, high, t) == last);
                }
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
