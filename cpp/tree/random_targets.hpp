// What the rows of a node with random splits say about the target: classes, or numbers.
//
// A target, whose numbers lie in the order of the tree's rows, answers
//   start()                     begins a tree
//   statistics(node, value)     weight, impurity and value of a node, which is then the current one
//   look(keys, …)               what all splits of the current node put to the left
//   count(lane), weight(lane)   of one of these splits: rows on the left, and what they weigh
//   gain(lane)                  by how much it lowers weight × impurity
//   surely_pure(lane, left)     whether a side of it is known to be of one class
//   part(node, lane, goes)      makes a split: hands what it knows on to the children
#pragma once

#include <cmath>
#include <vector>

#include "tree/criteria.hpp"
#include "tree/key_kernels.hpp"
#include "tree/random_rows.hpp"

namespace stylobate::tree {

// A node's rows, and its place among those that wait: of its children the right one takes the same
// place, the left one the next.
struct WaitingNode {
    RowSpan span;
    std::size_t place = 0;
};

// What is known of each of a tree's rows, parted as those are.
template <class T>
class PartedValues {
 public:
    template <class Given>
    PartedValues(const Given* all, const std::vector<Row>& rows) {
        given_.reserve(rows.size());
        for (const Row row : rows) given_.push_back(static_cast<T>(all[row]));
    }
    void start() {
        sides_[0] = given_;
        sides_[1].resize(given_.size());
    }
    const T* of(const RowSpan& span) const { return sides_[span.side].data() + span.begin; }
    void part(const RowSpan& span, Index left, const std::uint8_t* goes_left) {
        const T* const from = of(span);
        TwoWays<T> out(sides_[1 - span.side].data() + span.begin, left);
        for (Index i = 0; i < span.count; ++i) out.put(from[i], goes_left[i] != 0);
    }

 private:
    std::vector<T> given_, sides_[2];
};

// Function: of a count and all counts, what adds up to n × impurity but for the sign and a
// constant.
struct GiniSum {
    // Σ nₖ² / n: n × Gini's index = n − that
    template <class Count>
    double of(const Count* counts, Index classes, Index stride, double n) const {
        double sum = 0.0;
        for (Index c = 0; c < classes; ++c) {
            const auto k = static_cast<double>(counts[c * stride]);
            sum += k * k;
        }
        return sum / n;
    }
    double impurity(double sum, double n) const { return 1.0 - sum / n; }
};

struct EntropySum {
    // Σ nₖ log₂ nₖ − n log₂ n: n × entropy = −that
    template <class Count>
    double of(const Count* counts, Index classes, Index stride, double n) const {
        double sum = -n * std::log2(n);
        for (Index c = 0; c < classes; ++c) {
            const auto k = static_cast<double>(counts[c * stride]);
            if (k > 0.0) sum += k * std::log2(k);
        }
        return sum;
    }
    double impurity(double sum, double n) const { return -sum / n; }
};

// Rows that all weigh 1, those of one class after those of another. A node's counts are those its
// parent looked at: no row is asked for its class.
template <class Function>
class RandomClasses {
 public:
    static constexpr Index most_classes = 256;
    static constexpr bool moves = false;       // whether part() wants to know where each row goes
    static constexpr bool pairs_alike = true;  // all splits of two rows gain the same

    RandomClasses(const std::int32_t* codes, const std::vector<Row>& rows, Index classes,
                  Index stride)
        : classes_(classes),
          stride_(stride),
          all_(static_cast<std::size_t>(classes)),
          node_(all_.size()),
          right_(all_.size()),
          left_(static_cast<std::size_t>(classes * stride)) {
        for (const Row row : rows) ++all_[static_cast<std::size_t>(codes[row])];
    }
    Index width() const { return classes_; }

    void start() { waiting_ = all_; }

    NodeStatistics statistics(const WaitingNode& node, double* value) {
        const std::uint32_t* const counts = waiting_.data() + node.place * all_.size();
        n_ = static_cast<double>(node.span.count);
        bool pure = false;
        for (Index c = 0; c < classes_; ++c) {
            const auto k = node_[static_cast<std::size_t>(c)] = counts[c];
            value[c] = static_cast<double>(k) / n_;
            pure = pure || static_cast<Index>(k) == node.span.count;
        }
        sum_ = function_.of(node_.data(), classes_, 1, n_);
        return {n_, pure ? 0.0 : function_.impurity(sum_, n_), pure};
    }

