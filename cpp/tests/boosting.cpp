// Histograms, growth and boosting against sums and searches by hand.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include "check.hpp"
#include "stylobate/parallel.hpp"
#include "tree/boost.hpp"
#include "tree/cuts.hpp"
#include "tree/kernels.hpp"
#include "tree/sorting.hpp"

namespace stylobate {
namespace {

using namespace boost;

struct Example {
    std::vector<double> x;
    Index rows, cols;
    MatrixView<double> view() const { return {x.data(), rows, cols, cols, 1}; }
};

Example example(Index rows, Index cols, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<> normal;
    Example out{{}, rows, cols};
    for (Index i = 0; i < rows * cols; ++i)
        out.x.push_back(random() % 20 == 0 ? std::nan("") : normal(random));
    return out;
}

// One start for all rows.
MatrixView<double> constant(const double& start) {
    return {&start, 1, 1, 1, 1};
}

std::vector<double> scores_of(const Booster& booster) {
    const Array<double>& scores = booster.scores();
    return {scores.data(), scores.data() + scores.size()};
}

Bins bins_of(const Example& data, Index max_bins) {
    Bins bins;
    const std::vector<bool> none(static_cast<std::size_t>(data.cols), false);
    bins.edges = find_edges(data.view(), nullptr, none, max_bins, Index{100000}, 0);
    bins.bin_of_code.resize(static_cast<std::size_t>(data.cols));
    return bins;
}

}  // namespace

TEST(numbers_sorted_by_their_bits) {
    std::mt19937_64 random(1);
    std::vector<double> values;
    for (int k = 0; k < 20000; ++k)
        values.push_back(std::ldexp(static_cast<double>(random() % 2000) - 1000.0,
                                    static_cast<int>(random() % 40) - 20));
    values.push_back(std::numeric_limits<double>::infinity());
    values.push_back(-std::numeric_limits<double>::infinity());
    std::vector<double> expected = values;
    std::sort(expected.begin(), expected.end());
    sort_numbers(values);
    CHECK(values == expected);
}

TEST(bins_filled_in_parts_and_in_files_are_those_of_the_whole) {
    const Example data = example(5000, 35, 3);
    const Bins bins = bins_of(data, 40);
    const BinnedRows whole(data.view(), bins);
    for (const char* folder : {"", "/tmp"}) {
        BinnedRows parts(data.rows, bins, folder);
        for (Index first = 0; first < data.rows; first += 1700) {
            const Index count = std::min<Index>(1700, data.rows - first);
            parts.fill(MatrixView<double>{data.x.data() + first * data.cols, count, data.cols,
                                          data.cols, 1},
                       bins, first);
        }
        for (Index f = 0; f < data.cols; ++f) {
            CHECK(std::equal(whole.column(f), whole.column(f) + data.rows, parts.column(f)));
            CHECK(whole.missing(f) == parts.missing(f));
        }
        const auto& block = parts.blocks()[1];
        for (Index i = 0; i < data.rows; ++i)
            for (Index k = 0; k < block.count; ++k)
                CHECK(block.bins[i * block.stride + k] == whole.column(block.first + k)[i]);
    }
    CHECK_THROWS(NoSpace, BinnedRows(1000, bins, "/nowhere/at/all"));
}

TEST(bins_hold_what_their_edges_say) {
    const Example data = example(5000, 3, 2);
    const Bins bins = bins_of(data, 40);
    const BinnedRows rows(data.view(), bins);
    for (Index f = 0; f < 3; ++f) {
        const auto& edges = bins.edges[static_cast<std::size_t>(f)];
        CHECK(edges.size() == 39 && rows.missing(f));
        for (Index i = 0; i < data.rows; ++i) {
            const double x = data.view()(i, f);
            const auto at = std::lower_bound(edges.begin(), edges.end(), x) - edges.begin();
            CHECK(rows.column(f)[i] == (std::isnan(x) ? rows.count(f) : at));
        }
    }
}

TEST(histograms_are_sums_whatever_the_packing) {
    const Example data = example(9000, 35, 3);  // more than one block of features
    const Bins bins = bins_of(data, 255);
    const BinnedRows rows(data.view(), bins);
    std::mt19937_64 random(4);
    Array<Pair> pairs(data.rows);
    std::vector<std::int32_t> chosen;
    for (Index i = 0; i < data.rows; ++i) {  // multiples of 2⁻¹⁴: exact in every packing
        pairs[i] = {static_cast<float>(std::ldexp(double(random() % 32768) - 16384.0, -14)), 1.0F};
        if (random() % 3 == 0) chosen.push_back(static_cast<std::int32_t>(i));
    }
    for (const Packing packing : {Packing::narrow, Packing::constant, Packing::wide}) {
        PackedPairs packed(data.rows);
        packed.pack(pairs, 0, data.rows, true, &packing);
        Histogram found(data.cols);
        for (const auto& block : rows.blocks())
            add_rows(rows, block, packed, chosen.data(), 0, static_cast<Index>(chosen.size()), true,
                     found);
        for (Index f = 0; f < data.cols; ++f) {
            std::vector<double> g(bin_slots, 0.0), c(bin_slots, 0.0);
            for (const std::int32_t i : chosen) {
                g[rows.column(f)[i]] += pairs[i].gradient;
                c[rows.column(f)[i]] += 1.0;
            }
            for (Index b = 0; b <= rows.count(f); ++b) {
                const auto at = static_cast<std::size_t>(b);
                const Index slot = f * bin_slots + b;
                CHECK(found.gradient[slot] * packed.gradient_unit() == g[at]);
                CHECK(found.hessian[slot] * packed.hessian_unit() == c[at]);
                CHECK(found.count[slot] == c[at]);
            }
        }
    }
}

TEST(best_cut_is_that_of_a_plain_loop) {
    std::mt19937_64 random(11);
    for (Index n : {Index{0}, Index{1}, Index{2}, Index{5}, Index{77}, Index{254}, Index{255}}) {
        for (int trial = 0; trial < 20; ++trial) {
            std::vector<double> g(256), h(256);
            std::vector<std::int32_t> c(256);
            Sums all{3.0, 5.0, 2}, start = all;  // what is missing stands on the left
            for (Index b = 0; b <= n; ++b) {     // one bin more than may be cut after
                const auto at = static_cast<std::size_t>(b);
                c[at] = static_cast<std::int32_t>(random() % 4);
                g[at] = c[at] == 0 ? 0.0 : static_cast<double>(random() % 2001) - 1000.0;
                h[at] = 3.0 * c[at];
                all += {g[at], h[at], c[at]};
            }
            const Objective objective{std::ldexp(1.0, -10), 0.5, trial % 2 == 0 ? 0.0 : 1.5};
            NodeSums node;
            node.sums = all;
            node.value = objective.value(all, node.low, node.high);
            const CutRules rules{objective, 1.0, 3};
            double best = 0.0, found = 0.0;
            Index expected = -1;
            Sums left = start, kept = start;
            for (Index b = 0; b < n; ++b) {
                const auto at = static_cast<std::size_t>(b);
                left += {g[at], h[at], c[at]};
                const Sums right = all - left;
                if (left.count < 3 || right.count < 3) continue;
                const double a = objective.value(left, node.low, node.high);
                const double a2 = objective.value(right, node.low, node.high);
                const double gain =
                    (all.gradient * node.value - left.gradient * a - right.gradient * a2) *
                    objective.gradient_unit;
                if (gain > best) best = gain, expected = b, kept = left;
            }
            Sums side = start;
            const Index cut = best_cut({g.data(), h.data(), c.data()}, n, node, rules, found, side);
            CHECK(cut == expected && found == best);
            CHECK(side.gradient == kept.gradient && side.count == kept.count);
        }
    }
}

TEST(the_first_of_the_best_gains_is_the_same_on_every_machine) {
    std::mt19937_64 random(5);
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        const tree::Kernels* const k = tree::kernels_of(isa);
        if (k == nullptr) continue;
        for (int trial = 0; trial < 300; ++trial) {
            std::vector<double> g(256), h(256);
            for (std::size_t b = 0; b < 256; ++b) {  // few different sums: many gains are equal
                g[b] = static_cast<double>(random() % 7) - 3.0;
                h[b] = static_cast<double>(random() % 3) + 1.0;
            }
            const CutGains node{2.0, 9.0, -1.5, 0.37, 0.11, trial % 2 == 0 ? 0.0 : 0.3};
            const auto begin = static_cast<Index>(random() % 60);
            const Index end = begin + static_cast<Index>(random() % 197);
            const double least = trial % 3 == 0 ? 1e9 : 0.0;
            double best = least, found = least;
            Index expected = -1;
            for (Index b = begin; b < end; ++b) {
                const double g1 = g[static_cast<std::size_t>(b)],
                             h1 = h[static_cast<std::size_t>(b)];
                const double g2 = node.gradient - g1, h2 = node.hessian - h1;
                const double a = -g1 * node.unit / (h1 * node.hessian_unit + node.l2 + 1e-15);
                const double a2 = -g2 * node.unit / (h2 * node.hessian_unit + node.l2 + 1e-15);
                const double gain = (node.own - g1 * a - g2 * a2) * node.unit;
                if (gain > best) best = gain, expected = b;
            }
            CHECK(k->best_gain(g.data(), h.data(), begin, end, node, found) == expected);
            CHECK(found == best);
        }
    }
}

