// Weighted count, mean and spread of the rows of each class, in one pass over rows in any order.
#pragma once

#include <vector>

#include "scan/rows.hpp"

namespace stylobate::scan {

// Rows with the number of their class, 0 … classes − 1, and weights (null: ones).
template <class Features>
struct LabelledRows {
    Features x;
    const double* codes;
    const double* weights;
    Index classes;
};

struct ClassMoments {
    std::vector<double> n_rows;   // classes: rows of positive weight
    std::vector<double> weight;   // classes
    std::vector<double> mean;     // classes × p
    std::vector<double> scatter;  // classes × p, or p × p
};

// Scatter: Σ w (x − m_c)² of every class and column (classes × p).
template <class Features>
ClassMoments diagonal_class_moments(const LabelledRows<Features>& rows);

// Scatter: Σ_c Σ w (x − m_c)(x − m_c)ᵀ, all classes together (p × p), both halves.
template <class Features>
ClassMoments pooled_class_moments(const LabelledRows<Features>& rows);

// Plain sums Σ w x in `mean` (classes × p); no scatter. Compressed rows stay compressed.
template <class Features>
ClassMoments class_sums(const LabelledRows<Features>& rows);

}  // namespace stylobate::scan
