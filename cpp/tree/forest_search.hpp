// The best split of a node among the columns it draws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "forest_bins.hpp"
#include "forest_codes.hpp"
#include "forest_near.hpp"
#include "forest_random.hpp"
#include "forest_screen.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::forest {

template <class Accumulator, class Rows>
class SplitSearch {
 public:
    SplitSearch(const RankedColumns& columns, std::size_t wanted, const Least& least)
        : columns_(columns),
          wanted_(wanted),
          least_(least),
          draw_(static_cast<std::size_t>(columns.cols())),
          narrow_(2 * small_keys) {
        for (Index j = 0; j < columns.cols(); ++j) most_rank_ |= columns.missing(j);
    }

    // From now on a node's columns are counted in parallel.
    void share_columns() { shared_ = true; }

    // At least `wanted` columns are looked at, and more as long as all were constant.
    Split find(std::uint64_t key, const Rows& rows, const NodeRows& node) {
        draw_.start(key);
        const Scale scale{rows};
        if constexpr (counts) {
            if (node.count <= tiny && least_.weight <= 0.0) return find_tiny(rows, scale, node);
        }
        const bool screened = screens_do(rows, node.count), counted = cells_do(rows, node.count);
        Split best;
        bool varied = false;
        while (draw_.any_left() && (draw_.drawn() < wanted_ || !varied)) {
            by_steps_.clear(), by_codes_.clear();
            do {
                const std::size_t turn = draw_.drawn();
                const Column column{static_cast<Index>(draw_.next()), turn};
                if (counted && cheaper_counted(column, node.count)) {
                    by_codes_.push_back(column);
                } else if (screened && !columns_.has_missing(column.feature)) {
                    by_steps_.push_back(column);
                } else {
                    varied |= look(column, rows, scale, node, best);
                }
            } while (draw_.drawn() < wanted_);
            if (!by_codes_.empty()) varied |= look_at_codes(rows, scale, node, best);
            if (!by_steps_.empty()) varied |= look_at_steps(rows, scale, node, best);
        }
        return best;
    }

 private:
    static constexpr bool counts = std::is_same_v<Accumulator, CountedGini>;
    static constexpr std::size_t few_rows = counts ? small_keys : 320;
    static constexpr std::size_t tiny = 8;
    using Screen = std::conditional_t<counts, CountScreen, BoundScreen<Accumulator, Rows>>;
    using Codes = std::conditional_t<counts, CodeCounts, BinCounts<Accumulator, Rows>>;
    using Scale = typename Screen::Scale;

    // The same for very few rows: after a split that tells the classes apart nothing drawn later
    // is better.
    Split find_tiny(const Rows& rows, const Scale& scale, const NodeRows& node) {
        const double perfect = Accumulator::perfect(rows);
        Split best;
        bool varied = false;
        while (draw_.any_left() && (draw_.drawn() < wanted_ || !varied) && best.score < perfect) {
            const std::size_t turn = draw_.drawn();
            const Column column{static_cast<Index>(draw_.next()), turn};
            if (node.count == 2) {
                tell_apart(column, node, perfect, best);
            } else {
                varied |= look(column, rows, scale, node, best);
            }
        }
        return best;
    }

    // Two rows of different classes: any column in which they differ will do.
    void tell_apart(const Column& column, const NodeRows& node, double perfect, Split& best) const {
        const auto col = static_cast<std::size_t>(column.feature);
        with_ranks(node.source, col, [&](const auto& rank) {
            const Rank a = rank(node.members[0].row), b = rank(node.members[1].row);
            if (a == b) return;
            best = {perfect, column, std::min(a, b), std::max(a, b)};
        });
        if (best.score < perfect || best.next != columns_.missing(column.feature)) return;
        best.next = best.last;
        best.threshold = std::numeric_limits<double>::infinity();
    }

    // Whether columns are looked at by steps; only those that may hold the best split are sorted.
    bool screens_do(const Rows& rows, std::size_t count) const {
        if (count <= few_rows) return false;
        if constexpr (counts)
            return least_.weight <= 0.0 && cells_hold(rows, count);
        else
            return Accumulator::bounds(rows);
    }
    // Whether columns of few values are counted by them.
    bool cells_do(const Rows& rows, std::size_t count) const {
        if constexpr (counts)
            return least_.weight <= 0.0 && cells_hold(rows, count);
        else
            return Accumulator::in_any_order(rows);
    }
    bool cheaper_counted(const Column& column, std::size_t count) const {
        const std::size_t codes = columns_.code_count(column.feature);
        return codes <= RankedColumns::steps && (codes <= 4 * count || count > few_rows);
    }

    bool look_at_codes(const Rows& rows, const Scale& scale, const NodeRows& node, Split& best) {
        bool varied = false;
        count(codes_, rows, node, by_codes_);
        for (std::size_t i = 0; i < by_codes_.size(); ++i) {
            varied |= codes_[i].look(rows, scale, node, by_codes_[i], least_, best);
        }
        return varied;
    }

    bool look_at_steps(const Rows& rows, const Scale& scale, const NodeRows& node, Split& best) {
        count(screens_, rows, node, by_steps_);
        bool varied = false;
        double worth = scale.worth(best.score);
        for (std::size_t i = 0; i < by_steps_.size(); ++i) {
            worth = std::max<double>(worth, screens_[i].best(scale, node.count, least_));
            varied = varied || varies(screens_[i], by_steps_[i], node);
        }
        for (std::size_t i = 0; i < by_steps_.size(); ++i) {
            if (screens_[i].open(scale, worth)) {
                look_inside(screens_[i], by_steps_[i], rows, node, best);
            }
        }
        return varied;
    }

