// Which steps of a column's ranks may hold its best split, by bounds of the criterion.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest_splits.hpp"

namespace stylobate::forest {

// Sums for each step tell the best split between steps, and in which of them a better one can be.
template <class Accumulator, class Rows>
class BoundScreen {
 public:
    struct Scale {
        const Rows& rows;
        double worth(double score) const { return score; }
    };

    // Counts the rows of a node in several columns.
    static void count(BoundScreen* screens, const Rows& rows, const NodeRows& node,
                      const Column* columns, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const auto col = static_cast<std::size_t>(columns[i].feature);
            BinTable& table = screens[i].table_;
            table.shift = node.count <= few_rows ? 2 : 0;
            table.steps = RankedColumns::steps >> table.shift;
            rows.count(node.members, node.count, node.source.codes(col), table);
            screens[i].add_up();
        }
    }
    std::size_t steps() const { return table_.rows.size(); }
    std::size_t step(std::uint8_t code) const { return code >> table_.shift; }
    std::size_t rows_before(std::size_t step) const { return before_[step]; }
    bool is_open(std::size_t step) const { return open_[step] != 0; }

    // The largest score of splits between steps.
    double best(const Scale& scale, std::size_t count, const Least& least) const {
        double most = -std::numeric_limits<double>::infinity();
        Accumulator sums(scale.rows);
        for (std::size_t step = 0; before_[step + 1] < count; ++step) {
            if (table_.rows[step] == 0) continue;
            sums.move_bin(table_.bin(step));
            const std::size_t left = before_[step + 1];
            if (allowed(sums, left, count - left, least)) most = std::max(most, sums.score());
        }
        return most;
    }
    // Opens the steps in which, or at whose ends, a split may have this score.
    bool open(const Scale& scale, double score) {
        const double floor = score - rounding * std::abs(score);
        Accumulator sums(scale.rows);
        bool any = false;
        open_.assign(steps(), 0);
        for (std::size_t step = 0; step < steps(); ++step) {
            if (table_.rows[step] == 0) continue;
            if (sums.reaches(table_.bin(step), floor)) open_[step] = 1, any = true;
            sums.move_bin(table_.bin(step));
        }
        return any;
    }
    // From the sums before a step to those before a later one.
    void move(Accumulator& sums, std::size_t from, std::size_t to) const {
        for (; from < to; ++from) {
            if (table_.rows[from] > 0) sums.move_bin(table_.bin(from));
        }
    }

 private:
    static constexpr double rounding = 1e-12;
    static constexpr std::size_t few_rows = 2048;
    void add_up() {
        before_.assign(steps() + 1, 0);
        for (std::size_t s = 0; s < steps(); ++s) before_[s + 1] = before_[s] + table_.rows[s];
    }

    BinTable table_;
    std::vector<std::size_t> before_;
    std::vector<std::uint8_t> open_;
};

}  // namespace stylobate::forest
