// Kernels of pairs: measures of the rows and what becomes of them, tile by tile.
//
// A kernel is written in postfix order: each step takes tiles of values from a stack and puts one
// back. e^(−γ‖x − y‖²) + (x·y)² is: measure 0, map exponential; measure 1, map polynomial; add.
#pragma once

#include "tile/strips.hpp"

namespace stylobate::tile {

struct KernelStep {
    enum class Kind : int {
        measure,   // puts the values of measure `which`
        constant,  // puts `mapping.a`
        map,       // of the last tile
        add,       // the last two
        multiply,
        factors,  // the last tile times f(x) f(y) of factors `which`
    };
    Kind kind = Kind::measure;
    Index which = 0;
    Mapping mapping = {};
};

// A number for each query (before any selection) and for each row.
struct PairFactors {
    std::vector<double> queries, rows;
};

struct KernelForm {
    std::vector<KernelStep> steps;
    std::vector<PairFactors> factors;
};

// Throws InvalidArgument unless the steps leave exactly one tile and name measures and factors
// that exist.
void check_form(const KernelForm& form, Index measures);

// Strips of a checked form. Each measure is computed once, however often it is used. `which`: the
// queries the measures were selected by, or null.
std::unique_ptr<Strips> kernel_strips(std::vector<std::unique_ptr<Strips>> measures,
                                      KernelForm form, const Index* which);

}  // namespace stylobate::tile
