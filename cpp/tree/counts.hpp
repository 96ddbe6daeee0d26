// Classes told by their counts: Gini's index, entropy, misclassification; one output or several.
#pragma once

#include "tree/criteria.hpp"

namespace stylobate::tree {

// With f summed over the counts of a side, `side` is what the side adds to the gain; a node's
// impurity is −side/weight plus a constant.
struct GiniFunction {
    static constexpr bool sums = true;
    double f(double count) const { return count * count; }
    double side(double sum, double weight) const { return sum / weight; }
    double impurity(double side, double weight) const { return 1.0 - side / weight; }
};

struct EntropyFunction {  // in bits
    static constexpr bool sums = true;
    Table table;  // of f at whole numbers; null if weights are no whole numbers
    double f(double count) const {
        if (table) return (*table)[static_cast<std::size_t>(count)];
        return count > 0.0 ? count * std::log2(count) : 0.0;
    }
    double side(double sum, double weight) const { return sum - f(weight); }
    double impurity(double side, double weight) const { return -side / weight; }

    static Table whole_numbers(Index n) {
        std::vector<double> values(static_cast<std::size_t>(n) + 1, 0.0);
        for (Index k = 1; k <= n; ++k)
            values[static_cast<std::size_t>(k)] =
                static_cast<double>(k) * std::log2(static_cast<double>(k));
        return std::make_shared<const std::vector<double>>(std::move(values));
    }
};

struct ErrorFunction {  // one minus the share of the largest class
    static constexpr bool sums = false;
    double f(double) const { return 0.0; }
    double side(double most, double) const { return most; }
    double impurity(double side, double weight) const { return 1.0 - side / weight; }
};

template <class Function>
class Counts {
 public:
    // `classes`: the most of any output; codes rows × outputs.
    Counts(Index outputs, Index classes, std::vector<std::uint32_t> codes,
           std::vector<double> weights, Function function)
        : outputs_(outputs),
          classes_(classes),
          codes_(std::move(codes)),
          weights_(std::move(weights)),
          function_(std::move(function)) {}

    Counts take(const Row* rows, Index m) const {
        return {outputs_, classes_, taken(codes_, rows, m, outputs_), taken(weights_, rows, m),
                function_};
    }
    Index width() const { return outputs_ * classes_; }
    double weight(Row row) const { return weights_.empty() ? 1.0 : weights_[row]; }
    const std::uint32_t* of(Row row) const {
        return codes_.data() + static_cast<Index>(row) * outputs_;
    }
    Index keys() const { return width() == 2 ? 1 : width(); }
    void key(Row row, double* out) const {
        if (width() == 2) {
            out[0] = of(row)[0];
            return;
        }
        std::fill(out, out + width(), 0.0);
        for (Index k = 0; k < outputs_; ++k) out[k * classes_ + of(row)[k]] = 1.0;
    }

    NodeStatistics statistics(const Row* rows, Index m, double* value) const {
        NodeStatistics node;
        count(rows, m, value, node.weight);
        for (Index k = 0; k < outputs_; ++k) {
            double* const shares = value + k * classes_;
            node.impurity += function_.impurity(side(shares, node.weight), node.weight);
            node.pure = node.pure && std::count_if(shares, shares + classes_,
                                                   [](double c) { return c > 0; }) == 1;
            for (Index c = 0; c < classes_; ++c) shares[c] /= node.weight;
        }
        node.impurity = std::max(node.impurity / static_cast<double>(outputs_), 0.0);
        return node;
    }

    struct Scanner {
        const Counts* labels;
        const double* total;
        double weight = 0.0, parent = 0.0;
        double *left = nullptr, *right = nullptr, *sums = nullptr;
        double left_weight = 0.0;

        void start(Workspace& space) {
            const Index width = labels->width(), outputs = labels->outputs_;
            space.resize(static_cast<std::size_t>(2 * (width + outputs)));
            left = space.data();
            right = left + width;
            sums = right + width;
            std::fill(left, left + width, 0.0);
            std::copy(total, total + width, right);
            for (Index k = 0; k < outputs; ++k) {
                sums[2 * k] = 0.0;
                sums[2 * k + 1] = labels->sum(right + k * labels->classes_);
            }
            left_weight = 0.0;
        }
        void add(Row row) {
            const double w = labels->weight(row);
            const std::uint32_t* const codes = labels->of(row);
            const auto& function = labels->function_;
            for (Index k = 0; k < labels->outputs_; ++k) {
                const Index at = k * labels->classes_ + codes[k];
                if constexpr (Function::sums) {
                    sums[2 * k] += function.f(left[at] + w) - function.f(left[at]);
                    sums[2 * k + 1] += function.f(right[at] - w) - function.f(right[at]);
                }
                left[at] += w;
                right[at] -= w;
            }
            left_weight += w;
        }
        double weight_left(Index) const { return left_weight; }
        double gain(Index, Index) const {
            const double right_weight = weight - left_weight;
            double worth = 0.0;
            for (Index k = 0; k < labels->outputs_; ++k) {
                const Index first = k * labels->classes_;
                worth += labels->side(left + first, left_weight, sums + 2 * k) +
                         labels->side(right + first, right_weight, sums + 2 * k + 1);
            }
            return worth;
        }
        double decrease(double gain) const {
            return (gain - parent) / static_cast<double>(labels->outputs_);
        }
        double value_left(Index) const { return left[1] / left_weight; }
        double value_right(Index) const { return right[1] / (weight - left_weight); }
    };

    Scanner enter(const Row* rows, Index m) {
        total_.resize(static_cast<std::size_t>(width()));
        Scanner scan{this, total_.data()};
        count(rows, m, total_.data(), scan.weight);
        for (Index k = 0; k < outputs_; ++k)
            scan.parent += side(total_.data() + k * classes_, scan.weight);
        return scan;
    }

 private:
    void count(const Row* rows, Index m, double* counts, double& total) const {
        std::fill(counts, counts + width(), 0.0);
        for (Index i = 0; i < m; ++i) {
            const double w = weight(rows[i]);
            for (Index k = 0; k < outputs_; ++k) counts[k * classes_ + of(rows[i])[k]] += w;
            total += w;
        }
    }
    double sum(const double* counts) const {
        double total = 0.0;
        for (Index c = 0; c < classes_; ++c) total += function_.f(counts[c]);
        return total;
    }
    double side(const double* counts, double weight, const double* known = nullptr) const {
        if constexpr (Function::sums)
            return function_.side(known != nullptr ? *known : sum(counts), weight);
        return function_.side(*std::max_element(counts, counts + classes_), weight);
    }

    Index outputs_, classes_;
    std::vector<std::uint32_t> codes_;
    std::vector<double> weights_;
    Function function_;
    std::vector<double> total_;  // of the node entered
};

}  // namespace stylobate::tree
