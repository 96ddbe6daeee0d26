// Trees of rows that answer what nearest.hpp and within.hpp answer, with the same numbers, while
// they look at few of the rows.
#pragma once

#include <memory>
#include <vector>

#include "tile/measure.hpp"
#include "tile/nearest.hpp"
#include "tile/within.hpp"

namespace stylobate::tile {

struct TreeMetric {
    Measure measure = Measure::squared;
    double p = 2.0;
    std::vector<double> weights;  // of the columns, or none
};

// Queries null: the tree's own rows.
class Tree {
 public:
    virtual ~Tree() = default;
    virtual Index rows() const = 0;
    virtual Index cols() const = 0;
    virtual void nearest(const MatrixView<double>* queries, const Nearest& wish, double* values,
                         std::int64_t* rows) const = 0;
    virtual Lists within(const MatrixView<double>* queries, const Within& wish) const = 0;
    // The hits of a query come from one thread, in an order that depends on the rows alone.
    virtual void visit(const MatrixView<double>* queries, const Within& wish,
                       const Hit& hit) const = 0;
    virtual void count(const MatrixView<double>* queries, const Within& wish,
                       std::int64_t* counts) const = 0;
};

// squared, manhattan, chebyshev and power: what splits into columns.
std::unique_ptr<Tree> kd_tree(const MatrixView<double>& x, const TreeMetric& metric);
// Also canberra, hamming, haversine and, of rows without negative numbers, ruzicka; power with
// p ≥ 1: what obeys the triangle inequality, or grows with what does.
std::unique_ptr<Tree> ball_tree(const MatrixView<double>& x, const TreeMetric& metric);

}  // namespace stylobate::tile
