// One step of expectation and maximisation of a Gaussian mixture, in one pass: rows become
// memberships, and memberships weighted sums, while a block of rows is in cache.
#pragma once

#include <vector>

#include "scan/class_scores.hpp"

namespace stylobate::cluster {

// With w the weight of a row, r its membership in component c and d = x − shift[c]:
struct MixtureSums {
    double log_likelihood = 0.0;  // Σ w log Σ_c e^score
    double entropy = 0.0;         // −Σ w Σ_c r log r
    std::vector<double> weight;   // Σ w r (components)
    std::vector<double> first;    // Σ w r d (components × p)
    std::vector<double> second;   // Σ w r d dᵀ (components × p × p), or its diagonals
};

// Rows and their weights (null: ones), and the points of the components (components × p) about
// which they are added up.
template <class T>
struct MixtureRows {
    scan::DenseFeatures<T> x;
    const double* weights;
    const double* shift;
};

// r = e^score / Σ_c e^score under a model of rows less `center`. Triangular scores give whole
// second moments, diagonal ones their diagonals. Memberships too small to change a sum are left
// out.
template <class Model, class T>
MixtureSums mixture_sums(const MixtureRows<T>& rows, const double* center, const Model& model);

// r given for every row (n × components).
template <class T>
MixtureSums membership_sums(const MixtureRows<T>& rows, const double* memberships, Index components,
                            bool diagonal);

}  // namespace stylobate::cluster
