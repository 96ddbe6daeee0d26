// A step of k-means++: what candidates for the next centre would leave of the rows' distances.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::cluster {

struct BestCandidate {
    Index which = 0;
    std::vector<double> closest;  // squared distances of all rows to the nearest centre then
    double potential = 0.0;       // Σ w · these
};

// candidates: rows of x; closest: of the centres so far, or null. Of equal potentials the first.
template <class T>
BestCandidate best_candidate(const MatrixView<T>& x, const double* weights,
                             const std::vector<Index>& candidates, const double* closest);

}  // namespace stylobate::cluster
