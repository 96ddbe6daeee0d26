// Impurities of any number of classes in forests: sums over the classes that follow each row.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest_rows.hpp"

namespace stylobate::forest {

// With f summed over the weights of a side's classes, `side` is what the side adds to the score.
struct GiniFunction {
    template <class Rows>
    explicit GiniFunction(const Rows&) {}
    static constexpr bool keeps_whole = true;  // of whole numbers it is one
    double f(double x) const { return x * x; }
    double side(double sum, double weight) const { return sum / weight; }
    double impurity(const std::vector<double>& totals, double weight) const {
        double sum = 0.0;
        for (const double total : totals) sum += f(total);
        return 1.0 - sum / (weight * weight);
    }
};

struct EntropyFunction {  // in bits
    template <class Rows>
    explicit EntropyFunction(const Rows& rows) : table(rows.logarithms()) {}
    static constexpr bool keeps_whole = false;
    const double* table;  // of f at whole numbers; null: weights are others
    double f(double x) const {
        return table != nullptr ? table[static_cast<std::size_t>(x)] : x_log_x(x);
    }
    double side(double sum, double weight) const { return sum - f(weight); }
    double impurity(const std::vector<double>& totals, double weight) const {
        double sum = 0.0;
        for (const double total : totals) sum -= x_log_x(total / weight);
        return sum;
    }
};

// Numbers of a few classes in place, of more elsewhere.
class ClassNumbers {
 public:
    ClassNumbers(const double* from, std::size_t count) {
        if (count > few_.size()) {
            many_.assign(from, from + count);
        } else {
            std::copy_n(from, count, few_.begin());
        }
    }
    explicit ClassNumbers(std::size_t count) {
        if (count > few_.size()) many_.assign(count, 0.0);
    }
    double& operator[](std::size_t k) { return many_.empty() ? few_[k] : many_[k]; }

 private:
    std::array<double, 6> few_{};
    std::vector<double> many_;
};

template <class Rows, class Function>
class Impurity {
 public:
    explicit Impurity(const Rows& rows)
        : rows_(rows),
          function_(rows),
          on_left_(rows.totals().size()),
          on_right_(rows.totals().data(), rows.totals().size()) {
        for (const double total : rows.totals()) right_ += total, right_sum_ += function_.f(total);
    }
    void move(std::uint32_t low) { move_weight(rows_.label(low), rows_.weight(low)); }
    double left() const { return left_; }
    double right() const { return right_; }
    double score() const {
        return function_.side(left_sum_, left_) + function_.side(right_sum_, right_);
    }
    void move_bin(const double* bin) { move_classes(bin, ~std::uint32_t{0}); }
    // Whether a split inside the bin that comes next, or at its ends, may have this score: it is
    // convex in what is moved, and largest at a corner of what can be.
    bool reaches(const double* bin, double score) const { return !(bound(bin) < score); }
    static bool bounds(const Rows& rows) { return rows.totals().size() <= few_classes; }
    // Whether sums are the same in any order.
    static bool in_any_order(const Rows& rows) { return Function::keeps_whole && rows.whole(); }
    static NodeSummary summary(const Rows& rows) {
        const Function function(rows);
        double weight = 0.0, sum = 0.0;
        for (const double total : rows.totals()) weight += total, sum += function.f(total);
        return {weight, function.impurity(rows.totals(), weight), function.side(sum, weight)};
    }

 private:
    double bound(const double* bin) const {
        double most = -std::numeric_limits<double>::infinity();
        const auto corners = std::uint32_t{1} << classes();
        for (std::uint32_t corner = 0; corner < corners; ++corner) {
            Impurity moved = *this;
            moved.move_classes(bin, corner);
            if (moved.left_ > 0.0 && moved.right_ > 0.0) most = std::max(most, moved.score());
        }
        return most;
    }
    static constexpr std::size_t few_classes = 4;
    std::size_t classes() const { return rows_.totals().size(); }
    void move_weight(std::size_t k, double weight) {
        double &from = on_right_[k], &to = on_left_[k];
        left_ += weight, right_ -= weight;
        left_sum_ += function_.f(to + weight) - function_.f(to);
        right_sum_ += function_.f(from - weight) - function_.f(from);
        to += weight, from -= weight;
    }
    void move_classes(const double* bin, std::uint32_t which) {
        for (std::size_t k = 0; k < classes(); ++k) {
            if (which >> std::min<std::size_t>(k, 31) & 1) move_weight(k, bin[k]);
        }
    }
    const Rows& rows_;
    Function function_;
    ClassNumbers on_left_, on_right_;
    double left_ = 0.0, right_ = 0.0, left_sum_ = 0.0, right_sum_ = 0.0;
};

}  // namespace stylobate::forest
