// Absolute errors: a node's value is its weighted median, a split's worth what the two medians
// save.
//
// Both sides are kept as Fenwick trees over the node's distinct targets, so that moving a row and
// finding a median take O(log m): O(m log m) for a column.
#pragma once

#include "tree/criteria.hpp"

namespace stylobate::tree {

// Weights and weighted values at places 1 … size, summed in a Fenwick tree.
class MedianTree {
 public:
    struct Sum {
        double weight, value;
    };
    MedianTree(Sum* sums, Index size) : sums_(sums), size_(size) {}

    void add(Index place, double weight, double value) {
        for (Index k = place; k <= size_; k += k & -k) {
            sums_[k].weight += weight;
            sums_[k].value += weight * value;
        }
    }
    // The first place up to which there is more than `weight` (or at least as much), and the sums
    // before it.
    Index reach(double weight, bool more, Sum& before) const {
        before = {0.0, 0.0};
        Index at = 0, step = 1;
        while (2 * step <= size_) step *= 2;
        for (; step > 0; step /= 2) {
            if (at + step > size_) continue;
            const double up_to = before.weight + sums_[at + step].weight;
            if (more ? up_to <= weight : up_to < weight) {
                at += step;
                before = {up_to, before.value + sums_[at].value};
            }
        }
        return std::min(at + 1, size_);
    }
    // Σ w |y − median| of what is in the tree, and a median.
    double deviation(const double* values, double weight, double value) const {
        Sum below;
        const double median = values[reach(0.5 * weight, false, below) - 1];
        return median * below.weight - below.value + (value - below.value) -
               median * (weight - below.weight);
    }
    double median(const double* values, double weight) const {
        Sum below;
        const double low = values[reach(0.5 * weight, false, below) - 1];
        return 0.5 * (low + values[reach(0.5 * weight, true, below) - 1]);
    }

 private:
    Sum* sums_;
    Index size_;
};

class Medians {
 public:
    Medians(Index outputs, std::vector<double> y, std::vector<double> weights)
        : outputs_(outputs), y_(std::move(y)), weights_(std::move(weights)), places_(y_.size()) {}

    Medians take(const Row* rows, Index m) const {
        return {outputs_, taken(y_, rows, m, outputs_), taken(weights_, rows, m)};
    }
    Index width() const { return outputs_; }
    double weight(Row row) const { return weights_.empty() ? 1.0 : weights_[row]; }
    double of(Row row, Index k) const { return y_[static_cast<std::size_t>(row * outputs_ + k)]; }
    Index keys() const { return outputs_; }
    void key(Row row, double* out) const {
        for (Index k = 0; k < outputs_; ++k) out[k] = of(row, k);
    }

    NodeStatistics statistics(const Row* rows, Index m, double* value) const {
        NodeStatistics node;
        for (Index i = 0; i < m; ++i) node.weight += weight(rows[i]);
        std::vector<Row> order(rows, rows + m);
        double sum = 0.0;
        for (Index k = 0; k < outputs_; ++k) {
            std::sort(order.begin(), order.end(),
                      [&](Row a, Row b) { return of(a, k) < of(b, k); });
            node.pure = node.pure && of(order.front(), k) == of(order.back(), k);
            value[k] = sorted_median(order, k, node.weight);
            for (const Row row : order) sum += weight(row) * std::fabs(of(row, k) - value[k]);
        }
        node.impurity = sum / (node.weight * static_cast<double>(outputs_));
        return node;
    }

    using Sum = MedianTree::Sum;

    struct Output {
        std::vector<double> values;  // distinct, increasing
        std::vector<Sum> full;       // the tree of all rows of the node
        double centre = 0.0, total = 0.0, parent = 0.0;
    };

    struct Scanner {
        const Medians* labels;
        double weight = 0.0, parent = 0.0;
        Sum* left = nullptr;  // for each output a tree of the left rows and one of the right
        double* left_sum = nullptr;
        double left_weight = 0.0;

