// The best split of a node in one column.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "forest_sort.hpp"
#include "forest_targets.hpp"

namespace stylobate::forest {

// Rows whose rank is at most `last` go left.
struct Split {
    double score = -std::numeric_limits<double>::infinity();
    Index feature = -1;
    Rank last = 0;
    Rank next = 0;  // the smallest rank on the right; equal to `last` if only missing values are
    bool missing_left = false;
    double threshold = std::numeric_limits<double>::quiet_NaN();  // NaN: between last and next
    bool by_step = false;  // `last` is a step of the ranks yet
};

// What both sides of a split must have.
struct Least {
    std::size_t rows;
    double weight;
};

template <class Accumulator>
bool allowed(const Accumulator& sums, std::size_t left, std::size_t right, const Least& least) {
    return left >= least.rows && right >= least.rows && sums.left() >= least.weight &&
           sums.right() >= least.weight;
}

// Looks at every split of sorted keys, of which those from `known` on are missing; missing values
// go to one side and then, if there are any, to the other.
template <class Accumulator, class Rows>
void best_split(const Rows& rows, const RankKey* keys, std::size_t known, std::size_t count,
                Index feature, const Least& least, Split& best) {
    for (const bool missing_left : {false, true}) {
        if (missing_left && known == count) return;
        Accumulator sums(rows);
        const std::size_t moved = missing_left ? count - known : 0;
        for (std::size_t i = known; i < known + moved; ++i) sums.move(about(keys[i]));
        for (std::size_t i = 0; i + 1 < known; ++i) {
            sums.move(about(keys[i]));
            if (rank_of(keys[i]) == rank_of(keys[i + 1])) continue;
            const std::size_t left = moved + i + 1;
            if (!allowed(sums, left, count - left, least)) continue;
            const double score = sums.score();
            if (score > best.score) {
                best = {score,
                        feature,
                        rank_of(keys[i]),
                        rank_of(keys[i + 1]),
                        missing_left,
                        std::numeric_limits<double>::quiet_NaN()};
            }
        }
        if (missing_left || known == count || known == 0) continue;
        sums.move(about(keys[known - 1]));  // all that is known against all that is missing
        const double score = sums.score();
        if (allowed(sums, known, count - known, least) && score > best.score) {
            const Rank last = rank_of(keys[known - 1]);
            best = {score, feature, last, last, false, std::numeric_limits<double>::infinity()};
        }
    }
}

// Looks at the splits between steps of a column's ranks. The ranks next to them are found later.
template <class Accumulator, class Rows>
void best_step(const Rows& rows, const BinTable& table, std::size_t count, Index feature,
               const Least& least, Split& best) {
    Accumulator sums(rows);
    std::size_t left = 0;
    for (std::size_t step = 0; step + 1 < RankedColumns::steps && left < count; ++step) {
        if (table.rows[step] == 0) continue;
        sums.move_bin(table.bin(step));
        left += table.rows[step];
        if (left == count || !allowed(sums, left, count - left, least)) continue;
        const double score = sums.score();
        if (score > best.score) {
            best = {score, feature, static_cast<Rank>(step),
                    0,     false,   std::numeric_limits<double>::quiet_NaN(),
                    true};
        }
    }
}

// The steps inside which a split may score more than the best one known.
template <class Accumulator, class Rows>
bool open_steps(const Rows& rows, const BinTable& table, double best,
                std::vector<std::uint8_t>& open) {
    Accumulator sums(rows);
    bool any = false;
    open.assign(RankedColumns::steps, 0);
    for (std::size_t step = 0; step < RankedColumns::steps; ++step) {
        if (table.rows[step] == 0) continue;
        if (table.rows[step] > 1 && sums.bound(table.bin(step)) > best) open[step] = 1, any = true;
        sums.move_bin(table.bin(step));
    }
    return any;
}

// Looks at every split inside open steps; `keys` are the sorted ones of their rows, and code(rank)
// the step of a rank.
template <class Accumulator, class Rows, class Code>
void best_inside(const Rows& rows, const BinTable& table, const RankKey* keys, std::size_t held,
                 std::size_t count, const Code& code, Index feature, const Least& least,
                 Split& best) {
    Accumulator before(rows);
    std::size_t left = 0, at = 0;
    for (std::size_t step = 0; step < RankedColumns::steps && at < held; ++step) {
        if (code(rank_of(keys[at])) == step) {
            Accumulator sums = before;
            std::size_t end = at + table.rows[step];
            for (; at + 1 < end; ++at) {
                sums.move(about(keys[at]));
                ++left;
                if (rank_of(keys[at]) == rank_of(keys[at + 1])) continue;
                if (!allowed(sums, left, count - left, least)) continue;
                const double score = sums.score();
                if (score > best.score) {
                    best = {score,
                            feature,
                            rank_of(keys[at]),
                            rank_of(keys[at + 1]),
                            false,
                            std::numeric_limits<double>::quiet_NaN()};
                }
            }
            ++at, ++left;
        } else {
            left += table.rows[step];
        }
        before.move_bin(table.bin(step));
    }
}

}  // namespace stylobate::forest
