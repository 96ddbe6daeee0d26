// Columns of few values by any criterion: sums for each value, and nothing is sorted.
#pragma once

#include <cstdint>
#include <limits>

#include "forest_splits.hpp"

namespace stylobate::forest {

template <class Accumulator, class Rows>
class BinCounts {
 public:
    // Counts the rows of a node in several columns.
    static void count(BinCounts* counts, const Rows& rows, const NodeRows& node,
                      const Column* columns, std::size_t n) {
        for (std::size_t j = 0; j < n; ++j) {
            counts[j].table_.steps = node.source.columns->code_count(columns[j].feature);
            rows.count(node.members, node.count,
                       node.source.codes(static_cast<std::size_t>(columns[j].feature)),
                       counts[j].table_);
        }
    }

    // Looks at every split, missing values on either side; whether the column varies.
    template <class Scale>
    bool look(const Rows& rows, const Scale&, const NodeRows& node, const Column& column,
              const Least& least, Split& best) const {
        const auto col = static_cast<std::size_t>(column.feature);
        if (table_.rows[node.source.codes(col)[node.members[0].row]] == node.count) return false;
        const std::size_t values = node.source.columns->values(column.feature).size();
        const bool missing = values < table_.steps && table_.rows[values] > 0;
        look_at(rows, node.count, column, values, missing, false, least, best);
        if (missing) look_at(rows, node.count, column, values, missing, true, least, best);
        return true;
    }

 private:
    void look_at(const Rows& rows, std::size_t count, const Column& column, std::size_t values,
                 bool missing, bool missing_left, const Least& least, Split& best) const {
        Accumulator sums(rows);
        std::size_t left = 0, last = values;
        const auto move = [&](std::size_t code) {
            sums.move_bin(table_.bin(code));
            left += table_.rows[code];
        };
        const auto look = [&](std::size_t next, double threshold) {
            if (!allowed(sums, left, count - left, least)) return;
            const double score = sums.score();
            if (score < best.score) return;
            consider(best, {score, column, static_cast<Rank>(last), static_cast<Rank>(next),
                            missing_left, threshold});
        };
        if (missing_left) move(values);
        for (std::size_t code = 0; code < values; ++code) {
            if (table_.rows[code] == 0) continue;
            if (last < values) look(code, std::numeric_limits<double>::quiet_NaN());
            move(code);
            last = code;
        }
        // all that is known against all that is missing
        if (missing && !missing_left && last < values) {
            look(last, std::numeric_limits<double>::infinity());
        }
    }

    BinTable table_;
};

}  // namespace stylobate::forest