TEST(rows_are_parted_in_their_order_on_every_machine) {
    std::mt19937_64 random(5);
    std::vector<unsigned char> column(1000 + 16);
    for (auto& bin : column) bin = static_cast<unsigned char>(random() % 40);
    std::vector<int> rows;
    for (int i = 0; i < 1000; ++i)
        if (random() % 2 == 0) rows.push_back(i);
    bool goes[256];
    for (int b = 0; b < 256; ++b) goes[b] = b <= 17 || b == 39;
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        const tree::Kernels* const set = tree::kernels_of(isa);
        if (set == nullptr) continue;
        for (const bool listed : {true, false})
            for (const int last : {17, -1}) {
                const Index n = listed ? static_cast<Index>(rows.size()) : 1000;
                std::vector<int> left(static_cast<std::size_t>(n)), right(left), a, b;
                const Index count = set->part_rows(column.data(), listed ? rows.data() : nullptr, 0,
                                                   n, goes, last, 39, left.data(), right.data());
                for (Index k = 0; k < n; ++k) {
                    const int row =
                        listed ? rows[static_cast<std::size_t>(k)] : static_cast<int>(k);
                    (goes[column[static_cast<std::size_t>(row)]] ? a : b).push_back(row);
                }
                left.resize(static_cast<std::size_t>(count));
                right.resize(static_cast<std::size_t>(n - count));
                CHECK(left == a && right == b);
            }
    }
}

