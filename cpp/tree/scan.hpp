// The best split of one column: rows in order of their values move to the left one by one.
#pragma once

#include <cstdint>
#include <limits>

#include "tree/criteria.hpp"

namespace stylobate::tree {

// A row and the rank of its value (key), in order of the ranks; missing ranks are the largest.
struct WideRecord {
    static constexpr std::uint32_t missing = missing_rank;
    static constexpr Index most_rows = std::numeric_limits<Index>::max();
    std::uint32_t key, row;
    static WideRecord of(std::uint32_t rank, Row row) { return {rank, row}; }
};
struct NarrowRecord {  // problems of few rows stay in cache
    static constexpr std::uint32_t missing = 0xFFFFu;
    static constexpr Index most_rows = 0xFFFF;
    std::uint16_t key, row;
    static NarrowRecord of(std::uint32_t rank, Row row) {
        return {static_cast<std::uint16_t>(rank), static_cast<std::uint16_t>(row)};
    }
};

// A split found: the first `place` rows of the order go left, with the missing ones or without.
struct Found {
    double gain = -std::numeric_limits<double>::infinity();
    Index column = -1;
    bool constant = false;  // the column says the same of all rows
    Index place = 0;
    bool missing_left = false, missing_seen = false;
    Row last_left = 0, first_right = 0;                       // rows on both sides of the threshold
    bool open_end = false;                                    // all but the missing rows go left
    double value_left = 0.0, value_right = 0.0;               // with monotone columns
    double drawn = std::numeric_limits<double>::quiet_NaN();  // a random threshold
    std::uint32_t last_rank = 0;                              // the largest rank that goes left
    std::vector<std::uint32_t> words;                         // categories that go left

    bool valid() const { return gain > -std::numeric_limits<double>::infinity(); }
};

// What a split must leave, and what must hold for its values.
struct Bounds {
    Index min_rows = 1;
    double min_weight = 0.0;
    bool monotone = false;
    int direction = 0;  // of this column
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();

    bool allow(double left, double right) const {
        return left >= lower && right >= lower && left <= upper && right <= upper &&
               (left - right) * direction <= 0.0;
    }
};

// A split with `count` rows on the left of the scanner: becomes the best if it may be made and
// gains more.
template <class Scanner>
[[gnu::always_inline]] inline void consider(Index count, Index all, const Scanner& scan,
                                            const Bounds& bounds, Found& best) {
    if (count < bounds.min_rows || all - count < bounds.min_rows) return;
    const double gain = scan.gain(count, all - count);
    if (!(gain > best.gain)) return;
    if (bounds.min_weight > 0.0 && (scan.weight_left(count) < bounds.min_weight ||
                                    scan.weight - scan.weight_left(count) < bounds.min_weight))
        return;
    if (!(gain < std::numeric_limits<double>::infinity())) return;  // weights cancelled
    if (bounds.monotone) {
        const double left = scan.value_left(count), right = scan.value_right(count);
        if (!bounds.allow(left, right)) return;
        best.value_left = left;
        best.value_right = right;
    }
    best.gain = gain;
}

// Whether a row goes left of a drawn threshold, by its place in the node.
inline auto drawn_left(const double* values, double threshold, bool missing_left) {
    return [=](Index i) {
        return (values[i] <= threshold) | (missing_left & (values[i] != values[i]));
    };
}

// Moves those of the rows that go left there; gives how many.
template <class Scanner, class Goes>
Index add_those(Scanner& scan, const Row* rows, Index m, const Goes& goes) {
    if constexpr (requires { scan.add_those(rows, m, goes); }) return scan.add_those(rows, m, goes);
    Index count = 0;
    for (Index i = 0; i < m; ++i) {
        if (!goes(i)) continue;
        scan.add(rows[i]);
        ++count;
    }
    return count;
}

// A pass over the order; `already` rows are on the left before it. The scanner is a copy, so that
// it lives in registers.
template <class Record, class Scanner>
void pass(const Record* records, Index present, Index all, Index already, Scanner scan,
          const Bounds& bounds, Found& best) {
    // with missing rows on the right, all present ones may go left
    const Index ends = already == 0 && all > present ? present : present - 1;
    const Index stop = std::min(ends, all - already - bounds.min_rows);
    Index i = 0;
    for (const Index skip = std::min(bounds.min_rows - already - 1, stop); i < skip; ++i)
        scan.add(records[i].row);
    for (; i < stop; ++i) {
        scan.add(records[i].row);
        if (i + 1 < present && records[i].key == records[i + 1].key) continue;
        const Index count = already + i + 1;
        const double before = best.gain;
        consider(count, all, scan, bounds, best);
        if (!(best.gain > before)) [[likely]]
            continue;
        best.place = i + 1;
        best.missing_left = already > 0;
        best.last_left = records[i].row;
        best.first_right = records[i + 1 < present ? i + 1 : i].row;
        best.open_end = i + 1 == present;
    }
}

// The best split of a node's records of one column; those from `present` on are missing.
template <class Record, class Scanner>
Found best_split(const Record* records, Index present, Index all, const Scanner& node,
                 const Bounds& bounds, Workspace& space) {
    Found best;
    best.missing_seen = present < all;
    best.constant = present == 0 || (present == all && records[0].key == records[all - 1].key);
    if (best.constant) return best;
    Scanner scan = node;
    scan.start(space);
    pass<Record, Scanner>(records, present, all, 0, scan, bounds, best);
    if (present == all) return best;
    scan.start(space);
    for (Index i = present; i < all; ++i) scan.add(records[i].row);
    pass<Record, Scanner>(records, present, all, all - present, scan, bounds, best);
    return best;
}

}  // namespace stylobate::tree
