#include "tree/split.hpp"

#include <algorithm>
#include <cmath>

#include "tree/cuts.hpp"

namespace stylobate::boost {
namespace {

constexpr double category_support = 10.0;  // rows a category needs to be told from the others

Sums at(const Histogram& histogram, Index slot) {
    return {histogram.gradient[slot], histogram.hessian[slot], histogram.count[slot]};
}

}  // namespace

// How far the loss falls, to second order: Σ over the children of −G·value, less the node's own.
double SplitSearch::gain(const Sums& left, const Sums& right, const NodeSums& node,
                         int direction) const {
    const double a = objective_.value(left, node.low, node.high);
    const double b = objective_.value(right, node.low, node.high);
    if ((direction > 0 && a > b) || (direction < 0 && a < b)) return -1.0;
    return (node.sums.gradient * node.value - left.gradient * a - right.gradient * b) *
           objective_.gradient_unit;
}

void SplitSearch::offer(const Histogram& histogram, Index f, const NodeSums& node,
                        Split& best) const {
    if (bins_.categorical(f))
        by_categories(histogram, f, node, best);
    else
        by_threshold(histogram, f, node, best);
}

void SplitSearch::by_threshold(const Histogram& histogram, Index f, const NodeSums& node,
                               Split& best) const {
    const Index from = f * bin_slots, count = bins_.count(f);
    const int direction =
        rules_.monotone.empty() ? 0 : rules_.monotone[static_cast<std::size_t>(f)];
    const double least = rules_.min_hessian / objective_.hessian_unit;
    const Index min_rows = rules_.min_samples_leaf;
    const Sums missing = bins_.missing(f) ? at(histogram, from + count) : Sums{};
    const bool free = direction == 0 && std::isinf(node.low) && std::isinf(node.high);
    const CutRules cuts{objective_, least, min_rows};
    const BinSums sums{histogram.gradient.data() + from, histogram.hessian.data() + from,
                       histogram.count.data() + from};
    const auto take = [&](Index b, bool missing_left, const Sums& left) {
        best.feature = static_cast<std::int32_t>(f);
        best.bin = static_cast<Bin>(b);
        best.categorical = false;
        best.missing_left = missing_left;
        best.left = left;
    };
    const auto scan = [&](bool missing_left) {
        Sums left = missing_left ? missing : Sums{};
        // with what is missing on the right, all numbers together may stand on the left
        const Index end = bins_.missing(f) && !missing_left ? count : count - 1;
        if (free) {
            const Index b = best_cut(sums, end, node, cuts, best.gain, left);
            if (b >= 0) take(b, missing_left, left);
            return;
        }
        for (Index b = 0; b < end; ++b) {
            left += at(histogram, from + b);
            const Sums right = node.sums - left;
            if (left.count < min_rows || left.hessian < least) continue;
            if (right.count < min_rows || right.hessian < least) break;
            const double found = gain(left, right, node, direction);
            if (found <= best.gain) continue;
            best.gain = found;
            take(b, missing_left, left);
        }
    };
    scan(false);
    if (bins_.missing(f)) scan(true);
}

void SplitSearch::by_categories(const Histogram& histogram, Index f, const NodeSums& node,
                                Split& best) const {
    const Index from = f * bin_slots, count = bins_.count(f);
    const Index slots = count + (bins_.missing(f) ? 1 : 0);
    const double rows_per_hessian =
        static_cast<double>(node.sums.count) / std::max(node.sums.hessian, 1e-300);
    struct Category {
        Index bin;
        double ratio;
    };
    Category order[bin_slots];
    Index used = 0;
    for (Index b = 0; b < slots; ++b) {
        const Sums s = at(histogram, from + b);
        if (s.hessian * rows_per_hessian < category_support) continue;
        // shrunk towards zero, where little is known of a category
        const double support = s.hessian * objective_.hessian_unit + category_support;
        order[used++] = {b, s.gradient * objective_.gradient_unit / support};
    }
    if (used <= 1) return;
    std::stable_sort(order, order + used,
                     [](const Category& a, const Category& b) { return a.ratio < b.ratio; });
    const double least = rules_.min_hessian / objective_.hessian_unit;
    const Index min_rows = rules_.min_samples_leaf;
    for (const bool backwards : {false, true}) {
        Sums left;
        BinSet set{};
        for (Index k = 0; k < (used + 1) / 2; ++k) {
            const Index b = order[backwards ? used - 1 - k : k].bin;
            left += at(histogram, from + b);
            include(set, b);
            const Sums right = node.sums - left;
            if (left.count < min_rows || left.hessian < least) continue;
            if (right.count < min_rows || right.hessian < least) break;
            const double found = gain(left, right, node, 0);
            if (found <= best.gain) continue;
            best.gain = found;
            best.feature = static_cast<std::int32_t>(f);
            best.categorical = true;
            best.missing_left = holds(set, count);
            best.left_bins = set;
            best.left = left;
        }
    }
}

}  // namespace stylobate::boost
