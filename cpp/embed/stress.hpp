// Stress of points that should lie as far apart as dissimilarities say, and its gradient.
#pragma once

#include <cstdint>

#include "stylobate/views.hpp"

namespace stylobate::stress {

// m points against n fixed ones (the same m = n points: each pair is then seen from both sides).
struct Task {
    const double* moving;  // m × k, row-major
    const double* fixed;   // n × k, row-major
    Index m, n, k;
    MatrixView<double> delta;           // m × n, rows contiguous; NaN: unknown
    const MatrixView<double>* weights;  // like delta, or null
};

// half: m × k, half the gradient of Σ_j w (d − δ)² of each point; rows: m × 2, that sum and Σ w d².
void stress_gradient(const Task& task, double* half, double* rows);

// The increasing sequence nearest to y (pool adjacent violators), in place.
void isotonic(double* y, const double* weights, Index n);

// Pairs of points in the order of their dissimilarities; equal ones form a group.
struct OrderedPairs {
    const std::int32_t *first, *second;
    Index count;
    const std::int64_t* ends;  // of the groups
    Index groups;
};

// Disparities: the increasing function of the dissimilarities nearest to the distances, scaled so
// that the mean of their squares over all n (n − 1) / 2 pairs is 1; written to both halves of the
// n × n matrix, whose other entries are left alone.
void disparities(const OrderedPairs& pairs, const double* x, Index n, Index k, double* matrix);

}  // namespace stylobate::stress
