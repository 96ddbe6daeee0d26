// All points × a block of candidates, strip by strip.
#pragma once

#include <algorithm>

#include "cluster/medoid_costs.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::medoids {

// How the points are shared out: chunks in a few segments, each of which sums for itself. Depends
// on the sizes alone.
struct Segments {
    Index points, step, chunks, count;

    // `bytes`: of what a segment keeps.
    Segments(Index n, Index bytes)
        : points(n), step(tile::chunk_queries(n)), chunks((n + step - 1) / step) {
        constexpr Index most = 16, most_bytes = Index{64} << 20;
        count = std::clamp<Index>(std::min(most, most_bytes / std::max<Index>(bytes, 1)), 1,
                                  std::max<Index>(chunks, 1));
    }
};

// Calls consume(segment, panel of the block, chunk) for every strip of candidates first … first +
// count − 1.
template <class Consume>
void over_block(tile::Strips& strips, const Segments& segments, Index first, Index count,
                const Consume& consume) {
    const Index width = tile::panel_rows<double>();
    strips.open_block(first, count);
    parallel_for(segments.count, [&](Index s, Checkpoint& checkpoint) {
        const Index end = segments.chunks * (s + 1) / segments.count;
        for (Index i = segments.chunks * s / segments.count; i < end; ++i) {
            const Index point0 = i * segments.step;
            const auto chunk =
                strips.open_chunk(point0, std::min(segments.step, segments.points - point0));
            for (Index p = 0; p * width < count; ++p) {
                strips.strip(*chunk, first + p * width);
                consume(s, p, *chunk);
                checkpoint();
            }
        }
    });
}

}  // namespace stylobate::medoids
