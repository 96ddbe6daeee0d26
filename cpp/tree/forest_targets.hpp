// What a forest's nodes hold and how good a split of them is.
//
// A policy knows a tree's rows: how much each weighs and what it is to teach. Its accumulator moves
// rows from the right side of a split to the left and tells the score of the split: the larger, the
// less impurity is left. Scores differ from decreases of impurity by what the node has in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "forest.hpp"
#include "forest_sort.hpp"

namespace stylobate::forest {

// Sums of a node's rows for each step of a column's ranks.
struct BinTable {
    std::vector<double> sums;  // steps × width
    std::vector<std::uint32_t> rows;
    Index width = 0;
    const double* bin(std::size_t step) const {
        return sums.data() + step * static_cast<std::size_t>(width);
    }
};

// A row of a tree: where its ranks are, and what the policy says about it.
struct TreeRow {
    std::uint32_t row;
    std::uint32_t about;
};

struct NodeSummary {
    double weight = 0.0;
    double impurity = 0.0;
    double score = 0.0;  // of the node unsplit
};

inline double x_log_x(double x) {
    return x > 0.0 ? x * std::log2(x) : 0.0;
}

// Classes; a row's label and count fit in what is said about it.
class ClassRows {
 public:
    explicit ClassRows(std::vector<double>&& factors)
        : factors_(std::move(factors)), totals_(factors_.size()) {}
    static constexpr std::uint32_t largest = 0xFFFF;  // label or count
    static std::uint32_t pack(std::uint32_t label, std::uint32_t count) {
        return label << 16 | count;
    }

    Index width() const { return static_cast<Index>(totals_.size()); }
    std::uint32_t low(const TreeRow& row, std::size_t) const { return row.about; }
    std::size_t label(std::uint32_t low) const { return low >> 16; }
    double weight(std::uint32_t low) const { return factors_[low >> 16] * (low & largest); }
    double weight_of(const TreeRow& row) const { return weight(row.about); }
    const std::vector<double>& totals() const { return totals_; }

    void load(const TreeRow* rows, std::size_t count) {
        std::fill(totals_.begin(), totals_.end(), 0.0);
        for (std::size_t i = 0; i < count; ++i) {
            totals_[label(rows[i].about)] += weight(rows[i].about);
        }
    }
    void value(double weight, double* out) const {
        for (std::size_t k = 0; k < totals_.size(); ++k) out[k] = totals_[k] / weight;
    }

    // Sums of weights for each step and class.
    void count(const TreeRow* rows, std::size_t count, const std::uint8_t* codes,
               BinTable& table) const {
        const std::size_t k = totals_.size(), cells = RankedColumns::steps * k;
        std::vector<std::uint64_t> both(cells);  // rows above, their counts below
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t low = rows[i].about;
            both[codes[rows[i].row] * k + label(low)] += std::uint64_t{1} << 32 | (low & largest);
        }
        table.width = static_cast<Index>(k);
        table.sums.resize(cells);
        table.rows.assign(RankedColumns::steps, 0);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            table.sums[cell] = factors_[cell % k] * static_cast<std::uint32_t>(both[cell]);
            table.rows[cell / k] += static_cast<std::uint32_t>(both[cell] >> 32);
        }
    }

 private:
    std::vector<double> factors_;
    std::vector<double> totals_;
};

// Classes of rows with weights of their own.
class WeightedClassRows {
 public:
    WeightedClassRows(Index classes, std::vector<std::uint32_t>&& labels,
                      std::vector<double>&& weights)
        : labels_(std::move(labels)),
          weights_(std::move(weights)),
          totals_(static_cast<std::size_t>(classes)) {}

    Index width() const { return static_cast<Index>(totals_.size()); }
    std::uint32_t low(const TreeRow& row, std::size_t) const { return row.about; }
    std::size_t label(std::uint32_t low) const { return labels_[low]; }
    double weight(std::uint32_t low) const { return weights_[low]; }
    double weight_of(const TreeRow& row) const { return weight(row.about); }
    const std::vector<double>& totals() const { return totals_; }

