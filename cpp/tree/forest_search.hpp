// The best split of a node among the columns it draws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "forest_counts.hpp"
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
        if constexpr (std::is_same_v<Accumulator, CountedGini>) {
            if (node.count > few_rows && least_.weight <= 0.0 &&
                CountScreen::holds(rows, node.count)) {
                return find_by_steps<CountScreen>(count_screens_, rows, node);
            }
        } else {
            if (node.count > some_rows && Accumulator::bounds(rows)) {
                return find_by_steps<BoundScreen<Accumulator, Rows>>(bound_screens_, rows, node);
            }
        }
        return find_by_sorting(rows, node);
    }

 private:
    static constexpr std::size_t few_rows = small_keys;
    static constexpr std::size_t some_rows = 320;
    struct Nothing {};
    using Bounds = std::conditional_t<std::is_same_v<Accumulator, CountedGini>, Nothing,
                                      BoundScreen<Accumulator, Rows>>;

    Split find_by_sorting(const Rows& rows, const NodeRows& node) {
        Split best;
        bool varied = false;
        while (draw_.any_left() && (draw_.drawn() < wanted_ || !varied)) {
            const std::size_t turn = draw_.drawn();
            varied |= look({static_cast<Index>(draw_.next()), turn}, rows, node, best);
        }
        return best;
    }

    // The same for many rows: only those in steps that may hold the best split are sorted.
    template <class Screen>
    Split find_by_steps(std::vector<Screen>& screens, const Rows& rows, const NodeRows& node) {
        const typename Screen::Scale scale{rows};
        Split best;
        bool varied = false;
        double worth = scale.worth(best.score);
        counted_.clear();
        while (draw_.any_left() && (draw_.drawn() < wanted_ || !varied)) {
            const std::size_t first = counted_.size();
            do {
                const std::size_t turn = draw_.drawn();
                const Column column{static_cast<Index>(draw_.next()), turn};
                if (columns_.has_missing(column.feature)) {
                    varied |= look(column, rows, node, best);
                } else {
                    counted_.push_back(column);
                }
            } while (draw_.drawn() < wanted_);
            if (screens.size() < counted_.size()) screens.resize(counted_.size());
            count(screens.data() + first, rows, node, counted_.data() + first,
                  counted_.size() - first);
            for (std::size_t i = first; i < counted_.size(); ++i) {
                worth = std::max(worth, screens[i].best(scale, node.count, least_));
                varied = varied || varies(screens[i], counted_[i], node);
            }
        }
        worth = std::max(worth, scale.worth(best.score));
        for (std::size_t i = 0; i < counted_.size(); ++i) {
            if (screens[i].open(scale, worth)) {
                look_inside(screens[i], counted_[i], rows, node, best);
            }
        }
        return best;
    }

    template <class Screen>
    void count(Screen* screens, const Rows& rows, const NodeRows& node, const Column* columns,
               std::size_t n) const {
        if (!shared_) return Screen::count(screens, rows, node, columns, n);
        parallel_for(static_cast<Index>(n), [&](Index i, Checkpoint&) {
            Screen::count(screens + i, rows, node, columns + i, 1);
        });
    }

    template <class Screen>
    static bool varies(const Screen& screen, const Column& column, const NodeRows& node) {
        const auto col = static_cast<std::size_t>(column.feature);
        const std::size_t first = screen.step(node.source.codes(col)[node.members[0].row]);
        if (screen.rows_before(first) > 0 || screen.rows_before(first + 1) < node.count)
            return true;
        const Rank rank = node.source.rank(node.members[0].row, col);
        return std::any_of(node.members, node.members + node.count, [&](const TreeRow& row) {
            return node.source.rank(row.row, col) != rank;
        });
    }

    template <class Screen>
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
    bool look(const Column& column, const Rows& rows, const NodeRows& node, Split& best) {
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
            if constexpr (std::is_same_v<Accumulator, CountedGini> &&
                          std::is_same_v<decltype(keys.keys), const std::uint32_t*>) {
                const GainScale scale(rows);
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
        if (count <= static_cast<std::size_t>(small_keys) &&
            (std::uint64_t{most_rank_} << shift) < (std::uint64_t{1} << 32)) {
            for (std::size_t i = 0; i < count; ++i) {
                const TreeRow& row = node.members[place(i)];
                narrow_[i] = node.source.rank(row.row, col) << shift | rows.low(row, place(i));
            }
            kernels_.sort_keys(narrow_.data(), static_cast<Index>(count));
            return then(SortedKeys<std::uint32_t>{narrow_.data(), shift});
        }
        if (wide_.size() < count) wide_.resize(count);
        Rank low = std::numeric_limits<Rank>::max(), high = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const TreeRow& row = node.members[place(i)];
            const Rank rank = node.source.rank(row.row, col);
            wide_[i] = std::uint64_t{rank} << 32 | rows.low(row, place(i));
            low = std::min(low, rank);
            high = std::max(high, rank);
        }
        sorter_.sort(wide_.data(), count, low, high);
        then(SortedKeys<RankKey>{wide_.data(), 32});
    }

    const RankedColumns& columns_;
    const Kernels& kernels_ = kernels();
    std::size_t wanted_;
    Least least_;
    Rank most_rank_ = 0;  // no rank has other bits
    bool shared_ = false;
    ColumnDraw draw_;
    std::vector<std::uint32_t> narrow_;
    std::vector<RankKey> wide_;
    std::vector<std::uint32_t> picked_;
    std::vector<Column> counted_;
    RankSorter sorter_;
    std::vector<CountScreen> count_screens_;
    std::vector<Bounds> bound_screens_;
};

}  // namespace stylobate::forest
