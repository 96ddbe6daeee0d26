// Rules of growth, sums of nodes and splits of them: what split.cpp and grow.cpp share.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "tree/bins.hpp"

namespace stylobate::boost {

struct GrowthRules {
    Index max_leaves = 31;  // 0: any number
    Index max_depth = 0;    // 0: any
    Index min_samples_leaf = 20;
    double l2 = 0.0;
    double min_hessian = 1e-3;          // in a leaf
    double feature_share = 1.0;         // of the features a node may look at, chosen at random
    bool depth_wise = false;            // level by level; else always the split of largest gain
    std::vector<std::int8_t> monotone;  // per feature −1, 0, 1; empty: all 0
    std::vector<std::vector<std::uint8_t>> together;  // sets of features (as masks) that may meet
                                                      // on a path; empty: all
    std::uint64_t seed = 0;
};

// Sums over the rows of a node, in the histograms' units.
struct Sums {
    double gradient = 0.0, hessian = 0.0;
    Index count = 0;

    Sums& operator+=(const Sums& other) {
        gradient += other.gradient;
        hessian += other.hessian;
        count += other.count;
        return *this;
    }
    friend Sums operator-(Sums a, const Sums& b) {
        a.gradient -= b.gradient;
        a.hessian -= b.hessian;
        a.count -= b.count;
        return a;
    }
};

using BinSet = std::array<std::uint64_t, 4>;

inline bool holds(const BinSet& set, Index bin) {
    return (set[static_cast<std::size_t>(bin / 64)] >> (bin % 64) & 1u) != 0;
}
inline void include(BinSet& set, Index bin) {
    set[static_cast<std::size_t>(bin / 64)] |= std::uint64_t{1} << (bin % 64);
}

struct Split {
    double gain = 0.0;  // ≤ 0: there is none
    std::int32_t feature = -1;
    Bin bin = 0;  // the last to the left, of a split by threshold
    bool categorical = false;
    bool missing_left = false;
    BinSet left_bins{};  // bins that go left, the missing one among them
    Sums left;
};

// What a node's split is sought with.
struct NodeSums {
    Sums sums;
    double value = 0.0;  // the step that lowers the loss most, within the bounds
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

// Units of the sums, and the optimal value and decrease of a set of rows.
struct Objective {
    double gradient_unit = 1.0, hessian_unit = 1.0, l2 = 0.0;

    double value(const Sums& s, double low, double high) const {
        const double step = -s.gradient * gradient_unit / (s.hessian * hessian_unit + l2 + 1e-15);
        return step < low ? low : step > high ? high : step;
    }
};

}  // namespace stylobate::boost
