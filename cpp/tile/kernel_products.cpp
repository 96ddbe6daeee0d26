#include "tile/kernel_products.hpp"

#include "scan/kernels.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::tile {
namespace {

constexpr Index vector_numbers = 8;  // of the widest instruction set

// Parts into which a symmetric product is cut, each with sums of its own; the numbers these take.
constexpr Index most_parts = 32, fewest_parts = 8, part_numbers = Index{1} << 25;

// The columns on the right side, rows padded to whole vectors if there are several.
struct Factor {
    Index cols, ld;
    Buffer values;

    explicit Factor(const MatrixView<double>& v)
        : cols(v.cols),
          ld(v.cols == 1 ? 1 : round_up(v.cols, vector_numbers)),
          values(area(v.rows, ld)) {
        for (Index j = 0; j < v.rows; ++j)
            for (Index c = 0; c < cols; ++c) values[j * ld + c] = v(j, c);
    }
    const double* row(Index j) const { return values.data() + j * ld; }

    // to[i] += Σⱼ value(i, j) v(row0 + j), `to` starting at the chunk's first query.
    void add(const Chunk& chunk, Index row0, Index count, double* to) const {
        const Index width = panel_rows<double>();
        const double* const c = chunk.values.data();
        if (cols == 1)
            for (Index i = 0; i < chunk.queries; ++i)
                to[i] += kernels().tile_sum(c + i * width, row(row0), count);
        else
            scan::kernels().multiply(c, chunk.queries, width, 1, count, row(row0), ld, cols, to,
                                     ld);
    }

    // to[j] += Σᵢ value(i, j) v(query0 + i), `to` starting at the strip's first row.
    void add_mirrored(const Chunk& chunk, Index count, double* to) const {
        const Index width = panel_rows<double>();
        const double *const c = chunk.values.data(), *const from = row(chunk.query0);
        if (cols == 1)
            scan::kernels().add_rows(c, chunk.queries, width, count, from, to);
        else
            scan::kernels().multiply(c, count, 1, width, chunk.queries, from, ld, cols, to, ld);
    }

    // Sums of the parts, each n rows of ld, in order.
    void merge(const Buffer& sums, Index n, Index parts, double* out) const {
        for (Index q = 0; q < n; ++q)
            for (Index c = 0; c < cols; ++c) {
                double total = sums[q * ld + c];
                for (Index s = 1; s < parts; ++s) total += sums[(s * n + q) * ld + c];
                out[q * cols + c] = total;
            }
    }
};

// Zeros where the row is before the query, and on the diagonal too if it is counted already.
void clear_before(Chunk& chunk, Index row0, Index count, bool diagonal) {
    const Index width = panel_rows<double>();
    for (Index i = 0; i < chunk.queries; ++i)
        for (Index j = 0; j < count; ++j)
            if (row0 + j < chunk.query0 + i + diagonal) chunk.values[i * width + j] = 0.0;
}

// The rows from a chunk's first query on, of the open block.
void add_chunk(const Strips& strips, const Factor& factor, Index query0, Index queries, Index row0,
               Index row1, double* sums, Checkpoint& checkpoint) {
    const Index width = panel_rows<double>();
    const std::unique_ptr<Chunk> chunk = strips.open_chunk(query0, queries);
    for (; row0 < row1; row0 += width) {
        const Index count = std::min(width, row1 - row0);
        const bool meets_diagonal = row0 < query0 + queries;
        strips.strip(*chunk, row0);
        if (meets_diagonal) clear_before(*chunk, row0, count, false);
        factor.add(*chunk, row0, count, sums + query0 * factor.ld);
        if (meets_diagonal) clear_before(*chunk, row0, count, true);
        factor.add_mirrored(*chunk, count, sums + row0 * factor.ld);
        checkpoint();
    }
}

// Every value once, for both of its places. Part p has the chunks p, p + parts …, one after the
// other, whoever computes it.
void multiply_half(Strips& strips, const Factor& factor, Index parts, double* out) {
    const Index n = strips.queries(), width = panel_rows<double>(), step = chunk_queries(n);
    Buffer sums(area(area(n, parts), factor.ld));
    for (Index b0 = 0; b0 < n; b0 += strips.block_rows()) {
        const Index b1 = std::min(n, b0 + strips.block_rows());
        strips.open_block(b0, b1 - b0);
        parallel_for(parts, [&](Index part, Checkpoint& checkpoint) {
            for (Index q0 = part * step; q0 < b1; q0 += parts * step)
                add_chunk(strips, factor, q0, std::min(step, n - q0),
                          b0 + std::max<Index>(0, q0 - b0) / width * width, b1,
                          sums.data() + part * n * factor.ld, checkpoint);
        });
    }
    factor.merge(sums, n, parts, out);
}

}  // namespace

void multiply_pairs(Strips& strips, const MatrixView<double>& v, bool symmetric, double* out) {
    if (v.rows != strips.rows()) throw InvalidArgument("one row of the factor for each row");
    const Factor factor(v);
    const Index n = strips.queries();
    const Index parts = std::min(most_parts, part_numbers / std::max<Index>(1, area(n, factor.ld)));
    if (symmetric && parts >= fewest_parts && Sharing(n).chunks >= 2 * parts)
        return multiply_half(strips, factor, parts, out);
    const Index segments = Sharing(n).segments;
    Buffer sums(area(area(n, segments), factor.ld));
    over_strips(strips, [&](Chunk& chunk, Index row0, Index count, Index segment) {
        factor.add(chunk, row0, count, sums.data() + (segment * n + chunk.query0) * factor.ld);
    });
    factor.merge(sums, n, segments, out);
}

}  // namespace stylobate::tile
