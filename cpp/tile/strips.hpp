// Values of pairs (query, row), computed strip by strip: some queries × one panel of rows.
//
// Rows are taken in blocks that are packed once and shared; queries in chunks that threads take one
// after the other. Neither depends on the number of threads, and every query meets the rows in
// order, so whatever is made of the values has the same bits with any number of threads.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "stylobate/parallel.hpp"
#include "tile/kernels.hpp"
#include "tile/measure.hpp"
#include "tile/packed_rows.hpp"

namespace stylobate::tile {

// Queries of one chunk, and room for a strip of their values.
struct Chunk {
    Index query0 = 0, queries = 0;
    Aligned<double> values;      // [query][panel row]
    std::vector<TileBits> bits;  // room for one per query

    virtual ~Chunk() = default;
};

// A source of strips in double precision.
class Strips {
 public:
    Strips(Index queries, Index rows, Index depth)
        : queries_(queries), rows_(rows), depth_(depth) {}
    virtual ~Strips() = default;
    Index queries() const { return queries_; }
    Index rows() const { return rows_; }
    Index depth() const { return depth_; }
    virtual Index block_rows() const;                     // a multiple of the panel
    virtual void open_block(Index row0, Index rows) = 0;  // packs these rows; not thread-safe
    virtual std::unique_ptr<Chunk> open_chunk(Index query0, Index queries) const = 0;
    virtual void strip(Chunk& chunk, Index row0) const = 0;  // one panel of the open block

 private:
    Index queries_, rows_, depth_;
};

inline Index chunk_queries(Index queries) {
    const Index unit = kernels().tile_queries();
    return std::clamp(round_up(queries / 8, unit), unit, 128 / unit * unit);
}

// Bytes of a packed block: a part of the shared cache, and the bound of what is held at a time.
constexpr Index block_bytes = Index{4} << 20;

template <class F>
Index rows_per_block(Index depth) {
    const Index width = panel_rows<F>();
    const Index row_bytes = std::max<Index>(depth, 1) * static_cast<Index>(sizeof(F));
    return std::max(width, block_bytes / row_bytes / width * width);
}

// Queries and rows that one thread looks at; its number is the same in every block.
struct Task {
    Index query0, queries, row0, row1, segment, number;
};

// How the queries are shared out: chunks of them, and, where those are too few to keep threads
// busy, each block of rows in several segments. Depends on the number of queries alone.
struct Sharing {
    Index step, chunks, segments;
    explicit Sharing(Index queries)
        : step(chunk_queries(queries)),
          chunks((queries + step - 1) / step),
          segments(chunks >= 8 ? 1 : 8 / std::max<Index>(chunks, 1)) {}
    Index tasks() const { return chunks * segments; }

    // Of the block of rows b0 … b1, in whole panels; it may have no rows.
    Task task(Index number, Index queries, Index b0, Index b1, Index width) const {
        const Index panels = (b1 - b0 + width - 1) / width;
        const Index q0 = number / segments * step, s = number % segments;
        return {q0,
                std::min(step, queries - q0),
                b0 + panels * s / segments * width,
                std::min(b1, b0 + panels * (s + 1) / segments * width),
                s,
                number};
    }
};

// Calls body(query0, queries, row0, row1, segment, checkpoint) for each task of one block of rows.
template <class Body>
void share_out(const Sharing& sharing, Index queries, Index b0, Index b1, Index width,
               const Body& body) {
    parallel_for(sharing.tasks(), [&](Index number, Checkpoint& checkpoint) {
        const Task task = sharing.task(number, queries, b0, b1, width);
        if (task.row0 < task.row1)
            body(task.query0, task.queries, task.row0, task.row1, task.segment, checkpoint);
    });
}

// Calls consume(chunk, row0, rows, segment) for every strip; a chunk of queries needs no rows
// before first(query0).
template <class Consume, class First>
void over_strips(Strips& strips, const Consume& consume, const First& first) {
    const Index width = panel_rows<double>(), n = strips.queries();
    const Sharing sharing(n);
    for (Index b0 = 0; b0 < strips.rows(); b0 += strips.block_rows()) {
        const Index b1 = std::min(strips.rows(), b0 + strips.block_rows());
        strips.open_block(b0, b1 - b0);
        share_out(
            sharing, n, b0, b1, width,
            [&](Index q0, Index count, Index r0, Index r1, Index segment, Checkpoint& checkpoint) {
                r0 += std::max<Index>(0, first(q0) - r0) / width * width;
                if (r0 >= r1) return;
                const std::unique_ptr<Chunk> chunk = strips.open_chunk(q0, count);
                for (; r0 < r1; r0 += width) {
                    strips.strip(*chunk, r0);
                    consume(*chunk, r0, std::min(width, r1 - r0), segment);
                    checkpoint();
                }
            });
    }
}

template <class Consume>
void over_strips(Strips& strips, const Consume& consume) {
    over_strips(strips, consume, [](Index) { return Index{0}; });
}

// Measures that need more than the rows: the power of `power`, weights of the columns (or null;
// they must outlive the strips).
struct MeasureChoice {
    Measure measure = Measure::squared;
    double p = 2.0;
    const double* weights = nullptr;
};

// Pairs of dense rows (contiguous columns) by any measure.
template <class T>
std::unique_ptr<Strips> dense_strips(const std::type_identity_t<SelectedRows<T>>& x,
                                     const MatrixView<T>& y, const MeasureChoice& choice);

// The same with rows that are packed already, for their measure.
template <class T>
std::unique_ptr<Strips> packed_strips(const std::type_identity_t<SelectedRows<T>>& x,
                                      std::shared_ptr<const PackedRows<T>> y,
                                      const MeasureChoice& choice);

// Pairs of sparse rows, both compressed by rows with sorted columns: squared, inner or manhattan.
// `which`: some of the queries, in this order; null for all.
template <class I>
std::unique_ptr<Strips> sparse_strips(const SparseView<double, I>& x,
                                      const SparseView<double, I>& y, Measure measure,
                                      const Index* which = nullptr, Index count = 0);

// Values mapped as they come: what ranks pairs where the map is not monotone (0–1 measures).
// `x_sums`, `y_sums`: of the rows' entries, for maps that need them.
std::unique_ptr<Strips> mapped_strips(std::unique_ptr<Strips> strips, const Mapping& mapping,
                                      std::vector<double> x_sums, std::vector<double> y_sums);

// c ← map(c) of n values of one query against rows whose sums start at `sums` (may be null).
void apply(const Mapping& mapping, double query_sum, const double* sums, double* c, Index n);

}  // namespace stylobate::tile