    void load(const TreeRow* rows, std::size_t count) {
        std::fill(totals_.begin(), totals_.end(), 0.0);
        for (std::size_t i = 0; i < count; ++i) {
            totals_[label(rows[i].about)] += weight(rows[i].about);
        }
    }
    void value(double weight, double* out) const {
        for (std::size_t k = 0; k < totals_.size(); ++k) out[k] = totals_[k] / weight;
    }

    // Sums of weights for each step and class.
    void count(const TreeRow* rows, std::size_t count, const std::uint8_t* codes,
               BinTable& table) const {
        const std::size_t k = totals_.size();
        table.width = static_cast<Index>(k);
        table.sums.assign(RankedColumns::steps * k, 0.0);
        table.rows.assign(RankedColumns::steps, 0);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t code = codes[rows[i].row];
            table.sums[code * k + label(rows[i].about)] += weight(rows[i].about);
            ++table.rows[code];
        }
    }

 private:
    std::vector<std::uint32_t> labels_;
    std::vector<double> weights_;
    std::vector<double> totals_;
};

// Gini's impurity of two classes: sums of one of them tell all.
template <class Rows>
class TwoClassGini {
 public:
    explicit TwoClassGini(const Rows& rows)
        : rows_(rows), right_(rows.totals()[0] + rows.totals()[1]), ones_right_(rows.totals()[1]) {}

    void move(std::uint32_t low) {
        const double weight = rows_.weight(low);
        const double one = rows_.label(low) == 1 ? weight : 0.0;
        left_ += weight, right_ -= weight;
        ones_left_ += one, ones_right_ -= one;
    }
    double left() const { return left_; }
    double right() const { return right_; }
    double score() const {
        const double l0 = left_ - ones_left_, r0 = right_ - ones_right_;
        return (l0 * l0 + ones_left_ * ones_left_) / left_ +
               (r0 * r0 + ones_right_ * ones_right_) / right_;
    }
    void move_bin(const double* bin) {
        left_ += bin[0] + bin[1], right_ -= bin[0] + bin[1];
        ones_left_ += bin[1], ones_right_ -= bin[1];
    }
    // No split inside the bin that comes next scores more: the score is convex in what is moved,
    // and largest at a corner of what can be.
    double bound(const double* bin) const {
        TwoClassGini first = *this, second = *this;
        const double one[] = {0.0, bin[1]}, other[] = {bin[0], 0.0};
        first.move_bin(one), second.move_bin(other);
        return std::max(first.safe_score(), second.safe_score());
    }
    static bool bounds(const Rows&) { return true; }
    static NodeSummary summary(const Rows& rows) {
        const double a = rows.totals()[0], b = rows.totals()[1], weight = a + b;
        const double score = (a * a + b * b) / weight;
        return {weight, 1.0 - (a * a + b * b) / (weight * weight), score};
    }

 private:
    double safe_score() const {
        return left_ > 0.0 && right_ > 0.0 ? score() : -std::numeric_limits<double>::infinity();
    }
    const Rows& rows_;
    double left_ = 0.0, right_, ones_left_ = 0.0, ones_right_;
};

