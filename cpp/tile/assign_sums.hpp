// The parts of an assignment that dense and sparse rows share: chunks, their sums, the merge.
#pragma once

#include <algorithm>
#include <cmath>

#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"
#include "tile/assign.hpp"

namespace stylobate::tile {

// Sums of one chunk of rows.
struct ChunkSums {
    Buffer rows, weight, sums;  // sums: centres × ld
    double inertia = 0.0;

    ChunkSums() = default;
    ChunkSums(Index centres, Index ld) : rows(centres), weight(centres), sums(area(centres, ld)) {}
    void count(Index label, double w, double square) {
        rows[label] += w > 0.0 ? 1.0 : 0.0;
        weight[label] += w;
        inertia += w * square;
    }
};

// Rows of a chunk: whole panels of every instruction set, and few enough chunks for their sums.
inline Index rows_per_chunk(Index rows, Index centres, Index ld) {
    constexpr Index unit = 24, usual = 128 * unit, most_chunks = 256;
    constexpr Index most_numbers = Index{1} << 25;  // of all chunks' sums together
    const Index chunks =
        std::clamp<Index>(most_numbers / std::max<Index>(area(centres, ld), 1), 1, most_chunks);
    return std::max(usual, round_up((rows + chunks - 1) / chunks, unit));
}

// body(first row, end, sums of the chunk, checkpoint) for every chunk, then their sums in order.
template <class Body>
CentreSums over_chunks(Index rows, const MatrixView<double>& centres, Index ld, const Body& body) {
    const Index step = rows_per_chunk(rows, centres.rows, ld), k = centres.rows;
    std::vector<ChunkSums> parts(static_cast<std::size_t>((rows + step - 1) / step));
    parallel_for(static_cast<Index>(parts.size()), [&](Index c, Checkpoint& checkpoint) {
        ChunkSums sums(k, ld);
        body(c * step, std::min(rows, (c + 1) * step), sums, checkpoint);
        parts[c] = std::move(sums);
    });
    CentreSums all;
    all.rows.assign(static_cast<std::size_t>(k), 0.0);
    all.weight = all.rows;
    all.deviations.assign(static_cast<std::size_t>(area(k, centres.cols)), 0.0);
    for (const ChunkSums& part : parts) {
        for (Index i = 0; i < k; ++i) {
            all.rows[i] += part.rows[i];
            all.weight[i] += part.weight[i];
            for (Index l = 0; l < centres.cols; ++l)
                all.deviations[i * centres.cols + l] += part.sums[i * ld + l];
        }
        all.inertia += part.inertia;
    }
    return all;
}

inline void put(const RowAssignments& out, Index row, Index label, double nearest, double second) {
    if (out.labels != nullptr) out.labels[row] = static_cast<std::int32_t>(label);
    if (out.nearest != nullptr) out.nearest[row] = nearest;
    if (out.second != nullptr) out.second[row] = second;
}

// Refuses what cannot be assigned.
void check_centres(Index columns, const MatrixView<double>& centres);

}  // namespace stylobate::tile
