// What a node's rows say about the target, and what a split of them gains.
//
// A criterion holds the labels of a problem's rows and answers
//   take(rows, m)               the criterion of some of the rows, renumbered from 0
//   statistics(rows, m, value)  weight, impurity and value of a node
//   enter(rows, m)              a scanner of the node, good until the next node is entered
// A scanner moves rows to the left one after the other (add) and says what the split is worth
// (gain: the larger the better, of no meaning between nodes) and by how much it lowers
// weight × impurity (decrease, from the gain).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "tree/growth.hpp"

namespace stylobate::tree {

struct NodeStatistics {
    double weight = 0.0;
    double impurity = 0.0;
    bool pure = true;  // all rows say the same
};

using Workspace = std::vector<double>;
using Table = std::shared_ptr<const std::vector<double>>;

// 1/k for k = 1 … n; 0 for 0.
inline Table inverses(Index n) {
    std::vector<double> table(static_cast<std::size_t>(n) + 1, 0.0);
    for (Index k = 1; k <= n; ++k)
        table[static_cast<std::size_t>(k)] = 1.0 / static_cast<double>(k);
    return std::make_shared<const std::vector<double>>(std::move(table));
}

template <class T>
std::vector<T> taken(const std::vector<T>& from, const Row* rows, Index m, Index width = 1) {
    std::vector<T> out;
    if (from.empty()) return out;
    out.reserve(static_cast<std::size_t>(m * width));
    for (Index i = 0; i < m; ++i) {
        const auto start = from.begin() + static_cast<Index>(rows[i]) * width;
        out.insert(out.end(), start, start + width);
    }
    return out;
}

// How rows are weighed: all alike, by whole numbers (how often they were drawn), by any numbers.
enum class Weighing { alike, whole, any };

// One target told by its mean: squared errors of numbers, Gini's index of two classes (twice the
// variance of the label 0 or 1). With deviations d of the left rows from the node's mean,
//   decrease of weight × variance = d² (1/w_left + 1/w_right).
// Labels are not centred: sums of whole numbers are exact, and ties stay ties.
template <class Y, Weighing weighing>
class OneMean {
 public:
    static constexpr bool labels = sizeof(Y) == 1;
    static constexpr bool weighted = weighing != Weighing::alike;
    static constexpr bool counts = labels && weighing != Weighing::any;  // sums are whole numbers
    using Sum = std::conditional_t<counts, Index, double>;
    using Weight = std::conditional_t<weighing == Weighing::whole, std::uint32_t, double>;
    static_assert(labels || weighing != Weighing::whole);

    // `inverse`: up to the sum of the weights, unless they are any numbers.
    OneMean(std::vector<Y> y, std::vector<Weight> weights, Table inverse)
        : y_(std::move(y)), weights_(std::move(weights)), inverse_(std::move(inverse)) {}

    OneMean take(const Row* rows, Index m) const {
        return {taken(y_, rows, m), taken(weights_, rows, m), inverse_};
    }
    Index width() const { return labels ? 2 : 1; }
    double weight(Row row) const { return weighted ? static_cast<double>(weights_[row]) : 1.0; }
    // The weight of a row above, and below if its label is one.
    std::uint64_t tally(Row row) const {
        const std::uint64_t w = weighted ? static_cast<std::uint64_t>(weights_[row]) : 1u;
        return w << 32 | (y_[row] != 0 ? w : 0u);
    }
    // Orders categories: the splits of ordered means include the best.
    Index keys() const { return 1; }
    void key(Row row, double* out) const { out[0] = static_cast<double>(y_[row]); }

    NodeStatistics statistics(const Row* rows, Index m, double* value) const {
        NodeStatistics node;
        const auto [total, sum] = sums(rows, m);
        node.weight = total;
        if constexpr (counts)
            node.pure = sum == 0.0 || sum == total;
        else
            node.pure = std::all_of(rows, rows + m, [&](Row row) { return y_[row] == y_[*rows]; });
        double mean = sum / node.weight;
        if constexpr (labels) {
            value[0] = 1.0 - mean;
            value[1] = mean;
            node.impurity = 2.0 * mean * (1.0 - mean);
            return node;
        }
        if (node.pure) mean = static_cast<double>(y_[rows[0]]);
        double squares = 0.0;
        for (Index i = 0; i < m; ++i) {
            const double away = static_cast<double>(y_[rows[i]]) - mean;
            squares += weight(rows[i]) * away * away;
        }
        value[0] = mean;
        node.impurity = squares / node.weight;
        return node;
    }

