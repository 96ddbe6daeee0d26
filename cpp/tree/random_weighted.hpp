// What weighted rows of a node with random splits say about the target (see random_targets.hpp).
//
// A row of weight 3 gives the tree that three such rows give: thresholds are drawn between values,
// whatever they weigh.
#pragma once

#include "tree/random_targets.hpp"

namespace stylobate::tree {

// Calls add(i, lane) for every row i of a node and every column by which it goes left.
template <class Key, class Add>
void each_left(const KeyView<Key>& view, Index stride, Index n, const Key* shift, const Key* limit,
               Add add) {
    for (Index i = 0; i < n; ++i) {
        const Key* const row = view.keys + (view.rows != nullptr ? view.rows[i] : i) * stride;
        for (Index j = 0; j < stride; ++j)
            if (static_cast<Key>(row[j] + shift[j]) <= limit[j])
                add(i, static_cast<std::size_t>(j));
    }
}

template <class Function>
class WeightedClasses {
 public:
    static constexpr bool moves = true, pairs_alike = false;

    WeightedClasses(const std::int32_t* codes, const double* weights, const std::vector<Row>& rows,
                    Index classes, Index stride)
        : classes_(classes),
          stride_(stride),
          labels_(codes, rows),
          weights_(weights, rows),
          node_(static_cast<std::size_t>(classes)),
          right_(node_.size()),
          left_(static_cast<std::size_t>(classes * stride)),
          counts_(static_cast<std::size_t>(stride)) {}
    Index width() const { return classes_; }

    void start() {
        labels_.start();
        weights_.start();
    }

    NodeStatistics statistics(const WaitingNode& node, double* value) {
        const std::uint8_t* const labels = labels_.of(node.span);
        const double* const weights = weights_.of(node.span);
        std::fill(node_.begin(), node_.end(), 0.0);
        bool pure = true;
        weight_ = 0.0;
        for (Index i = 0; i < node.span.count; ++i) {
            pure = pure && labels[i] == labels[0];
            node_[labels[i]] += weights[i];
            weight_ += weights[i];
        }
        sum_ = function_.of(node_.data(), classes_, 1, weight_);
        for (Index c = 0; c < classes_; ++c)
            value[c] = node_[static_cast<std::size_t>(c)] / weight_;
        return {weight_, pure ? 0.0 : function_.impurity(sum_, weight_), pure};
    }

    template <class Key>
    void look(const KeyView<Key>& view, const WaitingNode& node, const Key* shift,
              const Key* limit) {
        const std::uint8_t* const labels = labels_.of(node.span);
        const double* const weights = weights_.of(node.span);
        std::fill(left_.begin(), left_.end(), 0.0);
        std::fill(counts_.begin(), counts_.end(), Index{0});
        each_left(view, stride_, node.span.count, shift, limit, [&](Index i, std::size_t lane) {
            left_[labels[i] * static_cast<std::size_t>(stride_) + lane] += weights[i];
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

    bool surely_pure(Index, bool) const { return false; }
    void part(const WaitingNode& node, Index lane, const std::uint8_t* goes_left) {
        labels_.part(node.span, count(lane), goes_left);
        weights_.part(node.span, count(lane), goes_left);
    }

 private:
    Function function_;
    Index classes_, stride_;
    PartedValues<std::uint8_t> labels_;
    PartedValues<double> weights_;
    std::vector<double> node_, right_, left_;
    std::vector<Index> counts_;
    double weight_ = 0.0, sum_ = 0.0;
};

class WeightedNumbers {
 public:
    static constexpr bool moves = true, pairs_alike = false;

    WeightedNumbers(const double* values, const double* weights, const std::vector<Row>& rows,
                    Index stride)
        : stride_(stride),
          y_(values, rows),
          weights_(weights, rows),
          sums_(static_cast<std::size_t>(stride)),
          left_(sums_.size()),
          counts_(sums_.size()) {}
    Index width() const { return 1; }

    void start() {
        y_.start();
        weights_.start();
    }

    NodeStatistics statistics(const WaitingNode& node, double* value) {
        const double *const y = y_.of(node.span), *const weights = weights_.of(node.span);
        const Index n = node.span.count;
        bool pure = true;
        double sum = 0.0, squares = 0.0;
        weight_ = 0.0;
        for (Index i = 0; i < n; ++i) {
            pure = pure && y[i] == y[0];
            sum += weights[i] * y[i];
            weight_ += weights[i];
        }
        mean_ = pure ? y[0] : sum / weight_;
        for (Index i = 0; i < n && !pure; ++i) {
            const double away = y[i] - mean_;
            squares += weights[i] * away * away;
        }
        value[0] = mean_;
        return {weight_, squares / weight_, pure};
    }

    template <class Key>
    void look(const KeyView<Key>& view, const WaitingNode& node, const Key* shift,
              const Key* limit) {
        const double *const y = y_.of(node.span), *const weights = weights_.of(node.span);
        std::fill(sums_.begin(), sums_.end(), 0.0);
        std::fill(left_.begin(), left_.end(), 0.0);
        std::fill(counts_.begin(), counts_.end(), Index{0});
        each_left(view, stride_, node.span.count, shift, limit, [&](Index i, std::size_t lane) {
            sums_[lane] += weights[i] * (y[i] - mean_);
            left_[lane] += weights[i];
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

    bool surely_pure(Index, bool) const { return false; }
    void part(const WaitingNode& node, Index lane, const std::uint8_t* goes_left) {
        y_.part(node.span, count(lane), goes_left);
        weights_.part(node.span, count(lane), goes_left);
    }

 private:
    Index stride_;
    PartedValues<double> y_, weights_;
    std::vector<double> sums_, left_;
    std::vector<Index> counts_;
    double weight_ = 0.0, mean_ = 0.0;
};

}  // namespace stylobate::tree
