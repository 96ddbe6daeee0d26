// Weighted count, mean and centred scatter of the columns of [X, Y], in one pass.
#pragma once

#include <vector>

#include "scan/rows.hpp"

namespace stylobate::scan {

// n = Σw, m = Σ w z / n, S = Σ w (z − m)(z − m)ᵀ for the rows z of [X, Y].
struct Moments {
    Index n_rows = 0;  // rows of positive weight
    double weight = 0.0;
    std::vector<double> mean;     // q
    std::vector<double> scatter;  // q × q, symmetric, both halves
};

template <class Features>
Moments moments(const Rows<Features>& rows);

// Rows first … last − 1.
struct Part {
    Index first = 0, last = 0;
};

// The moments of each part as if it were alone, all parts in one parallel loop.
template <class Features>
std::vector<Moments> moments_of_parts(const Rows<Features>& rows, const std::vector<Part>& parts);

}  // namespace stylobate::scan