    struct Scanner {
        const Y* y;
        const Weight* weights;
        const double* inverse;
        double centre, total, weight;
        Sum left = 0, left_weight = 0;

        void start(Workspace&) { left = left_weight = 0; }
        [[gnu::always_inline]] void add(Row row) {
            const Sum w = weighted ? static_cast<Sum>(weights[row]) : Sum{1};
            left += w * away(row);
            if constexpr (weighted) left_weight += w;
        }
        // Those of the rows that go left; gives how many. Without branches: half of them would be
        // mispredicted.
        template <class Goes>
        Index add_those(const Row* rows, Index m, const Goes& goes) {
            Index count = 0;
            for (Index i = 0; i < m; ++i) {
                const Row row = rows[i];
                const bool one = goes(i);
                Sum w = one ? 1 : 0;
                if constexpr (weighted) w *= static_cast<Sum>(weights[row]);
                left += w * away(row);
                if constexpr (weighted) left_weight += w;
                count += one ? 1 : 0;
            }
            return count;
        }
        // Rows of a weight in all, and of a weighted sum.
        void add_sum(double w, double sum) {
            left += static_cast<Sum>(labels ? sum : sum - w * centre);
            if constexpr (weighted) left_weight += static_cast<Sum>(w);
        }
        double weight_left(Index count) const {
            return static_cast<double>(weighted ? left_weight : static_cast<Sum>(count));
        }
        [[gnu::always_inline]] double gain(Index count, Index others) const {
            double away = static_cast<double>(left);
            if constexpr (labels) away = away * weight - weight_left(count) * total;
            if constexpr (weighing == Weighing::any)
                return away * away * weight / (left_weight * (weight - left_weight));
            else if constexpr (weighing == Weighing::whole)
                return away * away *
                       (inverse[left_weight] + inverse[static_cast<Index>(weight) - left_weight]);
            else
                return away * away * (inverse[count] + inverse[others]);
        }
        double decrease(double gain) const {
            return labels ? 2.0 * gain / (weight * weight) : gain;
        }
        double value_left(Index count) const {
            return mean(static_cast<double>(left), weight_left(count));
        }
        double value_right(Index count) const {
            return mean(total - static_cast<double>(left), weight - weight_left(count));
        }

     private:
        [[gnu::always_inline]] Sum away(Row row) const {
            return labels ? static_cast<Sum>(y[row]) : static_cast<Sum>(y[row] - centre);
        }
        double mean(double sum, double of) const { return sum / of + centre; }
    };

    Scanner enter(const Row* rows, Index m) const {
        Scanner scan{y_.data(), weights_.data(), inverse_->data(), 0.0, 0.0, 0.0};
        const auto [total, sum] = sums(rows, m);
        scan.weight = total;
        if constexpr (labels)
            scan.total = sum;
        else
            scan.centre = sum / scan.weight;  // the total of deviations is zero
        return scan;
    }

 private:
    struct Sums {
        double weight, sum;
    };
    Sums sums(const Row* rows, Index m) const {
        Sum total = 0, sum = 0;
        for (Index i = 0; i < m; ++i) {
            const Sum w = weighted ? static_cast<Sum>(weights_[rows[i]]) : Sum{1};
            total += w;
            sum += w * static_cast<Sum>(y_[rows[i]]);
        }
        return {static_cast<double>(total), static_cast<double>(sum)};
    }

    std::vector<Y> y_;
    std::vector<Weight> weights_;
    Table inverse_;
};

// Sums of several targets: squared errors, or Poisson's deviance, averaged over them.
template <bool poisson>
class Means {
 public:
    Means(Index outputs, std::vector<double> y, std::vector<double> weights)
        : outputs_(outputs), y_(std::move(y)), weights_(std::move(weights)) {}

