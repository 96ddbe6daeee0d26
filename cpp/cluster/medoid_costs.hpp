// Points, candidates, and what it costs to serve a point by a candidate: a dissimilarity of two
// rows, computed by tiles when it is looked at, or an entry of a matrix that is given.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tile/pairs.hpp"

namespace stylobate::medoids {

class Costs {
 public:
    // `by_point`: queries are the points, rows the candidates; `by_candidate`: the other way round.
    // `finish` must increase, with finish(0) = 0. `own`: the candidate each point is itself, whose
    // cost is 0 by definition; empty where the measure says so.
    Costs(tile::Pairs by_point, tile::Pairs by_candidate, const tile::Mapping& finish,
          std::vector<Index> own);
    // A matrix of points × candidates, which must outlive this.
    template <class T>
    explicit Costs(const MatrixView<T>& matrix);

    Index points() const { return points_; }
    Index candidates() const { return candidates_; }
    // Whether strips hold squares of the costs.
    bool root() const { return root_; }
    void finish(const double* measures, Index n, double* costs) const;
    // The measure below which a cost is below the level.
    double measure_of(double level) const {
        return root_ ? (level < 0 ? -1 : level * level) : level;
    }

    std::unique_ptr<tile::Strips> point_strips() const { return point_strips_(); }
    // Queries are these candidates, rows the points; the list must outlive the strips.
    std::unique_ptr<tile::Strips> candidate_strips(const Index* which, Index count) const {
        return candidate_strips_(which, count);
    }

 private:
    Index points_, candidates_;
    bool root_ = false;
    std::function<std::unique_ptr<tile::Strips>()> point_strips_;
    std::function<std::unique_ptr<tile::Strips>(const Index*, Index)> candidate_strips_;
};

}  // namespace stylobate::medoids
