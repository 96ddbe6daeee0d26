// Work on the examples of a batch in blocks that do not depend on the threads.
#pragma once

#include <algorithm>
#include <vector>

#include "stylobate/parallel.hpp"
#include "stylobate/views.hpp"

namespace stylobate::network {

// body(first, end) for blocks of examples of so many entries each
template <class Body>
void over_examples(Index n, Index entries, const Body& body) {
    constexpr Index chunk_entries = 1 << 14;
    const Index per = std::max<Index>(1, chunk_entries / std::max<Index>(1, entries));
    parallel_for((n + per - 1) / per, [&](Index chunk, Checkpoint& checkpoint) {
        checkpoint();
        body(chunk * per, std::min(n, (chunk + 1) * per));
    });
}

// `size` sums over all examples: add(example, sums of its part); parts are added in their order.
template <class Add>
std::vector<double> summed_examples(Index n, Index size, const Add& add) {
    constexpr Index most_parts = 16;  // held at a time, whatever the threads
    const Index per = std::max<Index>(1, (n + most_parts - 1) / most_parts);
    const Index parts = (n + per - 1) / per;
    std::vector<double> sums(static_cast<std::size_t>(std::max<Index>(1, parts) * size), 0.0);
    parallel_for(parts, [&](Index part, Checkpoint& checkpoint) {
        for (Index example = part * per; example < std::min(n, (part + 1) * per); ++example) {
            if (example % 64 == 0) checkpoint();
            add(example, sums.data() + part * size);
        }
    });
    for (Index part = 1; part < parts; ++part)
        for (Index k = 0; k < size; ++k)
            sums[static_cast<std::size_t>(k)] += sums[static_cast<std::size_t>(part * size + k)];
    sums.resize(static_cast<std::size_t>(size));
    return sums;
}

}  // namespace stylobate::network
