// Which instructions this machine has, and the kernels compiled for them.
//
// Every file named *.kernel.cpp is compiled once per instruction set, inside the namespace that
// STYLOBATE_ISA names. Each engine has a table of its own (scan/kernels.hpp, tile/kernels.hpp …),
// whose kernels() picks the best set once.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate {

enum class Isa { base, avx2, avx512, vnni };  // each has all the former have

// The best instruction set of this machine (STYLOBATE_ISA=base|avx2|avx512|vnni asks for
// a lesser one).
Isa isa();
const char* isa_name();
bool machine_has(Isa which);

}  // namespace stylobate
