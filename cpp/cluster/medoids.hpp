// k-medoids: k of the candidates, such that the points are served at the least total cost.
//
// A pass looks at the costs of all points and candidates, computed by tiles and forgotten; what is
// kept is a few numbers for each point. Blocks of candidates and segments of points depend on the
// sizes alone and are merged in order, so the answer has the same bits with any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/medoid_costs.hpp"

namespace stylobate::medoids {

// How points are served by some medoids, in whole panels of points; equally near: the first.
class Service {
 public:
    explicit Service(const Costs& costs);
    // More medoids, numbered on.
    void add(const Costs& costs, const Index* medoids, Index count);
    // Of all points: measures to costs, and Σ w · cost of the nearest.
    void settle(const Costs& costs, const double* weights);

    Index medoids() const { return medoids_; }
    double total() const { return total_; }

    std::vector<double> near, next, label;  // measures of the nearest and the second, its number
    std::vector<double> nearest, second;    // their costs; ∞ where there are too few medoids

 private:
    Index points_, medoids_ = 0;
    double total_ = 0.0;
};

// sums[c] = Σ w (cost of c − level) over the points for which the cost is below the level; the
// plain sum of w · cost where levels are null.
void sum_below(const Costs& costs, const double* levels, const double* weights, double* sums);

// BUILD of PAM: each medoid the one that lowers the total most.
std::vector<Index> build(const Costs& costs, Index k, const double* weights);

struct SwapRules {
    bool eager = true;        // the best swap of each block of candidates, or of all of them
    Index most_passes = 100;  // over the candidates
};

struct Found {
    std::vector<Index> medoids;
    std::vector<double> totals;  // before the first swap and after each
    Index passes = 0;            // over the candidates, begun
    bool settled = false;        // no swap of a medoid and a candidate lowers the total
};

// Swaps until none lowers the total: FasterPAM (eager) or FastPAM (not).
Found swap_medoids(const Costs& costs, std::vector<Index> medoids, const double* weights,
                   const SwapRules& rules);

}  // namespace stylobate::medoids
