// Which rows each tree of a forest is grown from.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tree {

// How the rows of each tree are drawn, with replacement. The draws are those of NumPy's
// RandomState(seed): randint(0, rows, draws), or choice(rows, draws, p=…) where rows are not
// equally likely, so a forest's samples are those of scikit-learn.
struct Drawing {
    Index draws = 0;                     // 0: every tree sees all rows
    bool balanced = false;               // weigh classes by the inverse of their share of the drawn
    const double* cumulative = nullptr;  // of the rows' chances, up to 1; null: equally likely
};

// How often each row is drawn for the tree of a seed, of which the lower 32 bits count.
std::vector<std::uint32_t> drawn_counts(Index rows, const Drawing& drawing, std::uint64_t seed);

}  // namespace stylobate::tree
