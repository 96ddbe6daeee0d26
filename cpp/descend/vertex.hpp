// Sums of piecewise linear losses, minimised exactly by descent from vertex to vertex.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::descend {

// min over θ of Σᵢ max(lowᵢ rᵢ, highᵢ rᵢ) with r = y − Aθ and low ≤ high: quantile and absolute
// losses, ℓ1 penalties (a row e_j with y = 0), one-sided penalties. A is row-major, without holes.
struct PiecewiseLinear {
    const double* a;
    Index rows, cols;
    const double *y, *low, *high;
};

// A vertex: `cols` rows whose residuals are zero. `dual` has one entry per row, lowᵢ ≤ dualᵢ ≤
// highᵢ and Aᵀdual = 0 where `optimal`.
struct Vertex {
    std::vector<double> theta, dual;
    std::vector<Index> basis;
    Index pivots = 0;
    bool optimal = false;
};

// `basis`: the rows that hold the first vertex; the number rows + j stands for the artificial row
// θ_j = 0 of no cost, so that basis = rows … rows + cols − 1 starts from θ = 0. An artificial row
// left in the last basis marks a direction the data say nothing about.
Vertex descend_by_vertices(const PiecewiseLinear& problem, std::vector<Index> basis,
                           Index max_pivots);

}  // namespace stylobate::descend
