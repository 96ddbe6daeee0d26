// Minimum spanning trees under any measure of pairs: every pair is looked at once a round.
#pragma once

#include <cstdint>
#include <vector>

#include "tile/pairs.hpp"

namespace stylobate::cluster {

struct PairEdge {
    double length;
    std::int64_t from, to;
};

// Borůvka's rounds over strips. `core`: as in spanning_tree.hpp, null for none. Of equal lengths
// the edge of the smaller rows is taken. Pairs of NaN are not joined; InvalidArgument if rows are
// left apart.
std::vector<PairEdge> pair_spanning_tree(const tile::Pairs& pairs, const double* core);

}  // namespace stylobate::cluster
