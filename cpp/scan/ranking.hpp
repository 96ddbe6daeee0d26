// Rows ranked by their scores: areas under the ROC and the precision–recall curve, and the curves.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

// Scores, whether each row is positive (1 or 0), and its weight (nullptr for ones).
template <class T>
struct Ranked {
    const T* scores;
    const std::uint8_t* positive;
    const double* weights;
    Index rows;
};

struct RankedArea {
    bool finite = true;     // false if some score is NaN or infinite; the rest is undefined then
    double positive = 0.0;  // weight of the positive rows
    double negative = 0.0;
    double area = 0.0;
};

struct RankedCurve {
    bool finite = true;
    std::vector<double> thresholds;  // the distinct scores, highest first
    std::vector<double> positive;    // weight of the positive rows at or above each
    std::vector<double> negative;
};

// All sort in O(rows): one pass over the rows spreads them over buckets of equal depth that fit
// the cache, each of which is then treated by itself. rows < 2³¹.

// Σ weights of the pairs (positive, negative) whose scores are in the right order; ties count half.
template <class T>
RankedArea ranked_pairs(const Ranked<T>& rows);
// Σ over the thresholds, from the highest: positive weight gained × precision reached.
template <class T>
RankedArea ranked_precision(const Ranked<T>& rows);
template <class T>
RankedCurve ranked_curve(const Ranked<T>& rows);

}  // namespace stylobate::scan
