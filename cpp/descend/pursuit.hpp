// Sparse codes found greedily, one atom at a time, from a Gram: orthogonal matching pursuit and
// least angle regression.
#pragma once

#include <vector>

#include "stylobate/parallel.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

// Regressions on the same atoms: their Gram, and row i of `xy` the products of target i with them.
struct Pursuits {
    const double* gram = nullptr;  // atoms × atoms
    const double* xy = nullptr;    // count × atoms
    Index count = 0, atoms = 0;
};

enum class Greedy {
    matching,     // the atom of the largest correlation enters, all coefficients are solved anew
    least_angle,  // coefficients move together until another atom is as correlated as they are
};

// Codes (count × atoms) of at most `most` atoms each. A code ends early once no atom is correlated
// with what is left of its target, or all that are depend on atoms it has.
std::vector<double> pursue(const Pursuits& problems, Greedy way, Index most);

}  // namespace stylobate::descend
