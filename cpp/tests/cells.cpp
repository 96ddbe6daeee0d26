// Ranks against counting, cells against single splits, forests by ranks against plain walks.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "check.hpp"
#include "stylobate/buffer.hpp"
#include "tree/flat.hpp"
#include "tree/kernels.hpp"
#include "tree/thresholds.hpp"

namespace stylobate {
namespace {

using namespace tree;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<const tree::Kernels*> all_kernels() {
    std::vector<const tree::Kernels*> found;
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512})
        if (const tree::Kernels* const kernels = tree::kernels_of(which)) found.push_back(kernels);
    return found;
}

// Each threshold, its neighbours, and what lies at the ends.
std::vector<double> around(const std::vector<double>& thresholds) {
    std::vector<double> x{-inf, inf, nan, 0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308};
    for (const double t : thresholds)
        for (const double value : {t, std::nextafter(t, -inf), std::nextafter(t, inf)})
            x.push_back(value);
    return x;
}

void check_ranks(const std::vector<double>& thresholds) {
    const Thresholds table(thresholds);
    std::vector<double> distinct = thresholds;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    CHECK(table.count() == static_cast<Index>(distinct.size()));
    for (std::size_t k = 0; k < distinct.size(); ++k) CHECK(table.rank(distinct[k]) == k);
    const std::vector<double> x = around(thresholds);
    for (const tree::Kernels* const kernels : all_kernels()) {
        std::vector<std::uint16_t> ranks(3 * x.size(), 7);
        CHECK(kernels->find_ranks(x.data(), static_cast<Index>(x.size()), table.table(),
                                  ranks.data(), 3));
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto below = std::lower_bound(distinct.begin(), distinct.end(), x[i]);
            CHECK(ranks[3 * i] == (std::isnan(x[i]) ? 65535 : below - distinct.begin()));
            CHECK(ranks[3 * i + 1] == 7);
        }
        CHECK(!kernels->find_ranks(x.data(), 2, table.table(), ranks.data(), 1));
    }
}

TEST(ranks_are_the_numbers_of_thresholds_below) {
    std::mt19937_64 random(0);
    std::normal_distribution<double> normal;
    check_ranks({0.5});
    check_ranks({0.0, -0.0});
    check_ranks({-inf, 0.0, inf});
    check_ranks({-1.7e308, 0.0, 1.7e308});    // their difference is not finite
    check_ranks({5e-324, 1e-323, 1.5e-323});  // nor is what divides it
    std::vector<double> many, tails, ties;
    for (int k = 0; k < 3000; ++k) {
        many.push_back(normal(random));
        tails.push_back(std::exp(40.0 * normal(random)));
        ties.push_back(std::round(3.0 * normal(random)));
    }
    check_ranks(many);
    check_ranks(tails);
    check_ranks(ties);
    std::vector<double> most(static_cast<std::size_t>(most_thresholds));
    std::iota(most.begin(), most.end(), -30000.0);
    check_ranks(most);
}

// A tree of cells, of which each leads only to later ones and leaves.
std::vector<TreeCell> random_cells(std::mt19937_64& random, unsigned count, unsigned columns) {
    std::vector<TreeCell> cells(count);
    unsigned next = 1, leaves = 0;
    for (unsigned c = 0; c < count; ++c) {
        for (int s = 0; s < 7; ++s) {
            cells[c].feature[s] =
                static_cast<std::uint16_t>(random() % columns | (random() % 2 << 15));
            cells[c].threshold[s] =
                static_cast<std::uint16_t>(random() % 8 == 0 ? 65535 : random() % 6);
        }
        for (unsigned& child : cells[c].child)
            child = next < count && random() % 2 == 0 ? next++ : 1u << 31 | leaves++;
    }
    return cells;
}

unsigned plain_leaf(const std::vector<TreeCell>& cells, const std::uint16_t* row) {
    for (unsigned at = 0;;) {
        int split = 0;
        for (int level = 0; level < 3; ++level) {
            const unsigned feature = cells[at].feature[split];
            const std::uint16_t rank = row[feature & 0x7fffu];
            const bool left = rank == 65535 && feature >= 1u << 15;
            split = 2 * split + 1 + (!left && rank > cells[at].threshold[split]);
        }
        at = cells[at].child[split - 7];
        if (at >= 1u << 31) return at - (1u << 31);
    }
}

