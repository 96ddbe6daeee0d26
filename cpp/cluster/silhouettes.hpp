// Silhouettes, diameters and separations of many clusterings of the same rows, in one pass over the
// pairs of rows.
//
// Clusterings that cut the rows along similar lines have few parts in common: the finest groups
// that all of them respect. Every distance is added once to the sum of its row and part, and the
// sums of every clustering's clusters follow from those.
#pragma once

#include <cstdint>
#include <vector>

#include "tile/strips.hpp"

namespace stylobate::cluster {

// Clusterings with common parts: row i is in part[i], which clustering l has in cluster
// labels[l · parts + part[i]]; −1 leaves the part out, as if its rows were not there.
struct PartGroup {
    Index parts = 0, count = 0;
    std::vector<unsigned> part;
    std::vector<std::int64_t> labels;
    std::vector<std::vector<double>> sizes;  // of the clusters of each clustering
};

class Clusterings {
 public:
    explicit Clusterings(Index rows) : rows_(rows) {}
    // part: of every row; labels: count × parts, numbers from 0.
    void add(const std::int64_t* part, Index parts, const std::int64_t* labels, Index count);

    Index rows() const { return rows_; }
    Index count() const { return count_; }
    const std::vector<PartGroup>& groups() const { return groups_; }

 private:
    Index rows_, count_ = 0;
    std::vector<PartGroup> groups_;
};

// Strips of the clustered rows (queries) against some of them (rows), of which the first is row
// `first`.
struct RowStrips {
    tile::Strips& strips;
    Index first = 0;
};

// out[l · rows + i] of the strips' rows: (b − a) / max(a, b), a the mean distance to the others of
// the row's cluster, b the least mean distance to another cluster; 0 for a row that is alone, NaN
// for one that is left out.
// `mapping` makes distances of the strips' values; `zero_diagonal`: that of a row and itself is 0
// whatever the measure says.
void silhouettes(const RowStrips& some, const Clusterings& all, const tile::Mapping& mapping,
                 bool zero_diagonal, double* out);

// Of every clustering the largest value of two rows of one cluster and the smallest of rows of two,
// beside those that are there already.
void extents(const RowStrips& some, const Clusterings& all, double* diameters, double* separations);

// Strips of distances that are known: distances(r, q) of row r and query q.
std::unique_ptr<tile::Strips> given_strips(const MatrixView<double>& distances);

}  // namespace stylobate::cluster
