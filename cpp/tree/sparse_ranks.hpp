// Columns of a sparse table as ranks: only what is stored has an entry.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tree {

using Row = std::uint32_t;

constexpr std::uint32_t missing_rank = 0xFFFFFFFFu;

using SparseColumns = SparseView<double, std::int32_t>;  // CSC, rows increasing in each column

// Ranks of the distinct values of every column, the zeros that are not stored among them.
class SparseRanks {
 public:
    explicit SparseRanks(const SparseColumns& x);

    Index rows() const { return rows_; }
    Index cols() const { return static_cast<Index>(zero_.size()); }
    std::uint32_t zero(Index j) const { return zero_[static_cast<std::size_t>(j)]; }
    Index missing(Index j) const { return missing_[static_cast<std::size_t>(j)]; }

    std::uint32_t rank(Index j, Row row) const {
        Cursor at(*this, j, row);
        return at(row);
    }
    double value(Index j, std::uint32_t rank) const {
        return values_[static_cast<std::size_t>(first_value_[static_cast<std::size_t>(j)]) + rank];
    }

    // Ranks of increasing rows of a column.
    class Cursor {
     public:
        Cursor(const SparseRanks& ranks, Index j, Row first)
            : zero_(ranks.zero(j)),
              end_(ranks.row_.data() + ranks.starts_[static_cast<std::size_t>(j) + 1]) {
            const Row* const begin = ranks.row_.data() + ranks.starts_[static_cast<std::size_t>(j)];
            at_ = std::lower_bound(begin, end_, first);
            ranks_ = ranks.rank_.data() + (at_ - ranks.row_.data());
        }
        std::uint32_t operator()(Row row) {
            if (at_ != end_ && *at_ < row) advance(row);
            return at_ != end_ && *at_ == row ? *ranks_ : zero_;
        }

     private:
        void advance(Row row) {
            constexpr Index near = 8;  // steps before halving
            const Row* to = at_;
            for (Index k = 0; k < near && to != end_ && *to < row; ++k) ++to;
            if (to != end_ && *to < row) to = std::lower_bound(to, end_, row);
            ranks_ += to - at_;
            at_ = to;
        }

        std::uint32_t zero_;
        const Row *at_, *end_;
        const std::uint32_t* ranks_;
    };

 private:
    void rank_column(const SparseColumns& x, Index j, std::vector<double>& distinct);

    Index rows_;
    std::vector<Index> starts_;        // of the columns among the entries
    std::vector<Row> row_;             // of each entry
    std::vector<std::uint32_t> rank_;  // of each entry
    std::vector<std::uint32_t> zero_;  // rank of what is not stored
    std::vector<Index> missing_;
    std::vector<Index> first_value_;
    std::vector<double> values_;  // the distinct ones of each column, increasing
};

}  // namespace stylobate::tree
