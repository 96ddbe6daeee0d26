// Rows of numbers in forests, and their squared error.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest_rows.hpp"

namespace stylobate::forest {

// Numbers: what is said about a row is its place among the tree's rows; a node gathers its own.
class NumberRows {
 public:
    struct Pair {
        double weight;
        double product;  // of the weight and the number, less the node's mean; of all rows: numbers
    };
    explicit NumberRows(const std::vector<Pair>& all) : all_(all) {}

    Index width() const { return 1; }
    std::uint32_t low(const TreeRow&, std::size_t place) const {
        return static_cast<std::uint32_t>(place);
    }
    int low_bits(std::size_t count) const { return place_bits(count); }
    const Pair& pair(std::uint32_t low) const { return near_[low]; }
    double weight_of(const TreeRow& row) const { return all_[row.about].weight; }
    double weight() const { return weight_; }
    double rest() const { return rest_; }
    double variance() const { return variance_; }

    void load(const TreeRow* rows, std::size_t count) {
        if (near_.size() < count) near_.resize(count);
        double weight = 0.0, sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            near_[i] = all_[rows[i].about];
            weight += near_[i].weight;
            sum += near_[i].weight * near_[i].product;
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
        table.clear(3);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t code = codes[rows[i].row] >> table.shift;
            double* const bin = &table.sums[code * 3];
            bin[0] += near_[i].weight;
            bin[1] += std::max(near_[i].product, 0.0);
            bin[2] += std::min(near_[i].product, 0.0);
            ++table.rows[code];
        }
    }

 private:
    const std::vector<Pair>& all_;
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
    // Whether a split inside the bin that comes next, or at its ends, may have this score: it is
    // convex in what is moved, and largest at a corner of what can be.
    bool reaches(const double* bin, double score) const {
        for (const double weight : {0.0, bin[0]}) {
            for (const double product : {bin[1], bin[2]}) {
                SquaredError moved = *this;
                moved.move_sums(weight, product);
                if (!(moved.left_ > 0.0 && moved.right_ > 0.0)) return true;
                // the score times both weights: nothing is divided
                if (!(moved.sum_left_ * moved.sum_left_ * moved.right_ +
                          moved.sum_right_ * moved.sum_right_ * moved.left_ <
                      score * moved.left_ * moved.right_)) {
                    return true;
                }
            }
        }
        return false;
    }
    static bool bounds(const NumberRows&) { return true; }
    static bool in_any_order(const NumberRows&) { return false; }
    static NodeSummary summary(const NumberRows& rows) {
        return {rows.weight(), rows.variance(), 0.0};
    }

 private:
    const NumberRows& rows_;
    double left_ = 0.0, right_, sum_left_ = 0.0, sum_right_;
};

}  // namespace stylobate::forest
