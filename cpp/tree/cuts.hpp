// The best cut between the bins of a feature where nothing bounds the values of the sides.
#pragma once

#include "tree/boost_growth.hpp"

namespace stylobate::boost {

struct CutRules {
    Objective objective;
    double least_hessian;  // of a side, in units
    Index least_rows;
};

// Sums of the rows in each bin.
struct BinSums {
    const double *gradient, *hessian;
    const std::int32_t* count;
};

// The first bin after which cutting gains most, more than `gain`, or −1; `left` is what stands on
// the left before the first of the n bins, and what does with the cut.
Index best_cut(const BinSums& bins, Index n, const NodeSums& node, const CutRules& rules,
               double& gain, Sums& left);

}  // namespace stylobate::boost
