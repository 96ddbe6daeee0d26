// Moments up to the fourth order of one column, with its extremes.
#pragma once

#include <limits>

#include "stylobate/views.hpp"

namespace stylobate::scan {

// Power sums about the mean are held in units of `unit`, a power of two about as large as the
// largest deviation, so that columns of order 1e±300 keep their digits.
struct Shape {
    double count = 0.0;  // finite values
    double infinite = 0.0, zeros = 0.0, negatives = 0.0;
    double low = std::numeric_limits<double>::infinity();  // of the finite values
    double high = -std::numeric_limits<double>::infinity();
    double mean = 0.0;
    double unit = 1.0;
    double squares = 0.0, cubes = 0.0, fourths = 0.0;  // Σ ((x − mean) / unit)^k

    // Absorbs n values, no NaN among them.
    void absorb(const double* values, Index n);
    void merge(const Shape& other);

 private:
    void absorb_finite(const double* values, Index n);
};

}  // namespace stylobate::scan