TEST(boosting_lowers_the_loss_the_same_way_on_any_number_of_threads_and_in_files) {
    const Example data = example(40000, 4, 6);
    std::vector<double> y;
    for (Index i = 0; i < data.rows; ++i) {
        const double z = data.view()(i, 0);
        y.push_back(z > 0.0 ? 1.0 : 0.0);
    }
    const Bins bins = bins_of(data, 255);
    const BinnedRows rows(data.view(), bins);
    for (const LossKind loss : {LossKind::logistic, LossKind::half_squared, LossKind::absolute,
                                LossKind::huber, LossKind::poisson}) {
        std::vector<std::vector<double>> scores;
        for (const auto& [count, folder] : {std::pair{1, ""}, {3, ""}, {3, "/tmp"}}) {
            const int before = set_threads(count);
            BoostRules rules;
            const Targets targets{y.data(), nullptr, data.rows, 1, {loss}};
            Booster booster(rows, bins, targets, rules, constant(0.3), folder);
            const double start = booster.loss();
            for (int k = 0; k < 3; ++k) booster.step();
            CHECK(loss == LossKind::huber || booster.loss() < start);
            scores.push_back(scores_of(booster));
            set_threads(before);
        }
        CHECK(scores[0] == scores[1] && scores[0] == scores[2]);
    }
}

TEST(trees_without_limits_drop_histograms_and_stay_the_same) {
    const Example data = example(3000, 2, 7);
    std::vector<double> y(static_cast<std::size_t>(data.rows));
    std::iota(y.begin(), y.end(), 0.0);
    const Bins bins = bins_of(data, 255);
    const BinnedRows rows(data.view(), bins);
    BoostRules rules;
    rules.growth.max_leaves = 0;
    rules.growth.min_samples_leaf = 1;
    const Targets targets{y.data(), nullptr, data.rows, 1, {}};
    Booster booster(rows, bins, targets, rules, constant(0.0), {});
    const auto tree = booster.step()[0];
    Index leaves = 0, covered = 0;
    for (std::size_t k = 0; k < tree.left.size(); ++k)
        if (tree.left[k] < 0) {
            ++leaves;
            covered += tree.count[k];
        }
    CHECK(leaves > 500 && covered == data.rows);
    std::vector<double> again(y.size(), 0.0);
    tree.add(rows, again.data());
    CHECK(again == scores_of(booster));
}

}  // namespace stylobate