// Gini's impurity of any number of classes, by sums of squares that follow each row.
template <class Rows>
class Gini {
 public:
    explicit Gini(const Rows& rows)
        : rows_(rows), on_left_(rows.totals().size()), on_right_(rows.totals()) {
        for (const double total : on_right_) right_ += total, right_square_ += total * total;
    }
    void move(std::uint32_t low) { move_weight(rows_.label(low), rows_.weight(low)); }
    void move_weight(std::size_t k, double weight) {
        left_ += weight, right_ -= weight;
        left_square_ += weight * (2.0 * on_left_[k] + weight);
        right_square_ += weight * (weight - 2.0 * on_right_[k]);
        on_left_[k] += weight, on_right_[k] -= weight;
    }
    double left() const { return left_; }
    double right() const { return right_; }
    double score() const { return left_square_ / left_ + right_square_ / right_; }
    void move_bin(const double* bin) { move_classes(bin, ~std::uint32_t{0}); }
    // No split inside the bin that comes next scores more: the score is convex in what is moved,
    // and largest at a corner of what can be.
    double bound(const double* bin) const {
        double most = -std::numeric_limits<double>::infinity();
        const auto corners = std::uint32_t{1} << on_left_.size();
        for (std::uint32_t corner = 1; corner + 1 < corners; ++corner) {
            Gini moved = *this;
            moved.move_classes(bin, corner);
            if (moved.left_ > 0.0 && moved.right_ > 0.0) most = std::max(most, moved.score());
        }
        return most;
    }
    static bool bounds(const Rows& rows) { return rows.totals().size() <= few_classes; }
    static NodeSummary summary(const Rows& rows) {
        double weight = 0.0, square = 0.0;
        for (const double total : rows.totals()) weight += total, square += total * total;
        return {weight, 1.0 - square / (weight * weight), square / weight};
    }

 private:
    static constexpr std::size_t few_classes = 3;
    void move_classes(const double* bin, std::uint32_t which) {
        for (std::size_t k = 0; k < on_left_.size(); ++k) {
            if (which >> std::min<std::size_t>(k, 31) & 1) move_weight(k, bin[k]);
        }
    }
    const Rows& rows_;
    std::vector<double> on_left_, on_right_;
    double left_ = 0.0, right_ = 0.0, left_square_ = 0.0, right_square_ = 0.0;
};

// Shannon's entropy, in bits.
template <class Rows>
class Entropy {
 public:
    explicit Entropy(const Rows& rows)
        : rows_(rows), on_left_(rows.totals().size()), on_right_(rows.totals()) {
        for (const double total : on_right_) right_ += total, right_logs_ += x_log_x(total);
    }
    void move(std::uint32_t low) { move_weight(rows_.label(low), rows_.weight(low)); }
    void move_weight(std::size_t k, double weight) {
        left_ += weight, right_ -= weight;
        left_logs_ += x_log_x(on_left_[k] + weight) - x_log_x(on_left_[k]);
        right_logs_ += x_log_x(on_right_[k] - weight) - x_log_x(on_right_[k]);
        on_left_[k] += weight, on_right_[k] -= weight;
    }
    double left() const { return left_; }
    double right() const { return right_; }
    double score() const { return left_logs_ - x_log_x(left_) + right_logs_ - x_log_x(right_); }
    void move_bin(const double* bin) { move_classes(bin, ~std::uint32_t{0}); }
    // No split inside the bin that comes next scores more: the score is convex in what is moved,
    // and largest at a corner of what can be.
    double bound(const double* bin) const {
        double most = -std::numeric_limits<double>::infinity();
        const auto corners = std::uint32_t{1} << on_left_.size();
        for (std::uint32_t corner = 1; corner + 1 < corners; ++corner) {
            Entropy moved = *this;
            moved.move_classes(bin, corner);
            if (moved.left_ > 0.0 && moved.right_ > 0.0) most = std::max(most, moved.score());
        }
        return most;
    }
    static bool bounds(const Rows& rows) { return rows.totals().size() <= few_classes; }
    static NodeSummary summary(const Rows& rows) {
        double weight = 0.0, logs = 0.0, impurity = 0.0;
        for (const double total : rows.totals()) weight += total, logs += x_log_x(total);
        for (const double total : rows.totals()) impurity -= x_log_x(total / weight);
        return {weight, impurity, logs - x_log_x(weight)};
    }

 private:
    static constexpr std::size_t few_classes = 3;
    void move_classes(const double* bin, std::uint32_t which) {
        for (std::size_t k = 0; k < on_left_.size(); ++k) {
            if (which >> std::min<std::size_t>(k, 31) & 1) move_weight(k, bin[k]);
        }
    }
    const Rows& rows_;
    std::vector<double> on_left_, on_right_;
    double left_ = 0.0, right_ = 0.0, left_logs_ = 0.0, right_logs_ = 0.0;
};

