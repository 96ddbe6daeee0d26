// Sums of the rows of each centre: afresh, or from the rows that changed their centre.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/centres.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {

inline double add_rows(const double* x, Index stride, const std::int32_t* labels, const double* w,
                       Index rows, Index p, const double* centres, double* sums) {
    return kernels().add_rows_f64(x, stride, labels, w, rows, p, centres, sums);
}
inline double add_rows(const float* x, Index stride, const std::int32_t* labels, const double* w,
                       Index rows, Index p, const double* centres, double* sums) {
    return kernels().add_rows_f32(x, stride, labels, w, rows, p, centres, sums);
}

inline void move_rows(const double* x, Index stride, const RowMove* moves, Index count,
                      const double* w, Index p, const double* origin, double* sums) {
    kernels().move_rows_f64(x, stride, moves, count, w, p, origin, sums);
}
inline void move_rows(const float* x, Index stride, const RowMove* moves, Index count,
                      const double* w, Index p, const double* origin, double* sums) {
    kernels().move_rows_f32(x, stride, moves, count, w, p, origin, sums);
}

// Asks for a row that is read soon, out of order.
template <class T>
void prefetch_row(const MatrixView<T>& x, Index row) {
    const char* const start = reinterpret_cast<const char*>(x.row(row));
    const Index bytes = std::min<Index>(x.cols * static_cast<Index>(sizeof(T)), 1024);
    for (Index b = 0; b < bytes; b += 64) __builtin_prefetch(start + b);
}

using Change = RowMove;

// Of the rows of each centre: how many have a positive weight, Σw, and Σ w (x − reference), the
// reference a row for each centre; and of the rows of a chunk Σ w ‖x − reference‖².
struct CentreSums {
    std::vector<Index> rows;
    std::vector<double> weight, deviations;
    double squares = 0.0;

    CentreSums() = default;
    CentreSums(Index k, Index p)
        : rows(static_cast<std::size_t>(k)),
          weight(static_cast<std::size_t>(k)),
          deviations(static_cast<std::size_t>(area(k, p))) {}

    void add(const CentreSums& other) {
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += other.rows[i];
        for (std::size_t i = 0; i < weight.size(); ++i) weight[i] += other.weight[i];
        for (std::size_t i = 0; i < deviations.size(); ++i) deviations[i] += other.deviations[i];
        squares += other.squares;
    }

    // Takes the deviations from one reference to another; the squares follow.
    void refer(const double* from, const double* to, Index p) {
        for (std::size_t c = 0; c < weight.size(); ++c)
            for (Index l = 0; l < p; ++l) {
                const Index at = static_cast<Index>(c) * p + l;
                const double step = from[at] - to[at];
                squares += step * (2.0 * deviations[at] + weight[c] * step);
                deviations[at] += weight[c] * step;
            }
    }

    template <class T>
    void add_chunk(const MatrixView<T>& x, const double* w, const std::int32_t* labels, Index begin,
                   Index end, const double* reference) {
        for (Index i = begin; i < end; ++i) {
            const double each = w == nullptr ? 1.0 : w[i];
            rows[labels[i]] += each > 0.0 ? 1 : 0;
            weight[labels[i]] += each;
        }
        squares +=
            add_rows(x.row(begin), x.row_stride, labels + begin, w == nullptr ? nullptr : w + begin,
                     end - begin, x.cols, reference, deviations.data());
    }

    // Takes rows from the sums of their old centres to those of the new ones, one after the other.
    template <class T>
    void add_changes(const MatrixView<T>& x, const double* w, const std::vector<Change>& changes,
                     const double* origin) {
        for (const Change& change : changes) {
            const double each = w == nullptr ? 1.0 : w[change.row];
            rows[change.from] -= each > 0.0 ? 1 : 0, rows[change.to] += each > 0.0 ? 1 : 0;
            weight[change.from] -= each, weight[change.to] += each;
        }
        move_rows(x.row(0), x.row_stride, changes.data(), static_cast<Index>(changes.size()), w,
                  x.cols, origin, deviations.data());
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

}  // namespace stylobate::cluster
