// The best split of a node by one feature, from the feature's histogram.
#pragma once

#include "tree/boost_growth.hpp"
#include "tree/histogram.hpp"

namespace stylobate::boost {

class SplitSearch {
 public:
    SplitSearch(const BinnedRows& bins, const GrowthRules& rules, const Objective& objective)
        : bins_(bins), rules_(rules), objective_(objective) {}

    // Replaces `best` if feature f allows a larger gain.
    void offer(const Histogram& histogram, Index f, const NodeSums& node, Split& best) const;

 private:
    void by_threshold(const Histogram& histogram, Index f, const NodeSums& node, Split& best) const;
    void by_categories(const Histogram& histogram, Index f, const NodeSums& node,
                       Split& best) const;
    double gain(const Sums& left, const Sums& right, const NodeSums& node, int direction) const;

    const BinnedRows& bins_;
    const GrowthRules& rules_;
    const Objective& objective_;
};

}  // namespace stylobate::boost
