// The sweep operator on several matrices at once: columns of a regression go in and out.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::descend {

// Moments of a training and a validation part, q × q each, in the coordinates of a set of columns
// (see feature_selection/sweeps.py). `validation` may be null.
struct Swept {
    double* training;
    double* validation;
    Index q;
};

// Column k goes in (or out); q numbers of work space twice.
void flip(const Swept& state, Index k, bool goes_in, double* column, double* share);

// Residual sum of squares of target y (a column number) on the training rows, and on the validation
// rows, if column k were flipped.
double training_squares(const Swept& state, Index k, Index y);
double validation_squares(const Swept& state, Index k, Index y);

}  // namespace stylobate::descend