// Numbers: what is said about a row is its place among the tree's rows; a node gathers its own.
class NumberRows {
 public:
    NumberRows(std::vector<double>&& numbers, std::vector<double>&& weights)
        : numbers_(std::move(numbers)), weights_(std::move(weights)), near_(numbers_.size()) {}

    struct Pair {
        double weight, product;  // of the weight and the number, less the node's mean
    };
    Index width() const { return 1; }
    std::uint32_t low(const TreeRow&, std::size_t place) const {
        return static_cast<std::uint32_t>(place);
    }
    const Pair& pair(std::uint32_t low) const { return near_[low]; }
    double weight_of(const TreeRow& row) const { return weights_[row.about]; }
    double weight() const { return weight_; }
    double rest() const { return rest_; }
    double variance() const { return variance_; }

    void load(const TreeRow* rows, std::size_t count) {
        double weight = 0.0, sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t at = rows[i].about;
            near_[i] = {weights_[at], numbers_[at]};
            weight += weights_[at];
            sum += weights_[at] * numbers_[at];
        }
        weight_ = weight, mean_ = sum / weight;
        double rest = 0.0, square = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const double off = near_[i].product - mean_;
            near_[i].product = near_[i].weight * off;
            rest += near_[i].product;
            square += near_[i].product * off;
        }
        rest_ = rest, variance_ = square / weight;
    }
    void value(double, double* out) const { *out = mean_; }

    // For each step the sum of weights, and of products above and below zero.
    void count(const TreeRow* rows, std::size_t count, const std::uint8_t* codes,
               BinTable& table) const {
        table.width = 3;
        table.sums.assign(RankedColumns::steps * 3, 0.0);
        table.rows.assign(RankedColumns::steps, 0);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t code = codes[rows[i].row];
            double* const bin = &table.sums[code * 3];
            bin[0] += near_[i].weight;
            bin[1] += std::max(near_[i].product, 0.0);
            bin[2] += std::min(near_[i].product, 0.0);
            ++table.rows[code];
        }
    }

 private:
    std::vector<double> numbers_, weights_;
    std::vector<Pair> near_;
    double weight_ = 0.0, mean_ = 0.0, rest_ = 0.0, variance_ = 0.0;
};

class SquaredError {
 public:
    explicit SquaredError(const NumberRows& rows)
        : rows_(rows), right_(rows.weight()), sum_right_(rows.rest()) {}
    void move(std::uint32_t low) {
        const NumberRows::Pair& pair = rows_.pair(low);
        move_sums(pair.weight, pair.product);
    }
    void move_sums(double weight, double product) {
        left_ += weight, right_ -= weight;
        sum_left_ += product, sum_right_ -= product;
    }
    double left() const { return left_; }
    double right() const { return right_; }
    double score() const {
        return sum_left_ * sum_left_ / left_ + sum_right_ * sum_right_ / right_;
    }
    void move_bin(const double* bin) { move_sums(bin[0], bin[1] + bin[2]); }
    // No split inside the bin that comes next scores more: the score is convex in what is moved,
    // and largest at a corner of what can be.
    double bound(const double* bin) const {
        double most = -std::numeric_limits<double>::infinity();
        for (const double weight : {0.0, bin[0]}) {
            for (const double product : {bin[1], bin[2]}) {
                SquaredError moved = *this;
                moved.move_sums(weight, product);
                if (!(moved.left_ > 0.0 && moved.right_ > 0.0)) {
                    return std::numeric_limits<double>::infinity();
                }
                most = std::max(most, moved.score());
            }
        }
        return most;
    }
    static bool bounds(const NumberRows&) { return true; }
    static NodeSummary summary(const NumberRows& rows) {
        return {rows.weight(), rows.variance(), 0.0};
    }

 private:
    const NumberRows& rows_;
    double left_ = 0.0, right_, sum_left_ = 0.0, sum_right_;
};

}  // namespace stylobate::forest
