// What the rows of a node with random splits say about the target: classes, or numbers.
//
// A target answers
//   statistics(rows, n, value)  weight, impurity and value of a node, which is then the current one
//   look(keys, …)               what all splits of the current node put to the left
//   count(lane), weight(lane)   of one of these splits: rows on the left, and what they weigh
//   gain(lane)                  by how much it lowers weight × impurity
//   take(from, rows, n)         the labels of some rows of another target
#pragma once

#include <cmath>
#include <vector>

#include "stylobate/simd.hpp"
#include "tree/criteria.hpp"

namespace stylobate::tree {

inline void extremes(const std::uint16_t* keys, Index stride, const Row* rows, Index n,
                     std::uint16_t* least, std::uint16_t* most, std::uint16_t* present) {
    kernels().key_extremes_16(keys, stride, rows, n, least, most, present);
}
inline void extremes(const std::uint32_t* keys, Index stride, const Row* rows, Index n,
                     std::uint32_t* least, std::uint32_t* most, std::uint32_t* present) {
    kernels().key_extremes_32(keys, stride, rows, n, least, most, present);
}

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

template <class Function>
class RandomClasses {
 public:
    static constexpr Index most_classes = 256;

    RandomClasses(const std::int32_t* codes, Index n, Index classes, Index stride)
        : RandomClasses(classes, stride) {
        labels_.assign(codes, codes + n);
    }
    RandomClasses empty(Index rows) const {
        RandomClasses made(classes_, stride_);
        made.labels_.resize(static_cast<std::size_t>(rows));
        return made;
    }
    void take(const RandomClasses& from, const Row* rows, Index n) {
        for (Index i = 0; i < n; ++i) labels_[static_cast<std::size_t>(i)] = from.labels_[rows[i]];
    }
    Index width() const { return classes_; }

    NodeStatistics statistics(const Row* rows, Index n, double* value) {
        count_classes(rows, n);
        n_ = static_cast<double>(n);
        sum_ = function_.of(node_.data(), classes_, 1, n_);
        bool pure = false;
        for (Index c = 0; c < classes_; ++c) {
            const auto k = node_[static_cast<std::size_t>(c)];
            value[c] = static_cast<double>(k) / n_;
            pure = pure || static_cast<Index>(k) == n;
        }
        return {n_, pure ? 0.0 : function_.impurity(sum_, n_), pure};
    }

    template <class Key>
    void look(const Key* keys, const Row* rows, Index n, const Key* shift, const Key* limit) {
        const auto all = [&](auto* kernel) {
            kernel(keys, stride_, rows, n, shift, limit, labels_.data(), classes_, left_.data());
        };
        if constexpr (sizeof(Key) == 2)
            all(kernels().key_counts_16);
        else
            all(kernels().key_counts_32);
    }

    Index count(Index lane) const {
        Index sum = 0;
        for (Index c = 0; c < classes_; ++c)
            sum += left_[static_cast<std::size_t>(c * stride_ + lane)];
        return sum;
    }

    double weight() const { return n_; }  // of the current node
    double weight(Index lane) const { return static_cast<double>(count(lane)); }

    double gain(Index lane) {
        const double left = weight(lane);
        for (Index c = 0; c < classes_; ++c) {
            const auto at = static_cast<std::size_t>(c);
            right_[at] = node_[at] - left_[static_cast<std::size_t>(c * stride_ + lane)];
        }
        return function_.of(left_.data() + lane, classes_, stride_, left) +
               function_.of(right_.data(), classes_, 1, n_ - left) - sum_;
    }

 private:
    void count_classes(const Row* rows, Index n) {
        std::fill(node_.begin(), node_.end(), 0u);
        if (classes_ > 2) {
            for (Index i = 0; i < n; ++i) ++node_[labels_[rows[i]]];
            return;
        }
        std::uint32_t ones = 0;  // a sum in a register
        for (Index i = 0; i < n; ++i) ones += labels_[rows[i]];
        node_[1] = ones;
        node_[0] = static_cast<std::uint32_t>(n) - ones;
    }

    RandomClasses(Index classes, Index stride)
        : classes_(classes),
          stride_(stride),
          node_(static_cast<std::size_t>(classes)),
          right_(static_cast<std::size_t>(classes)),
          left_(static_cast<std::size_t>(classes * stride)) {}

    Function function_;
    Index classes_, stride_;
    std::vector<std::uint8_t> labels_;
    std::vector<std::uint32_t> node_, right_, left_;
    double n_ = 0.0, sum_ = 0.0;
};

class RandomNumbers {
 public:
    RandomNumbers(const double* values, Index n, Index stride) : RandomNumbers(stride) {
        y_.assign(values, values + n);
    }
    RandomNumbers empty(Index rows) const {
        RandomNumbers made(stride_);
        made.y_.resize(static_cast<std::size_t>(rows));
        return made;
    }
    void take(const RandomNumbers& from, const Row* rows, Index n) {
        for (Index i = 0; i < n; ++i) y_[static_cast<std::size_t>(i)] = from.y_[rows[i]];
    }
    Index width() const { return 1; }

    NodeStatistics statistics(const Row* rows, Index n, double* value) {
        bool pure = true;
        double sum = 0.0, squares = 0.0;
        for (Index i = 0; i < n; ++i) {
            pure = pure && y_[rows[i]] == y_[rows[0]];
            sum += y_[rows[i]];
        }
        n_ = static_cast<double>(n);
        mean_ = pure ? y_[rows[0]] : sum / n_;
        for (Index i = 0; i < n && !pure; ++i) {
            const double away = y_[rows[i]] - mean_;
            squares += away * away;
        }
        value[0] = mean_;
        return {n_, squares / n_, pure};
    }

    template <class Key>
    void look(const Key* keys, const Row* rows, Index n, const Key* shift, const Key* limit) {
        const auto all = [&](auto* kernel) {
            kernel(keys, stride_, rows, n, shift, limit, y_.data(), mean_, sums_.data(),
                   counts_.data());
        };
        if constexpr (sizeof(Key) == 2)
            all(kernels().key_sums_16);
        else
            all(kernels().key_sums_32);
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

 private:
    explicit RandomNumbers(Index stride)
        : stride_(stride),
          sums_(static_cast<std::size_t>(stride)),
          counts_(static_cast<std::size_t>(stride)) {}

    Index stride_;
    std::vector<double> y_, sums_;
    std::vector<std::uint32_t> counts_;
    double n_ = 0.0, mean_ = 0.0;
};

}  // namespace stylobate::tree
