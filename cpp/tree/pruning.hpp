// Minimal cost-complexity pruning: the weakest link is cut again and again.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tree {

// Every cut in order: the node that becomes a leaf, the penalty per leaf from which on that pays,
// and the risk of the tree that is left.
struct Cuts {
    std::vector<std::int64_t> node;
    std::vector<double> alpha;
    std::vector<double> risk;
};

// `risk[i]`: what node i would cost as a leaf. Children come after their parents.
Cuts weakest_links(const std::int32_t* left, const std::int32_t* right, const double* risk,
                   Index nodes);

}  // namespace stylobate::tree