TEST(cells_lead_where_their_splits_do) {
    std::mt19937_64 random(1);
    for (const unsigned columns : {1u, 5u, 32u, 33u, 64u, 65u, 300u})
        for (const Index n : {1, 15, 16, 17, 250}) {
            const Index width = columns <= 32 ? 32 : columns <= 64 ? 64 : columns;
            const std::vector<TreeCell> cells = random_cells(random, 40, columns);
            for (const bool gaps : {false, true}) {
                Buffer memory((n * width + 3) / 4);
                auto* const rows = reinterpret_cast<std::uint16_t*>(memory.data());
                for (Index k = 0; k < n * width; ++k)
                    rows[k] = static_cast<std::uint16_t>(gaps && random() % 4 == 0 ? 65535
                                                                                   : random() % 7);
                for (const tree::Kernels* const kernels : all_kernels()) {
                    std::vector<unsigned> at(static_cast<std::size_t>(n)), scratch(2 * at.size());
                    kernels->walk_cells(cells.data(), rows, width, n, gaps, at.data(),
                                        scratch.data());
                    for (Index i = 0; i < n; ++i)
                        CHECK(at[static_cast<std::size_t>(i)] ==
                              plain_leaf(cells, rows + i * width));
                }
            }
        }
}

// A tree of random shape whose thresholds come from a few numbers; leaves hold their number.
struct RandomTree {
    std::vector<std::int32_t> left, right, feature;
    std::vector<double> threshold, value;
    std::vector<std::uint8_t> missing;

    RandomTree(std::mt19937_64& random, const std::vector<double>& numbers, int depth,
               int columns) {
        grow(random, numbers, depth, columns);
    }
    void grow(std::mt19937_64& random, const std::vector<double>& numbers, int depth, int columns) {
        const std::size_t at = left.size();
        left.push_back(-1), right.push_back(-1), feature.push_back(-2), threshold.push_back(-2.0);
        missing.push_back(static_cast<std::uint8_t>(random() % 2));
        value.push_back(
            std::ldexp(static_cast<double>(at) + 0.1, -static_cast<int>(random() % 20)));
        value.push_back(1.0 - value.back());
        if (depth == 0 || random() % 6 == 0) return;
        feature[at] = static_cast<std::int32_t>(random() % static_cast<unsigned>(columns));
        threshold[at] = numbers[random() % numbers.size()];
        left[at] = static_cast<std::int32_t>(left.size());
        grow(random, numbers, depth - 1, columns);
        right[at] = static_cast<std::int32_t>(left.size());
        grow(random, numbers, depth - 1, columns);
    }
    TreeView view() const {
        TreeView view;
        view.nodes = static_cast<Index>(left.size());
        view.left = left.data(), view.right = right.data(), view.feature = feature.data();
        view.threshold = threshold.data(), view.missing_left = missing.data();
        view.value = value.data();
        return view;
    }
};

template <class T>
void check_forest(int columns, int trees, int depth, bool transposed) {
    std::mt19937_64 random(static_cast<unsigned>(columns * 100 + trees));
    std::vector<double> numbers{-inf, -1.5, -0.0, 0.0, 5e-324, 0.25, 1.0, 1e300};
    std::vector<RandomTree> grown;
    std::vector<TreeView> views;
    for (int t = 0; t < trees; ++t) grown.emplace_back(random, numbers, depth, columns);
    for (const auto& tree : grown) views.push_back(tree.view());
    numbers.insert(numbers.end(), {inf, nan, -1e-300, 0.3, 2.0});
    const Index n = 3000;
    std::vector<T> x(static_cast<std::size_t>(n * columns));
    for (T& value : x) value = static_cast<T>(numbers[random() % numbers.size()]);
    const MatrixView<T> rows = transposed ? MatrixView<T>{x.data(), n, columns, 1, n}
                                          : MatrixView<T>{x.data(), n, columns, columns, 1};
    const Forest forest(views, columns, 2);
    std::vector<double> sums(static_cast<std::size_t>(2 * n)), one(2);
    std::vector<std::int64_t> leaves(static_cast<std::size_t>(n * trees)), few(views.size());
    forest.add(rows, 0, trees, nullptr, sums.data(), 2);
    forest.leaves(rows, leaves.data());
    CHECK(forest.ranked());
    for (Index i = 0; i < n; i += 7) {
        const Forest fresh(views, columns, 2);
        const MatrixView<T> row{rows.row(i), 1, columns, rows.row_stride, rows.col_stride};
        std::fill(one.begin(), one.end(), 0.0);
        fresh.add(row, 0, trees, nullptr, one.data(), 2);
        fresh.leaves(row, few.data());
        CHECK(!fresh.ranked());
        CHECK(std::memcmp(one.data(), sums.data() + 2 * i, 2 * sizeof(double)) == 0);
        CHECK(std::equal(few.begin(), few.end(), leaves.begin() + i * trees));
    }
}

TEST(forests_of_many_rows_sum_as_plain_walks_do) {
    check_forest<double>(3, 20, 9, false);
    check_forest<float>(3, 20, 9, false);
    check_forest<double>(40, 60, 7, true);
    check_forest<double>(90, 80, 8, false);
}

}  // namespace
}  // namespace stylobate