    // Counts the node's rows in the cells or steps of columns.
    template <class Counts>
    void count(std::vector<Counts>& counts, const Rows& rows, const NodeRows& node,
               const std::vector<Column>& columns) const {
        if (counts.size() < columns.size()) counts.resize(columns.size());
        if (!shared_) {
            return Counts::count(counts.data(), rows, node, columns.data(), columns.size());
        }
        parallel_for(static_cast<Index>(columns.size()), [&](Index i, Checkpoint&) {
            Counts::count(counts.data() + i, rows, node, columns.data() + i, 1);
        });
    }

    static bool varies(const Screen& screen, const Column& column, const NodeRows& node) {
        const auto col = static_cast<std::size_t>(column.feature);
        const std::size_t first = screen.step(node.source.codes(col)[node.members[0].row]);
        if (screen.rows_before(first) > 0 || screen.rows_before(first + 1) < node.count)
            return true;
        return with_ranks(node.source, col, [&](const auto& rank) {
            const Rank some = rank(node.members[0].row);
            return std::any_of(node.members, node.members + node.count,
                               [&](const TreeRow& row) { return rank(row.row) != some; });
        });
    }

    void look_inside(const Screen& screen, const Column& column, const Rows& rows,
                     const NodeRows& node, Split& best) {
        const auto col = static_cast<std::size_t>(column.feature);
        const std::uint8_t* const codes = node.source.codes(col);
        picked_.resize(node.count);
        std::size_t held = 0;
        for (std::size_t i = 0; i < node.count; ++i) {
            picked_[held] = static_cast<std::uint32_t>(i);
            held += screen.is_open(screen.step(codes[node.members[i].row]));
        }
        const auto place = [&](std::size_t i) { return picked_[i]; };
        with_sorted(col, rows, node, held, place, [&](const auto& keys) {
            best_open<Accumulator>(rows, screen, keys, held, node.count, column, least_, best);
        });
    }

    // Looks at a column; whether it varies among the rows.
    bool look(const Column& column, const Rows& rows, const Scale& scale, const NodeRows& node,
              Split& best) {
        const auto col = static_cast<std::size_t>(column.feature);
        const std::size_t count = node.count;
        bool varied = false;
        const auto place = [](std::size_t i) { return i; };
        with_sorted(col, rows, node, count, place, [&](const auto& keys) {
            varied = keys.rank(0) != keys.rank(count - 1);
            if (!varied) return;
            const Rank missing = columns_.missing(column.feature);
            std::size_t known = count;
            while (keys.rank(known - 1) == missing) --known;
            if constexpr (counts && std::is_same_v<decltype(keys.keys), const std::uint32_t*>) {
                if (known == count && least_.weight <= 0.0 && scale.keys_fit()) {
                    return best_cut(rows, scale, keys, count, column, least_.rows, best);
                }
            }
            best_split<Accumulator>(rows, keys, known, count, column, least_, best);
        });
        return varied;
    }

    // Sorts the keys of `count` rows by their ranks, equal ones in their order; place(i): which.
    template <class Place, class Then>
    void with_sorted(std::size_t col, const Rows& rows, const NodeRows& node, std::size_t count,
                     const Place& place, const Then& then) {
        const int shift = rows.low_bits(node.count);
        const bool few = count <= static_cast<std::size_t>(small_keys) &&
                         (std::uint64_t{most_rank_} << shift) < (std::uint64_t{1} << 32);
        with_ranks(node.source, col, [&](const auto& rank) {
            const auto rank_at = [&](std::size_t i) { return rank(node.members[place(i)].row); };
            const auto low_at = [&](std::size_t i) {
                return rows.low(node.members[place(i)], place(i));
            };
            few ? set_narrow(count, shift, rank_at, low_at) : set_wide(count, rank_at, low_at);
        });
        few ? then(SortedKeys<std::uint32_t>{narrow_.data(), shift})
            : then(SortedKeys<RankKey>{wide_.data(), 32});
    }

    template <class RankAt, class LowAt>
    void set_narrow(std::size_t count, int shift, const RankAt& rank_at, const LowAt& low_at) {
        const Rank first = rank_at(0);
        Rank different = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Rank rank = rank_at(i);
            different |= rank ^ first;
            narrow_[i] = rank << shift | low_at(i);
        }
        if (different != 0) kernels_.sort_keys(narrow_.data(), static_cast<Index>(count));
    }

    template <class RankAt, class LowAt>
    void set_wide(std::size_t count, const RankAt& rank_at, const LowAt& low_at) {
        if (wide_.size() < count) wide_.resize(count);
        Rank low = std::numeric_limits<Rank>::max(), high = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Rank rank = rank_at(i);
            wide_[i] = std::uint64_t{rank} << 32 | low_at(i);
            low = std::min(low, rank);
            high = std::max(high, rank);
        }
        sorter_.sort(wide_.data(), count, low, high);
    }

    const RankedColumns& columns_;
    const tree::Kernels& kernels_ = tree::kernels();
    std::size_t wanted_;
    Least least_;
    Rank most_rank_ = 0;  // no rank has other bits
    bool shared_ = false;
    ColumnDraw draw_;
    std::vector<std::uint32_t> narrow_;
    std::vector<RankKey> wide_;
    std::vector<std::uint32_t> picked_;
    std::vector<Column> by_codes_, by_steps_;
    RankSorter sorter_;
    std::vector<Codes> codes_;
    std::vector<Screen> screens_;
};

}  // namespace stylobate::forest
