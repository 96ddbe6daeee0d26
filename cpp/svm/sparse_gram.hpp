// Products of sparse rows with each other, through lists of the rows that have an entry in a
// column: the work is a sum over columns of their squared counts, not of pairs of rows.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::svm {

// out[i · rows + j] = xᵢ·xⱼ of compressed rows, summed in double precision in the order of row i's
// (or for j < i of row j's) entries. Throws Interrupted.
template <class I>
void sparse_gram(const SparseView<double, I>& x, float* out);

}  // namespace stylobate::svm
