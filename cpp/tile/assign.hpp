// Every row goes to its nearest centre and is added to that centre's sums, in one pass: a step of
// k-means. Chunks of rows depend on the shapes alone and are merged in order, so that the sums have
// the same bits with any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "tile/packed_rows.hpp"

namespace stylobate::tile {

// Where to write what is known of each row; null: not wanted. Distances are squared; the second is
// that to the next nearest centre (∞ where there is one centre).
struct RowAssignments {
    std::int32_t* labels = nullptr;
    double* nearest = nullptr;
    double* second = nullptr;
};

// Of the rows of each centre: how many have a positive weight, Σw, and Σ w (x − centre), which
// keeps the digits of tight clusters far from the origin; inertia = Σ w ‖x − centre‖² of all.
struct CentreSums {
    std::vector<double> rows, weight;
    std::vector<double> deviations;  // centres × columns
    double inertia = 0.0;
};

// weights: one for each row, or null for ones. Equally near centres: the first. A row with NaN goes
// to centre 0 and makes the inertia infinite or NaN.
template <class T>
CentreSums assign(const MatrixView<T>& x, const double* weights, const MatrixView<double>& centres,
                  const RowAssignments& out);

// The same of rows packed for Measure::squared, which saves the packing of every pass but one.
template <class T>
CentreSums assign(const PackedRows<T>& x, const double* weights, const MatrixView<double>& centres,
                  const RowAssignments& out);

// The same of compressed rows without entries for one column twice.
template <class I>
CentreSums assign(const SparseView<double, I>& x, const double* weights,
                  const MatrixView<double>& centres, const RowAssignments& out);

}  // namespace stylobate::tile