    Means take(const Row* rows, Index m) const {
        return {outputs_, taken(y_, rows, m, outputs_), taken(weights_, rows, m)};
    }
    Index width() const { return outputs_; }
    double weight(Row row) const { return weights_.empty() ? 1.0 : weights_[row]; }
    const double* of(Row row) const { return y_.data() + static_cast<Index>(row) * outputs_; }
    Index keys() const { return outputs_; }
    void key(Row row, double* out) const { std::copy(of(row), of(row) + outputs_, out); }

    NodeStatistics statistics(const Row* rows, Index m, double* value) const {
        NodeStatistics node;
        std::fill(value, value + outputs_, 0.0);
        for (Index i = 0; i < m; ++i) {
            const double w = weight(rows[i]);
            node.weight += w;
            node.pure = node.pure && std::equal(of(rows[i]), of(rows[i]) + outputs_, of(rows[0]));
            for (Index k = 0; k < outputs_; ++k) value[k] += w * of(rows[i])[k];
        }
        for (Index k = 0; k < outputs_; ++k) value[k] /= node.weight;
        double sum = 0.0;
        for (Index i = 0; i < m && !node.pure; ++i)
            for (Index k = 0; k < outputs_; ++k)
                sum += weight(rows[i]) * loss(of(rows[i])[k], value[k]);
        node.impurity = sum / (node.weight * static_cast<double>(outputs_));
        return node;
    }

    struct Scanner {
        const Means* labels;
        const double *centre, *total;
        double weight = 0.0, parent = 0.0;
        double* left = nullptr;
        double left_weight = 0.0;

        void start(Workspace& space) {
            space.assign(static_cast<std::size_t>(labels->outputs_), 0.0);
            left = space.data();
            left_weight = 0.0;
        }
        void add(Row row) {
            const double w = labels->weight(row);
            const double* const y = labels->of(row);
            for (Index k = 0; k < labels->outputs_; ++k) left[k] += w * (y[k] - centre[k]);
            left_weight += w;
        }
        double weight_left(Index) const { return left_weight; }
        double gain(Index, Index) const {
            double sum = 0.0;
            const double right_weight = weight - left_weight;
            for (Index k = 0; k < labels->outputs_; ++k) {
                const double right = total[k] - left[k];
                if constexpr (poisson) {
                    // a mean of nothing would rule out all events; the rest is rounding
                    if (std::min(left[k], right) <= 1e-12 * total[k])
                        return -std::numeric_limits<double>::infinity();
                    sum += left[k] * std::log(left[k] / left_weight) +
                           right * std::log(right / right_weight);
                } else {
                    sum += left[k] * left[k] / left_weight + right * right / right_weight;
                }
            }
            return sum;
        }
        double decrease(double gain) const {
            return (gain - parent) / static_cast<double>(labels->outputs_);
        }
        double value_left(Index) const { return centre[0] + left[0] / left_weight; }
        double value_right(Index) const {
            return centre[0] + (total[0] - left[0]) / (weight - left_weight);
        }
    };

    Scanner enter(const Row* rows, Index m) {
        const auto size = static_cast<std::size_t>(outputs_);
        sums_.assign(2 * size, 0.0);
        double *const centre = sums_.data(), *const total = centre + size;
        Scanner scan{this, centre, total};
        for (Index i = 0; i < m; ++i) {
            const double w = weight(rows[i]);
            scan.weight += w;
            for (std::size_t k = 0; k < size; ++k) total[k] += w * of(rows[i])[k];
        }
        for (std::size_t k = 0; k < size; ++k) {
            if constexpr (poisson) {
                if (total[k] > 0.0) scan.parent += total[k] * std::log(total[k] / scan.weight);
            } else {
                centre[k] = total[k] / scan.weight;
                total[k] = 0.0;
            }
        }
        return scan;
    }

 private:
    static double loss(double y, double mean) {
        if constexpr (poisson) return y > 0.0 ? y * std::log(y / mean) : 0.0;
        return (y - mean) * (y - mean);
    }

    Index outputs_;
    std::vector<double> y_;
    std::vector<double> weights_;
    std::vector<double> sums_;  // centres and totals of the node entered
};

}  // namespace stylobate::tree
