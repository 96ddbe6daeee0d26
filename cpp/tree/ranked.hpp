// Columns made ready for growing trees: sorted once, shared by all trees.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stylobate/views.hpp"
#include "tree/sparse_ranks.hpp"

namespace stylobate::tree {

// What growth needs of the columns. Numbers: `order` lists the rows by increasing value, missing
// last, the top bit set where the value is larger than that of the row before; `ranks` numbers the
// distinct values. Categories: `ranks` are the codes, there is no order. Both are columns of
// `rows` entries; `order` or `ranks` of numbers may be left out when nobody asks for them. Sparse
// columns have neither: their ranks are looked up among the entries.
class RankedColumns {
 public:
    static constexpr Row larger_bit = 1u << 31;

    struct Wanted {
        bool order = true;
        bool ranks = true;
    };

    // `categories[j]` is the number of codes of column j, 0 for numbers; null: all numbers.
    // The view must outlive this object: thresholds are read from it.
    RankedColumns(const MatrixView<double>& x, const std::int32_t* categories, Wanted wanted);

    // All numbers; nothing of x is needed afterwards.
    explicit RankedColumns(const SparseColumns& x);

    Index rows() const { return x_.rows; }
    Index cols() const { return x_.cols; }
    const SparseRanks* sparse() const { return sparse_ ? &*sparse_ : nullptr; }
    double value(Index j, Row row) const {
        return sparse_ ? sparse_->value(j, sparse_->rank(j, row)) : x_(row, j);
    }
    std::uint32_t rank(Index j, Row row) const {
        return sparse_ ? sparse_->rank(j, row) : ranks(j)[row];
    }
    // take(row, its rank) for all rows of column j.
    template <class Take>
    void each_rank(Index j, const Take& take) const {
        if (sparse_) {
            SparseRanks::Cursor rank_of(*sparse_, j, 0);
            for (Index i = 0; i < rows(); ++i) take(i, rank_of(static_cast<Row>(i)));
        } else {
            for (Index i = 0; i < rows(); ++i) take(i, ranks(j)[i]);
        }
    }
    // The value of a rank that a row has.
    double value(Index j, Index row, std::uint32_t rank) const {
        return sparse_ ? sparse_->value(j, rank) : x_(row, j);
    }
    std::uint32_t categories(Index j) const { return categories_[static_cast<std::size_t>(j)]; }
    // Rows of column j that are not missing.
    Index present(Index j) const { return present_[static_cast<std::size_t>(j)]; }
    bool has_order() const { return wanted_.order; }
    bool has_ranks() const { return wanted_.ranks; }
    const Row* order(Index j) const { return order_.data() + j * rows(); }
    const std::uint32_t* ranks(Index j) const { return ranks_.data() + j * rows(); }

 private:
    void rank_numbers(Index j, const double* values);
    void rank_codes(Index j);

    MatrixView<double> x_;  // of sparse columns: their shape
    std::optional<SparseRanks> sparse_;
    Wanted wanted_;
    std::vector<std::uint32_t> categories_;
    std::vector<Index> present_;
    std::vector<Row> order_;
    std::vector<std::uint32_t> ranks_;
};

}  // namespace stylobate::tree
