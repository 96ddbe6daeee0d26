// What weighted rows of a node with random splits say about the target (see random_targets.hpp).
//
// A row of weight 3 gives the tree that three such rows give: thresholds are drawn between values,
// whatever they weigh.
#pragma once

#include "tree/random_targets.hpp"

namespace stylobate::tree {

// Calls add(row, lane) for every row listed and every column by which it goes left.
template <class Key, class Add>
void each_left(const Key* keys, Index stride, const Row* rows, Index n, const Key* shift,
               const Key* limit, Add add) {
    for (Index i = 0; i < n; ++i) {
        const Key* const row = keys + rows[i] * stride;
        for (Index j = 0; j < stride; ++j)
            if (static_cast<Key>(row[j] + shift[j]) <= limit[j])
                add(rows[i], static_cast<std::size_t>(j));
    }
}

template <class Function>
class WeightedClasses {
 public:
    WeightedClasses(const std::int32_t* codes, const double* weights, Index n, Index classes,
                    Index stride)
        : WeightedClasses(classes, stride) {
        labels_.assign(codes, codes + n);
        weights_.assign(weights, weights + n);
    }
    WeightedClasses empty(Index rows) const {
        WeightedClasses made(classes_, stride_);
        made.labels_.resize(static_cast<std::size_t>(rows));
        made.weights_.resize(static_cast<std::size_t>(rows));
        return made;
    }
    void take(const WeightedClasses& from, const Row* rows, Index n) {
        for (Index i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(i);
            labels_[at] = from.labels_[rows[i]];
            weights_[at] = from.weights_[rows[i]];
        }
    }
    Index width() const { return classes_; }

    NodeStatistics statistics(const Row* rows, Index n, double* value) {
        std::fill(node_.begin(), node_.end(), 0.0);
        bool pure = true;
        weight_ = 0.0;
        for (Index i = 0; i < n; ++i) {
            pure = pure && labels_[rows[i]] == labels_[rows[0]];
            node_[labels_[rows[i]]] += weights_[rows[i]];
            weight_ += weights_[rows[i]];
        }
        sum_ = function_.of(node_.data(), classes_, 1, weight_);
        for (Index c = 0; c < classes_; ++c)
            value[c] = node_[static_cast<std::size_t>(c)] / weight_;
        return {weight_, pure ? 0.0 : function_.impurity(sum_, weight_), pure};
    }

    template <class Key>
    void look(const Key* keys, const Row* rows, Index n, const Key* shift, const Key* limit) {
        std::fill(left_.begin(), left_.end(), 0.0);
        std::fill(counts_.begin(), counts_.end(), Index{0});
        each_left(keys, stride_, rows, n, shift, limit, [&](Row row, std::size_t lane) {
            left_[labels_[row] * static_cast<std::size_t>(stride_) + lane] += weights_[row];
            ++counts_[lane];
        });
    }

    Index count(Index lane) const { return counts_[static_cast<std::size_t>(lane)]; }
    double weight() const { return weight_; }
    double weight(Index lane) const {
        double sum = 0.0;
        for (Index c = 0; c < classes_; ++c)
            sum += left_[static_cast<std::size_t>(c * stride_ + lane)];
        return sum;
    }
    double gain(Index lane) {
        const double left = weight(lane);
        for (Index c = 0; c < classes_; ++c) {
            const auto at = static_cast<std::size_t>(c);
            right_[at] = node_[at] - left_[static_cast<std::size_t>(c * stride_ + lane)];
        }
        return function_.of(left_.data() + lane, classes_, stride_, left) +
               function_.of(right_.data(), classes_, 1, weight_ - left) - sum_;
    }

 private:
    WeightedClasses(Index classes, Index stride)
        : classes_(classes),
          stride_(stride),
          node_(static_cast<std::size_t>(classes)),
          right_(static_cast<std::size_t>(classes)),
          left_(static_cast<std::size_t>(classes * stride)),
          counts_(static_cast<std::size_t>(stride)) {}

    Function function_;
    Index classes_, stride_;
    std::vector<std::uint8_t> labels_;
    std::vector<double> weights_, node_, right_, left_;
    std::vector<Index> counts_;
    double weight_ = 0.0, sum_ = 0.0;
};

class WeightedNumbers {
 public:
    WeightedNumbers(const double* values, const double* weights, Index n, Index stride)
        : WeightedNumbers(stride) {
        y_.assign(values, values + n);
        weights_.assign(weights, weights + n);
    }
    WeightedNumbers empty(Index rows) const {
        WeightedNumbers made(stride_);
        made.y_.resize(static_cast<std::size_t>(rows));
        made.weights_.resize(static_cast<std::size_t>(rows));
        return made;
    }
    void take(const WeightedNumbers& from, const Row* rows, Index n) {
        for (Index i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(i);
            y_[at] = from.y_[rows[i]];
            weights_[at] = from.weights_[rows[i]];
        }
    }
    Index width() const { return 1; }

    NodeStatistics statistics(const Row* rows, Index n, double* value) {
        bool pure = true;
        double sum = 0.0, squares = 0.0;
        weight_ = 0.0;
        for (Index i = 0; i < n; ++i) {
            pure = pure && y_[rows[i]] == y_[rows[0]];
            sum += weights_[rows[i]] * y_[rows[i]];
            weight_ += weights_[rows[i]];
        }
        mean_ = pure ? y_[rows[0]] : sum / weight_;
        for (Index i = 0; i < n && !pure; ++i) {
            const double away = y_[rows[i]] - mean_;
            squares += weights_[rows[i]] * away * away;
        }
        value[0] = mean_;
        return {weight_, squares / weight_, pure};
    }

    template <class Key>
    void look(const Key* keys, const Row* rows, Index n, const Key* shift, const Key* limit) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        std::fill(left_.begin(), left_.end(), 0.0);
        std::fill(counts_.begin(), counts_.end(), Index{0});
        each_left(keys, stride_, rows, n, shift, limit, [&](Row row, std::size_t lane) {
            sums_[lane] += weights_[row] * (y_[row] - mean_);
            left_[lane] += weights_[row];
            ++counts_[lane];
        });
    }

    Index count(Index lane) const { return counts_[static_cast<std::size_t>(lane)]; }
    double weight() const { return weight_; }
    double weight(Index lane) const { return left_[static_cast<std::size_t>(lane)]; }
    double gain(Index lane) const {
        const double left = weight(lane), sum = sums_[static_cast<std::size_t>(lane)];
        return sum * sum * (1.0 / left + 1.0 / (weight_ - left));
    }

 private:
    explicit WeightedNumbers(Index stride)
        : stride_(stride),
          sums_(static_cast<std::size_t>(stride)),
          left_(sums_.size()),
          counts_(sums_.size()) {}

    Index stride_;
    std::vector<double> y_, weights_, sums_, left_;
    std::vector<Index> counts_;
    double weight_ = 0.0, mean_ = 0.0;
};

}  // namespace stylobate::tree
