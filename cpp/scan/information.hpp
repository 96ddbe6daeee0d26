// Mutual information by nearest neighbours: the means of digamma functions of neighbour counts.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

// ψ at the whole numbers 0 … n (entry 0 is never read), so that the core needs no special
// functions.
using Digamma = const double*;

// Kraskov, Stögbauer & Grassberger (2004), first estimator: for every column x the mean over the
// rows of ψ(nₓ + 1) + ψ(n_y + 1), where n counts the other rows strictly nearer, in that coordinate
// alone, than the k-th nearest row in the larger of both distances. 1 ≤ k < rows.
std::vector<double> joint_neighbour_counts(const MatrixView<double>& x, const double* y, Index k,
                                           Digamma digamma);

// Ross (2014): for every column x the mean of ψ(m), where m counts the rows of any class (itself
// among them) strictly nearer than the k-th nearest of the row's own class; classes of c rows use
// min(k, c − 1). Every class has at least two rows; codes lie in [0, classes).
std::vector<double> class_neighbour_counts(const MatrixView<double>& x, const Index* codes,
                                           Index classes, Index k, Digamma digamma);

}  // namespace stylobate::scan
