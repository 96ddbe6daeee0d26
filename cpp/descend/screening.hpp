// Columns proved to have coefficient zero: gap-safe spheres.
#pragma once

#include <vector>

#include "descend/elastic_net.hpp"

namespace stylobate::descend {

// The best dual point θ* lies within √(2·gap) of any feasible one, because the dual objective is
// strongly concave; a column j with |xⱼᵀθ| + ‖xⱼ‖·√(2·gap) < l1 therefore has |xⱼᵀθ*| < l1, and a
// coefficient of zero at every optimum (Fercoq, Gramfort & Salmon 2015; Ndiaye et al. 2017).
// For l2 > 0 the same of the design with √l2·I below it.
class Screen {
 public:
    Screen() = default;
    // `squares`: Σω x² of the columns; `means` and `weight` of those that are centred.
    Screen(const double* squares, const std::vector<double>& means, double weight);

    // At another penalty all columns may be needed.
    void reset();

    // Drop what a sphere around the proof's dual point excludes.
    void apply(const Proof& proof, const ElasticNet& penalty, bool positive,
               double residual_squares, const std::vector<double>& w, const std::vector<double>& c);

    bool dropped(Index j) const { return dropped_[j] != 0; }
    Index count() const { return count_; }

 private:
    std::vector<double> squares_;  // of the centred columns, rounded up
    std::vector<double> errors_;   // of a product with a vector of length 1, by rounding
    std::vector<char> dropped_;
    Index count_ = 0;
};

}  // namespace stylobate::descend
