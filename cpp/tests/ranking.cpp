#include "scan/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "check.hpp"
#include "scan/keys.hpp"

namespace stylobate {
namespace {

struct Rows {
    std::vector<double> scores, weights;
    std::vector<std::uint8_t> positive;
    scan::Ranked<double> view(bool weighted) const {
        return {scores.data(), positive.data(), weighted ? weights.data() : nullptr,
                static_cast<Index>(scores.size())};
    }
};

Rows make(Index n, int kind) {
    Rows rows;
    std::uint64_t state = 17;
    const auto next = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state >> 11) * 0x1p-53;
    };
    for (Index i = 0; i < n; ++i) {
        const double u = next();
        const double scores[] = {
            u - 0.5,
            std::floor(u * 5.0) - 2.0,
            -0.0,
            std::exp(200.0 * (u - 0.5)),
            u < 0.01 ? 1e300 * (u - 0.005) : 1.0 + u * 1e-13,
            u < 0.5 ? std::numeric_limits<double>::max() : std::numeric_limits<double>::lowest()};
        rows.scores.push_back(scores[kind]);
        rows.positive.push_back(next() < 0.3);
        rows.weights.push_back(0.25 * std::floor(next() * 5.0));
    }
    return rows;
}

// By sorting row numbers, threshold by threshold.
struct Expected {
    double pairs = 0.0, precision = 0.0;
    std::vector<double> thresholds, positive, negative;
};

Expected expected(const Rows& rows, bool weighted) {
    std::vector<Index> order(rows.scores.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return rows.scores[a] > rows.scores[b]; });
    Expected out;
    double up = 0.0, down = 0.0;
    for (std::size_t i = 0; i < order.size();) {
        const double score = rows.scores[order[i]];
        double here[2] = {0.0, 0.0};
        for (; i < order.size() && rows.scores[order[i]] == score; ++i)
            here[rows.positive[order[i]]] += weighted ? rows.weights[order[i]] : 1.0;
        out.pairs += here[0] * (up + 0.5 * here[1]);
        up += here[1];
        down += here[0];
        if (here[1] > 0.0) out.precision += here[1] * up / (up + down);
        out.thresholds.push_back(score);
        out.positive.push_back(up);
        out.negative.push_back(down);
    }
    return out;
}

}  // namespace

TEST(keys_fall_as_scores_rise_and_come_back) {
    const double scores[] = {-1e308, -2.0, -1.0, -5e-324, 0.0, 5e-324, 1.0, 1e308};
    for (std::size_t i = 0; i + 1 < std::size(scores); ++i)
        CHECK(scan::key_of(scores[i]) > scan::key_of(scores[i + 1]));
    for (const double score : scores) CHECK(scan::score_of<double>(scan::key_of(score)) == score);
    CHECK(scan::key_of(-0.0) == scan::key_of(0.0));
    CHECK(scan::key_of(-1.5f) > scan::key_of(1.5f));
}

TEST(ranked_sums_are_those_of_sorted_rows) {
    for (const Index n : {1, 2, 30, 1000, 70000, 200000})
        for (int kind = 0; kind < 6; ++kind)
            for (const bool weighted : {false, true}) {
                const Rows rows = make(n, kind);
                const Expected want = expected(rows, weighted);
                const auto view = rows.view(weighted);
                const auto pairs = scan::ranked_pairs(view);
                const auto precision = scan::ranked_precision(view);
                const auto curve = scan::ranked_curve(view);
                CHECK(pairs.finite && precision.finite && curve.finite);
                CHECK_CLOSE(pairs.area, want.pairs, 1e-12 * want.pairs);
                CHECK_CLOSE(precision.area, want.precision, 1e-11 * want.precision);
                CHECK(curve.thresholds == want.thresholds);
                CHECK_CLOSE(pairs.positive, want.positive.back(), 1e-9);
                CHECK_CLOSE(pairs.negative, want.negative.back(), 1e-9);
                for (std::size_t i = 0; i < want.positive.size(); ++i) {
                    CHECK_CLOSE(curve.positive[i], want.positive[i], 1e-7);
                    CHECK_CLOSE(curve.negative[i], want.negative[i], 1e-7);
                }
            }
}

TEST(scores_that_are_not_finite_are_told) {
    for (const double strange :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (const Index at : {0, 777, 99999}) {
            Rows rows = make(100000, 0);
            rows.scores[at] = strange;
            CHECK(!scan::ranked_pairs(rows.view(false)).finite);
            CHECK(!scan::ranked_precision(rows.view(true)).finite);
            CHECK(!scan::ranked_curve(rows.view(false)).finite);
        }
}

}  // namespace stylobate
