// The columns of a table as ranks: what all trees of a forest are grown from.
//
// Equal values share a rank, ranks are dense, and missing values come last. Splits compare ranks
// (small integers) and find their thresholds in the sorted distinct values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::forest {

using Rank = std::uint32_t;

class RankedColumns {
 public:
    template <class T>
    explicit RankedColumns(const MatrixView<T>& x);
    // Compressed columns; no dense matrix is made of them, but ranks are dense.
    explicit RankedColumns(const SparseView<double, std::int32_t>& x);

    Index rows() const { return rows_; }
    Index cols() const { return cols_; }
    // Ranks of all columns of a row, then of the next.
    const Rank* ranks() const { return ranks_.data(); }
    // The distinct values of a column, ascending, without missing ones.
    const std::vector<double>& values(Index col) const {
        return values_[static_cast<std::size_t>(col)];
    }
    // The rank of missing values.
    Rank missing(Index col) const { return static_cast<Rank>(values(col).size()); }
    bool has_missing(Index col) const { return has_missing_[static_cast<std::size_t>(col)] != 0; }
    // Ranks in 256 steps (or each rank, where there are fewer), of all rows of a column. Those of
    // a narrow one are the ranks, that of missing values the last.
    const std::uint8_t* codes(Index col) const { return codes_.data() + col * rows_; }
    static constexpr std::size_t steps = 256;
    std::size_t code_count(Index col) const { return values(col).size() + has_missing(col); }
    bool narrow(Index col) const { return code_count(col) <= steps; }
    std::size_t code(Index col, Rank rank) const {
        return rank * steps / std::max(values(col).size(), steps);
    }

    struct Entry {  // a number as an integer of the same order
        std::uint64_t key;
        std::uint32_t row;
    };

 private:
    RankedColumns(Index rows, Index cols);
    template <class Read>
    void rank_columns(const Read& read);  // read(column, its values to be set)
    void set_ranks(Index col, const std::vector<Entry>& sorted);

    Index rows_;
    Index cols_;
    std::vector<Rank> ranks_;
    std::vector<std::uint8_t> codes_;
    std::vector<std::uint8_t> has_missing_;
    std::vector<std::vector<double>> values_;
};

}  // namespace stylobate::forest
