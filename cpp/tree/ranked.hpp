// Columns made ready for growing trees: sorted once, shared by all trees.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tree {

using Row = std::uint32_t;

constexpr std::uint32_t missing_rank = 0xFFFFFFFFu;

// What growth needs of the columns. Numbers: `order` lists the rows by increasing value, missing
// last, the top bit set where the value is larger than that of the row before; `ranks` numbers the
// distinct values. Categories: `ranks` are the codes, there is no order. Both are columns of
// `rows` entries; `order` or `ranks` of numbers may be left out when nobody asks for them.
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

    Index rows() const { return x_.rows; }
    Index cols() const { return x_.cols; }
    const MatrixView<double>& x() const { return x_; }
    std::uint32_t categories(Index j) const { return categories_[static_cast<std::size_t>(j)]; }
    // Rows of column j that are not missing.
    Index present(Index j) const { return present_[static_cast<std::size_t>(j)]; }
    bool has_order() const { return wanted_.order; }
    bool has_ranks() const { return wanted_.ranks; }
    const Row* order(Index j) const { return order_.data() + j * rows(); }
    const std::uint32_t* ranks(Index j) const { return ranks_.data() + j * rows(); }

 private:
    void rank_numbers(Index j);
    void rank_codes(Index j);

    MatrixView<double> x_;
    Wanted wanted_;
    std::vector<std::uint32_t> categories_;
    std::vector<Index> present_;
    std::vector<Row> order_;
    std::vector<std::uint32_t> ranks_;
};

}  // namespace stylobate::tree
