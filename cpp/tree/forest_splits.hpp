// The best split of a node in one column.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "forest_near.hpp"
#include "forest_sort.hpp"

namespace stylobate::forest {

// A column and when it was drawn.
struct Column {
    Index feature = -1;
    std::size_t turn = 0;
};

// Rows whose rank is at most `last` go left.
struct Split {
    double score = -std::numeric_limits<double>::infinity();
    Column column;
    Rank last = 0;
    Rank next = 0;  // the smallest rank on the right; equal to `last` if only missing values are
    bool missing_left = false;
    double threshold = std::numeric_limits<double>::quiet_NaN();  // NaN: between last and next
};

// A node's split whose threshold is still to be looked up.
struct NodeCut {
    std::int32_t node;
    Index feature;
    Rank last, next;

    double threshold(const RankedColumns& columns) const {
        const std::vector<double>& values = columns.values(feature);
        const double a = values[last], b = values[next];
        const double middle = a / 2.0 + b / 2.0;
        return middle >= a && middle < b ? middle : a;
    }
};

// Of equal splits that of the column drawn first is taken, and there the first one: the choice does
// not depend on the order they are looked at.
inline void consider(Split& best, const Split& split) {
    if (split.score < best.score || std::isnan(split.score)) return;
    if (split.score == best.score) {
        if (split.column.turn > best.column.turn) return;
        if (split.column.turn == best.column.turn &&
            (split.missing_left > best.missing_left ||
             (split.missing_left == best.missing_left && split.last >= best.last))) {
            return;
        }
    }
    best = split;
}

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
template <class Accumulator, class Rows, class Word>
void best_split(const Rows& rows, const SortedKeys<Word>& keys, std::size_t known,
                std::size_t count, const Column& column, const Least& least, Split& best) {
    for (const bool missing_left : {false, true}) {
        if (missing_left && known == count) return;
        Accumulator sums(rows);
        const std::size_t moved = missing_left ? count - known : 0;
        for (std::size_t i = known; i < known + moved; ++i) sums.move(keys.low(i));
        for (std::size_t i = 0; i + 1 < known; ++i) {
            sums.move(keys.low(i));
            if (keys.rank(i) == keys.rank(i + 1)) continue;
            const std::size_t left = moved + i + 1;
            if (!allowed(sums, left, count - left, least)) continue;
            const double score = sums.score();
            if (score < best.score) continue;
            consider(best, {score, column, keys.rank(i), keys.rank(i + 1), missing_left});
        }
        if (missing_left || known == count || known == 0) continue;
        sums.move(keys.low(known - 1));  // all that is known against all that is missing
        if (!allowed(sums, known, count - known, least)) continue;
        const Rank last = keys.rank(known - 1);
        consider(best, {sums.score(), column, last, last, false,
                        std::numeric_limits<double>::infinity()});
    }
}

// Looks at every split inside open steps of a screen, or between two of them; `keys` are the sorted
// ones of their rows.
template <class Accumulator, class Rows, class Screen, class Word>
void best_open(const Rows& rows, const Screen& screen, const SortedKeys<Word>& keys,
               std::size_t held, std::size_t count, const Column& column, const Least& least,
               Split& best) {
    Accumulator before(rows);
    std::size_t at = 0, reached = 0;
    for (std::size_t step = 0; at < held; ++step) {
        if (!screen.is_open(step)) continue;
        screen.move(before, reached, step);
        reached = step;
        Accumulator sums = before;
        const std::size_t past = screen.rows_before(step) - at;  // rows of closed steps so far
        for (const std::size_t end = screen.rows_before(step + 1) - past; at < end; ++at) {
            sums.move(keys.low(at));
            const std::size_t left = past + at + 1;
            if (at + 1 == held || keys.rank(at) == keys.rank(at + 1)) continue;
            if (at + 1 == end && !meets(screen, step)) continue;
            if (!allowed(sums, left, count - left, least)) continue;
            const double score = sums.score();
            if (score < best.score) continue;
            consider(best, {score, column, keys.rank(at), keys.rank(at + 1)});
        }
    }
}

// Whether the next step that has rows is open.
template <class Screen>
bool meets(const Screen& screen, std::size_t step) {
    const std::size_t rows = screen.rows_before(step + 1);
    while (screen.rows_before(++step + 1) == rows) {
    }
    return screen.is_open(step);
}

}  // namespace stylobate::forest
