// Gini's impurity of two classes in forests.
//
// An accumulator moves rows from the right side of a split to the left and tells the score of the
// split: the larger, the less impurity is left. Scores differ from decreases of impurity by what
// the node has in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "forest_rows.hpp"

namespace stylobate::forest {

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
    // Whether a split inside the bin that comes next, or at its ends, may have this score: it is
    // convex in what is moved, and largest at a corner of what can be.
    bool reaches(const double* bin, double score) const { return !(bound(bin) < score); }
    static bool bounds(const Rows&) { return true; }
    static bool in_any_order(const Rows& rows) { return rows.whole(); }
    static NodeSummary summary(const Rows& rows) {
        const double a = rows.totals()[0], b = rows.totals()[1], weight = a + b;
        const double score = (a * a + b * b) / weight;
        return {weight, 1.0 - (a * a + b * b) / (weight * weight), score};
    }

 private:
    double bound(const double* bin) const {
        double most = safe_score();
        for (const bool zeros : {false, true}) {
            for (const bool ones : {false, true}) {
                TwoClassGini moved = *this;
                const double some[] = {zeros ? bin[0] : 0.0, ones ? bin[1] : 0.0};
                moved.move_bin(some);
                most = std::max(most, moved.safe_score());
            }
        }
        return most;
    }
    double safe_score() const {
        return left_ > 0.0 && right_ > 0.0 ? score() : -std::numeric_limits<double>::infinity();
    }
    const Rows& rows_;
    double left_ = 0.0, right_, ones_left_ = 0.0, ones_right_;
};

}  // namespace stylobate::forest
