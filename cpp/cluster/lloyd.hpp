// Lloyd's iterations on dense rows, with or without bounds that spare distances.
//
// Every way gives the same bits. The label of a row is the first centre of least ‖x − c‖² as
// squared_distance computes it: what is dropped by a product of low precision, or by the triangle
// inequality, is farther by more than rounding. The sums follow the labels in the order of the
// rows, whatever the number of threads; the last ones are added up afresh.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::cluster {

// full: every row is measured against every centre. hamerly: one bound for each row, of how much
// nearer its centre is than all others. yinyang: besides one for each group of centres. elkan: one
// for each centre.
enum class Way { full, hamerly, yinyang, elkan };

struct LloydOptions {
    Index max_iter = 300;
    double tol = 0.0;  // of Σ ‖shift of a centre‖²
    Way way = Way::hamerly;
};

struct LloydRun {
    std::vector<double> centres;  // k × columns
    std::vector<std::int32_t> labels;
    double inertia = 0.0;  // NaN or ∞: the rows are not finite, or too large
    Index iterations = 0;
    bool strict = false;        // no row changed its centre in the last iteration
    std::vector<double> trace;  // inertia about the new centres, iteration by iteration
    double measured = 0.0;      // distances computed, in all
};

// The columns of a row must lie side by side. Centres of single-precision rows are rounded to it.
template <class T>
LloydRun lloyd(const MatrixView<T>& x, const double* weights, const MatrixView<double>& start,
               const LloydOptions& options);

}  // namespace stylobate::cluster
