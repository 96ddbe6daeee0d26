// Passes over rows and histograms, on all threads where there is enough to do.
#pragma once

#include "stylobate/parallel.hpp"

namespace stylobate::boost {

// Steps (a row's bin read, a row parted, a bin of a histogram looked at) that take as long as
// calling another thread and waiting for it, twice over.
constexpr Index few_steps = Index{1} << 16;

// As parallel_for, on this thread alone where there is little to do.
template <class Body>
void share(Index count, Index steps, const Body& body) {
    if (steps > few_steps) return parallel_for(count, body);
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {
        for (Index c = 0; c < count; ++c) body(c, checkpoint);
    });
}

}  // namespace stylobate::boost
