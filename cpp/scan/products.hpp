// Products of the rows with a vector, and of their transpose: two passes that any layout can make.
#pragma once

#include "scan/rows.hpp"

namespace stylobate::scan {

// out[k] = xₖ·coef + intercept
template <class Features>
void row_values(const Features& x, const double* coef, double intercept, double* out);

// out = Σₖ factor[k]·xₖ; a row of factor 0 is not looked at closely
template <class Features>
void column_sums(const Features& x, const double* factor, double* out);

}  // namespace stylobate::scan