        void start(Workspace& space) {
            const auto& outputs = labels->entered_;
            std::size_t size = 0;
            for (const auto& each : outputs) size += 2 * each.full.size();
            space.assign(2 * size + outputs.size(), 0.0);
            left = reinterpret_cast<Sum*>(space.data());
            left_sum = space.data() + 2 * size;
            Sum* at = left;
            for (const auto& each : outputs) {
                std::copy(each.full.begin(), each.full.end(), at + each.full.size());
                at += 2 * each.full.size();
            }
            left_weight = 0.0;
        }
        void add(Row row) {
            const double w = labels->weight(row);
            const auto& outputs = labels->entered_;
            Sum* at = left;
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                const auto& each = outputs[k];
                const auto size = static_cast<Index>(each.full.size());
                const Index place = labels->places_[row * outputs.size() + k];
                const double value = each.values[static_cast<std::size_t>(place - 1)];
                MedianTree(at, size - 1).add(place, w, value);
                MedianTree(at + size, size - 1).add(place, -w, value);
                left_sum[k] += w * value;
                at += 2 * size;
            }
            left_weight += w;
        }
        double weight_left(Index) const { return left_weight; }
        double gain(Index, Index) const {
            double sum = 0.0;
            const auto& outputs = labels->entered_;
            Sum* at = left;
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                const auto& each = outputs[k];
                const auto size = static_cast<Index>(each.full.size());
                const double* const values = each.values.data();
                sum += MedianTree(at, size - 1).deviation(values, left_weight, left_sum[k]) +
                       MedianTree(at + size, size - 1)
                           .deviation(values, weight - left_weight, each.total - left_sum[k]);
                at += 2 * size;
            }
            return -sum;
        }
        double decrease(double gain) const {
            return (gain + parent) / static_cast<double>(labels->outputs_);
        }
        double value_left(Index) const { return median(left, left_weight); }
        double value_right(Index) const {
            return median(left + labels->entered_[0].full.size(), weight - left_weight);
        }

     private:
        double median(Sum* tree, double of) const {
            const auto& first = labels->entered_[0];
            const MedianTree side(tree, static_cast<Index>(first.full.size()) - 1);
            return first.centre + side.median(first.values.data(), of);
        }
    };

    Scanner enter(const Row* rows, Index m) {
        entered_.assign(static_cast<std::size_t>(outputs_), {});
        Scanner scan{this};
        for (Index i = 0; i < m; ++i) scan.weight += weight(rows[i]);
        std::vector<Row> order(rows, rows + m);
        for (Index k = 0; k < outputs_; ++k) {
            auto& each = entered_[static_cast<std::size_t>(k)];
            std::sort(order.begin(), order.end(), [&](Row a, Row b) {
                return of(a, k) != of(b, k) ? of(a, k) < of(b, k) : a < b;
            });
            each.centre = sorted_median(order, k, scan.weight);  // small numbers lose little
            for (const Row row : order) {
                const double value = of(row, k) - each.centre;
                if (each.values.empty() || each.values.back() != value)
                    each.values.push_back(value);
                places_[static_cast<std::size_t>(row * outputs_ + k)] =
                    static_cast<std::uint32_t>(each.values.size());
            }
            each.full.assign(each.values.size() + 1, Sum{0.0, 0.0});
            MedianTree full(each.full.data(), static_cast<Index>(each.values.size()));
            for (const Row row : order) {
                const Index place = places_[static_cast<std::size_t>(row * outputs_ + k)];
                const double value = each.values[static_cast<std::size_t>(place - 1)];
                full.add(place, weight(row), value);
                each.total += weight(row) * value;
                scan.parent += weight(row) * std::fabs(value);
            }
        }
        return scan;
    }

 private:
    double sorted_median(const std::vector<Row>& order, Index k, double total) const {
        double below = 0.0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            below += weight(order[i]);
            if (below < 0.5 * total) continue;
            const double here = of(order[i], k);
            if (below > 0.5 * total || i + 1 == order.size()) return here;
            return 0.5 * (here + of(order[i + 1], k));
        }
        return of(order.back(), k);
    }

    Index outputs_;
    std::vector<double> y_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> places_;  // of the node's targets among themselves
    std::vector<Output> entered_;
};

}  // namespace stylobate::tree
