// Columns of few values in nodes of two classes: one cell for each value, and nothing is sorted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "forest_counts.hpp"

namespace stylobate::forest {

// The rows of a node in the cells of a column's codes, each of which is a rank.
class CodeCounts {
 public:
    // Counts the rows of a node in several columns.
    static void count(CodeCounts* counts, const ClassRows& rows, const NodeRows& node,
                      const Column* columns, std::size_t n) {
        const bool twice = node.count > many_rows;
        const auto emptied = [&](std::size_t j) {
            StepCell::Word* const cells = counts[j].cells_.data();
            const std::size_t codes = room(node, columns[j]);
            std::fill_n(cells, codes, 0);
            if (twice) std::fill_n(cells + RankedColumns::steps, codes, 0);
            return cells;
        };
        if (!twice) return count_codes<0>(rows, node, columns, n, 0, emptied);
        count_codes<RankedColumns::steps>(rows, node, columns, n, 0, emptied);
        for (std::size_t j = 0; j < n; ++j) counts[j].join(room(node, columns[j]));
    }

    // Looks at every split, missing values on either side; whether the column varies.
    bool look(const ClassRows& rows, const GainScale& scale, const NodeRows& node,
              const Column& column, const Least& least, Split& best) {
        const auto col = static_cast<std::size_t>(column.feature);
        const StepCell::Word some = cells_[node.source.codes(col)[node.members[0].row]];
        if (some >> 2 * StepCell::bits == node.count) return false;
        const RankedColumns& all = *node.source.columns;
        values_ = all.values(column.feature).size();
        const StepCell::Word missing =
            all.has_missing(column.feature) ? std::exchange(cells_[values_], 0) : 0;
        look_at(rows, scale, node.count, column, least.rows, false, 0, best);
        if (missing != 0) look_at(rows, scale, node.count, column, least.rows, true, missing, best);
        return true;
    }

 private:
    static constexpr std::size_t many_rows = 512;

    // Codes in whole eights.
    static std::size_t room(const NodeRows& node, const Column& column) {
        return (node.source.columns->code_count(column.feature) + 7) / 8 * 8;
    }
    void join(std::size_t codes) {
        for (std::size_t i = 0; i < codes; ++i) cells_[i] += cells_[RankedColumns::steps + i];
    }

    void look_at(const ClassRows& rows, const GainScale& scale, std::size_t count,
                 const Column& column, std::size_t least, bool missing_left, StepCell::Word missing,
                 Split& best) const {
        std::array<TwoClassCut, RankedColumns::steps> cuts;
        const TwoClassRule rule{static_cast<Index>(count), static_cast<Index>(least),
                                scale.lowered(scale.worth(best.score)), GainScale::margin,
                                scale.slack()};
        const Index found = tree::kernels().two_class_codes(
            cells_.data(), static_cast<Index>(values_), missing, scale.node(), rule, cuts.data());
        CountedGini sums(rows);
        for (Index i = 0; i < found; ++i) {
            const TwoClassCut& cut = cuts[static_cast<std::size_t>(i)];
            sums.set(cut.draws, cut.ones);
            Split split{sums.score(), column, static_cast<Rank>(cut.at)};
            split.missing_left = missing_left;
            split.next = split.last + 1;
            while (split.next < values_ && cells_[split.next] == 0) ++split.next;
            if (split.next == values_) {  // all that is known against all that is missing
                split.next = split.last;
                split.threshold = std::numeric_limits<double>::infinity();
            }
            consider(best, split);
        }
    }

    std::size_t values_ = 0;
    alignas(64) std::array<StepCell::Word, 2 * RankedColumns::steps> cells_;
};

}  // namespace stylobate::forest
