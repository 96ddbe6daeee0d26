// Symmetric matrices held in full: their products read one half, their symmetry is measured.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::scan {

// n × n numbers, row after row.
struct SquareMatrix {
    const double* data;
    Index order;
};

// out = A V (n × columns, row after row), or (A ∘ A) V; only entries on and below the diagonal of
// blocks are read, so A must be symmetric.
void symmetric_product(SquareMatrix a, bool squared, const double* v, Index columns, double* out);

struct Symmetry {
    double least, most;  // entries, NaN left out; 0 is among them
    double worst;        // largest difference to the transpose; ∞ where one of two entries is NaN
};
Symmetry symmetry(SquareMatrix a);

}  // namespace stylobate::scan
