// Count, mean, length about the mean and extremes of every column by itself, NaN left out.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

struct ColumnMoments {
    explicit ColumnMoments(Index cols);
    std::vector<double> count, weight, mean, length, low, high;
    std::vector<double> rest;  // what the mean lacks: far from 0, differences of means need it
    void merge(const ColumnMoments& other);
    void finish();  // adds the rest to the mean
};

// `weights` of the rows, at least 0, or null; a row of weight 0 is no row. Without lengths only
// counts and extremes are formed.
template <class T>
ColumnMoments column_moments(const MatrixView<T>& x, const double* weights, bool with_lengths);

}  // namespace stylobate::scan
