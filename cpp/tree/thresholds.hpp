// The thresholds of one column of a forest, and the places of numbers among them.
//
// With r(x) = how many distinct thresholds lie below x, and t the one of rank k,
//     x <= t  ⟺  r(x) <= k:
// those below x are the first ones, t is among them exactly if t < x. So whole numbers of 16 bits
// decide every split as the numbers themselves do.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/kernels.hpp"

namespace stylobate::tree {

// Ranks go up to their number; one more stands for missing, one for splits that send all left.
constexpr Index most_thresholds = 65533;

class Thresholds {
 public:
    Thresholds() = default;
    // Any order, with repetitions, none NaN; at most `most_thresholds` distinct ones.
    explicit Thresholds(std::vector<double> values);

    Index count() const { return count_; }
    // Of one that was given.
    std::uint16_t rank(double threshold) const;
    RankTable table() const;
    // Asks the second cache for all of it.
    void fetch() const;

 private:
    Index divide(Index trimmed, std::vector<std::uint16_t>& starts, RankTable& table) const;

    std::vector<double> values_;  // ascending, ∞ after the last
    std::vector<std::uint16_t> starts_;
    Index count_ = 0;
    Index longest_ = 0;
    double low_ = 0.0, high_ = 0.0, scale_ = 0.0;
};

}  // namespace stylobate::tree
