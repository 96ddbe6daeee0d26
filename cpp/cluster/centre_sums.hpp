// Sums of the rows of each centre: afresh, or from the rows that changed their centre.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/centres.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {

inline void add_rows(const double* x, Index stride, const std::int32_t* labels, const double* w,
                     Index rows, Index p, const double* centres, double* sums) {
    kernels().add_rows_f64(x, stride, labels, w, rows, p, centres, sums);
}
inline void add_rows(const float* x, Index stride, const std::int32_t* labels, const double* w,
                     Index rows, Index p, const double* centres, double* sums) {
    kernels().add_rows_f32(x, stride, labels, w, rows, p, centres, sums);
}

// Asks for a row that is read soon, out of order.
template <class T>
void prefetch_row(const MatrixView<T>& x, Index row) {
    const char* const start = reinterpret_cast<const char*>(x.row(row));
    const Index bytes = std::min<Index>(x.cols * static_cast<Index>(sizeof(T)), 1024);
    for (Index b = 0; b < bytes; b += 64) __builtin_prefetch(start + b);
}

// A row that goes from one centre to another.
struct Change {
    Index row;
    std::int32_t from, to;
};

// Of the rows of each centre: how many have a positive weight, Σw, and Σ w (x − reference), the
// reference a row for each centre.
struct CentreSums {
    std::vector<Index> rows;
    std::vector<double> weight, deviations;

    CentreSums() = default;
    CentreSums(Index k, Index p)
        : rows(static_cast<std::size_t>(k)),
          weight(static_cast<std::size_t>(k)),
          deviations(static_cast<std::size_t>(area(k, p))) {}

    void add(const CentreSums& other) {
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += other.rows[i];
        for (std::size_t i = 0; i < weight.size(); ++i) weight[i] += other.weight[i];
        for (std::size_t i = 0; i < deviations.size(); ++i) deviations[i] += other.deviations[i];
    }

    template <class T>
    void add_chunk(const MatrixView<T>& x, const double* w, const std::int32_t* labels, Index begin,
                   Index end, const double* reference) {
        for (Index i = begin; i < end; ++i) {
            const double each = w == nullptr ? 1.0 : w[i];
            rows[labels[i]] += each > 0.0 ? 1 : 0;
            weight[labels[i]] += each;
        }
        add_rows(x.row(begin), x.row_stride, labels + begin, w == nullptr ? nullptr : w + begin,
                 end - begin, x.cols, reference, deviations.data());
    }
};

// Rows of a chunk, from the shapes alone: chunks hold sums of their own while they are at work.
// Whole panels of every instruction set.
inline Index rows_per_chunk(Index rows, Index k, Index p) {
    constexpr Index usual = 3072, most_chunks = 256, most_numbers = Index{1} << 22;
    const Index chunks =
        std::clamp<Index>(most_numbers / std::max<Index>(area(k, p), 1), 2, most_chunks);
    return std::max(usual, tile::round_up((rows + chunks - 1) / chunks, 48));
}

// body(first row, end, its number, checkpoint) for every chunk.
template <class Body>
void over_rows(Index rows, Index step, const Body& body) {
    parallel_for((rows + step - 1) / step, [&](Index c, Checkpoint& checkpoint) {
        body(c * step, std::min(rows, (c + 1) * step), c, checkpoint);
    });
}

// Takes rows from the sums of their old centres to those of the new ones, in the order of the rows.
// Each part has centres of its own, so that the order of additions to a sum is always the same.
template <class T>
void apply_changes(const MatrixView<T>& x, const double* w, const std::vector<Change>& changes,
                   const std::vector<double>& origin, CentreSums& sums) {
    const Index k = static_cast<Index>(sums.weight.size()), p = x.cols;
    const Index parts =
        std::min<Index>(k, changes.size() * static_cast<std::size_t>(p) > 4096 ? 8 : 1);
    parallel_for(parts, [&](Index part, Checkpoint& checkpoint) {
        const auto low = static_cast<std::int32_t>(k * part / parts);
        const auto high = static_cast<std::int32_t>(k * (part + 1) / parts);
        const auto move = [&](Index row, std::int32_t centre, double weight) {
            if (centre < low || centre >= high) return;
            const T* const from = x.row(row);
            double* const to = sums.deviations.data() + centre * p;
            sums.rows[centre] += weight > 0.0 ? 1 : weight < 0.0 ? -1 : 0;
            sums.weight[centre] += weight;
            for (Index l = 0; l < p; ++l)
                to[l] += weight * (static_cast<double>(from[l]) - origin[l]);
        };
        Index done = 0;
        constexpr std::size_t ahead = 12;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            if (i + ahead < changes.size()) prefetch_row(x, changes[i + ahead].row);
            const Change& change = changes[i];
            const double weight = w == nullptr ? 1.0 : w[change.row];
            move(change.row, change.from, -weight);
            move(change.row, change.to, weight);
            if ((++done & 4095) == 0) checkpoint();
        }
    });
}

}  // namespace stylobate::cluster