    template <class Key>
    void look(const KeyView<Key>& view, const WaitingNode&, const Key* shift, const Key* limit) {
        KeyKernels<Key>::counts()(view.keys, stride_, view.rows, node_.data(), classes_, shift,
                                  limit, left_.data());
    }

    Index count(Index lane) const {
        Index sum = 0;
        for (Index c = 0; c < classes_; ++c) sum += left(c, lane);
        return sum;
    }

    double weight() const { return n_; }  // of the current node
    double weight(Index lane) const { return static_cast<double>(count(lane)); }

    double gain(Index lane) {
        const double weight = this->weight(lane);
        take_right(lane);
        return function_.of(left_.data() + lane, classes_, stride_, weight) +
               function_.of(right_.data(), classes_, 1, n_ - weight) - sum_;
    }

    bool surely_pure(Index lane, bool left_side) const {
        Index seen = 0;
        for (Index c = 0; c < classes_; ++c) {
            const std::uint32_t here = left(c, lane), all = node_[static_cast<std::size_t>(c)];
            seen += (left_side ? here : all - here) != 0 ? 1 : 0;
        }
        return seen <= 1;
    }

    void part(const WaitingNode& node, Index lane, const std::uint8_t*) {
        const std::size_t place = node.place * all_.size();
        if (waiting_.size() < place + 2 * all_.size()) waiting_.resize(place + 2 * all_.size());
        take_right(lane);
        std::copy(right_.begin(), right_.end(), waiting_.data() + place);
        for (Index c = 0; c < classes_; ++c)
            waiting_[place + all_.size() + static_cast<std::size_t>(c)] = left(c, lane);
    }

 private:
    std::uint32_t left(Index c, Index lane) const {
        return left_[static_cast<std::size_t>(c * stride_ + lane)];
    }
    void take_right(Index lane) {
        for (Index c = 0; c < classes_; ++c) {
            const auto at = static_cast<std::size_t>(c);
            right_[at] = node_[at] - left(c, lane);
        }
    }

    Function function_;
    Index classes_, stride_;
    std::vector<std::uint32_t> all_, node_, right_, left_, waiting_;
    double n_ = 0.0, sum_ = 0.0;
};

class RandomNumbers {
 public:
    static constexpr bool moves = true, pairs_alike = false;

    RandomNumbers(const double* values, const std::vector<Row>& rows, Index stride)
        : stride_(stride),
          y_(values, rows),
          sums_(static_cast<std::size_t>(stride)),
          counts_(sums_.size()) {}
    Index width() const { return 1; }

    void start() { y_.start(); }

    NodeStatistics statistics(const WaitingNode& node, double* value) {
        const double* const y = y_.of(node.span);
        const Index n = node.span.count;
        bool pure = true;
        double sum = 0.0, squares = 0.0;
        for (Index i = 0; i < n; ++i) {
            pure = pure && y[i] == y[0];
            sum += y[i];
        }
        n_ = static_cast<double>(n);
        mean_ = pure ? y[0] : sum / n_;
        for (Index i = 0; i < n && !pure; ++i) {
            const double away = y[i] - mean_;
            squares += away * away;
        }
        value[0] = mean_;
        return {n_, squares / n_, pure};
    }

    template <class Key>
    void look(const KeyView<Key>& view, const WaitingNode& node, const Key* shift,
              const Key* limit) {
        KeyKernels<Key>::sums()(view.keys, stride_, view.rows, node.span.count, shift, limit,
                                y_.of(node.span), mean_, sums_.data(), counts_.data());
    }

    Index count(Index lane) const { return counts_[static_cast<std::size_t>(lane)]; }
    double weight() const { return n_; }  // of the current node
    double weight(Index lane) const { return static_cast<double>(count(lane)); }

    // (Σ of deviations on the left)² (1/n_left + 1/n_right): those of the right add up to minus it
    double gain(Index lane) const {
        const double left = weight(lane);
        const double sum = sums_[static_cast<std::size_t>(lane)];
        return sum * sum * (1.0 / left + 1.0 / (n_ - left));
    }

    bool surely_pure(Index, bool) const { return false; }
    void part(const WaitingNode& node, Index lane, const std::uint8_t* goes_left) {
        y_.part(node.span, count(lane), goes_left);
    }

 private:
    Index stride_;
    PartedValues<double> y_;
    std::vector<double> sums_;
    std::vector<std::uint32_t> counts_;
    double n_ = 0.0, mean_ = 0.0;
};

}  // namespace stylobate::tree
