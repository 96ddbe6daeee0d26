#include "tree/cuts.hpp"

#include <algorithm>

#include "tree/kernels.hpp"

namespace stylobate::boost {
namespace {

constexpr Index chains = 4;  // of additions side by side: each waits for the one before

// Running sums. Whole numbers, so that any order of the additions gives the same.
template <class T>
void running_sums(const T* from, Index n, T start, T* to) {
    const Index length = n / chains;
    T sums[chains] = {start};
    for (Index k = 0; k < length; ++k)
        for (Index c = 0; c < chains; ++c) to[c * length + k] = sums[c] += from[c * length + k];
    for (Index c = 1; c < chains; ++c) {
        const T before = length > 0 ? to[c * length - 1] : start;
        for (Index k = c * length; k < (c + 1) * length; ++k) to[k] += before;
    }
    for (Index k = chains * length; k < n; ++k) to[k] = (k > 0 ? to[k - 1] : start) + from[k];
}

struct Running {
    double gradient[bin_slots], hessian[bin_slots];
    std::int32_t count[bin_slots];
};

// The cuts that leave enough on both sides: sums of counts and Hessians never fall.
Range allowed_cuts(const Running& sums, Index n, const Sums& all, const CutRules& rules) {
    const auto first = [n](const auto& holds) {
        Index low = 0, high = n;
        while (low < high) {
            const Index middle = (low + high) / 2;
            (holds(middle) ? high : low) = holds(middle) ? middle : middle + 1;
        }
        return low;
    };
    const Index begin = first([&](Index b) {
        return sums.count[b] >= rules.least_rows && sums.hessian[b] >= rules.least_hessian;
    });
    const Index end = first([&](Index b) {
        return all.count - sums.count[b] < rules.least_rows ||
               all.hessian - sums.hessian[b] < rules.least_hessian;
    });
    return {begin, std::max(begin, end)};
}

}  // namespace

Index best_cut(const BinSums& bins, Index n, const NodeSums& node, const CutRules& rules,
               double& gain, Sums& left) {
    Running sums;
    running_sums(bins.count, n, static_cast<std::int32_t>(left.count), sums.count);
    running_sums(bins.hessian, n, left.hessian, sums.hessian);
    const Range range = allowed_cuts(sums, n, node.sums, rules);
    if (range.size() == 0) return -1;
    running_sums(bins.gradient, n, left.gradient, sums.gradient);
    const auto [unit, hessian_unit, l2] = rules.objective;
    const CutGains all{node.sums.gradient,
                       node.sums.hessian,
                       node.sums.gradient * node.value,
                       unit,
                       hessian_unit,
                       l2};
    const Index best =
        tree::kernels().best_gain(sums.gradient, sums.hessian, range.begin, range.end, all, gain);
    if (best >= 0) left = {sums.gradient[best], sums.hessian[best], sums.count[best]};
    return best;
}

}  // namespace stylobate::boost
