// Count, mean, length about the mean and extremes of every column by itself, NaN left out.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

struct ColumnMoments {
    explicit ColumnMoments(Index cols);
    std::vector<double> count, weight, mean, length, low, high;
    void merge(const ColumnMoments& other);
};

// `weights` of the rows, positive, or null. Without lengths only counts and extremes are formed.
template <class T>
ColumnMoments column_moments(const MatrixView<T>& x, const double* weights, bool with_lengths);

}  // namespace stylobate::scan
