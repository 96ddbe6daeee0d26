// Which pairs of dense rows may be near: products in the precision of F with a proved bound on
// their error. Pairs beyond the bound are dropped for certain; the few others are measured exactly,
// so that neither rounding, nor tiling, nor the precision of the product can be seen in an answer.
#pragma once

#include <cmath>
#include <limits>

#include "tile/row_pairs.hpp"
#include "tile/strips.hpp"

namespace stylobate::tile {

inline void tile_product(const double* q, Index panels, const double* r, Index depth,
                         const double* bias, double* c) {
    kernels().tile_product_f64(q, panels, r, depth, bias, c);
}
inline void tile_product(const float* q, Index panels, const float* r, Index depth,
                         const float* bias, float* c) {
    kernels().tile_product_f32(q, panels, r, depth, bias, c);
}
inline Index tile_candidates(const double* c, Index rows, const double* limits, TileBits* out) {
    return kernels().tile_candidates_f64(c, rows, limits, out);
}
inline Index tile_candidates(const float* c, Index rows, const float* limits, TileBits* out) {
    return kernels().tile_candidates_f32(c, rows, limits, out);
}

template <class T, class F = T>
class Filter {
 public:
    struct Chunk {
        Index query0, queries, panels;
        Aligned<F> packed, values;
        std::vector<double> norms;
        std::vector<F> limits;
        std::vector<TileBits> bits;
    };

    explicit Filter(const RowPairs<T>& pairs) : pairs_(pairs), depth_(pairs.depth()) {}
    static Index width() { return panel_rows<F>(); }

    // Of the cost of measuring a pair exactly, what a product in F saves over one twice as precise.
    static double saving(Index depth) {
        return 0.12 * static_cast<double>(depth) / static_cast<double>(depth + 64);
    }

    void open_block(Index row0, Index rows) {
        const Index panels = (rows + width() - 1) / width();
        row0_ = row0;
        packed_ = Aligned<F>(area(panels * width(), depth_));
        std::vector<double> norms(static_cast<std::size_t>(panels * width()));
        constexpr Index group = 16;
        parallel_for((panels + group - 1) / group, [&](Index g, Checkpoint& checkpoint) {
            for (Index i = g * group; i < std::min(panels, (g + 1) * group); ++i) {
                const Index at = i * width();
                pack_panel(pairs_.y, row0 + at, std::min(width(), rows - at), width(), centre(),
                           1.0, packed_.data() + at * depth_, &norms[at]);
                checkpoint();
            }
        });
        bias_.assign(norms.size(), F(0));
        if (!pairs_.inner)
            for (std::size_t j = 0; j < norms.size(); ++j) bias_[j] = static_cast<F>(norms[j]);
        largest_ = mean_ = 0.0;
        for (const double norm : norms) largest_ = std::max(largest_, norm), mean_ += norm;
        mean_ /= static_cast<double>(std::max<Index>(rows, 1));
    }

    // Whether the bound on the error is small beside most rows of the open block, and far from the
    // ends of the range of F.
    bool sharp() const { return largest_ <= 16.0 * mean_ && mean_ > 1e-12 && mean_ < 1e24; }

    Chunk open_chunk(Index query0, Index queries) const {
        const Index unit = kernels().tile_queries(), panels = (queries + unit - 1) / unit;
        const auto padded = static_cast<std::size_t>(panels * unit);
        Chunk chunk{query0,
                    queries,
                    panels,
                    Aligned<F>(panels * unit * depth_),
                    Aligned<F>(panels * unit * width()),
                    std::vector<double>(padded),
                    std::vector<F>(padded),
                    std::vector<TileBits>(padded)};
        for (Index i = 0; i < panels; ++i)
            pack_panel(pairs_.x, query0 + i * unit, std::min(unit, queries - i * unit), unit,
                       centre(), pairs_.inner ? -1.0 : -2.0,
                       chunk.packed.data() + i * unit * depth_, &chunk.norms[i * unit]);
        return chunk;
    }

    // Query i's pairs beyond `worst` are of no interest any more: sets the value of a strip beyond
    // which a pair surely is.
    //
    // With u the unit roundoff of F and n columns: n + 1 fused steps whose partial sums stay below
    // 2(‖x‖² + ‖y‖²), the rounding of the centred entries, of the bias and of the norms.
    void tighten(Chunk& chunk, Index i, double worst) const {
        const double n = static_cast<double>(depth_ + 16), size = chunk.norms[i] + largest_;
        const double error =
            2.0 * n * static_cast<double>(std::numeric_limits<F>::epsilon()) / 2.0 * size +
            2.0 * n * static_cast<double>(std::numeric_limits<F>::denorm_min());
        const double exact = worst - (pairs_.inner ? 0.0 : chunk.norms[i]) + error;
        // where a product may leave the range of F, nothing can be dropped
        const bool within = 16.0 * size < static_cast<double>(std::numeric_limits<F>::max());
        F limit = std::numeric_limits<F>::infinity();
        if (within && exact == exact) {
            const F nearest = static_cast<F>(exact);
            limit =
                static_cast<double>(nearest) >= exact ? nearest : std::nextafter(nearest, limit);
        }
        chunk.limits[i] = limit;
    }

    // The candidates of one panel, into chunk.bits; columns beyond the rows may be among them.
    Index candidates(Chunk& chunk, Index row0) const {
        constexpr Index group = 4;  // panels whose values are looked at while in the first cache
        const Index at = row0 - row0_, unit = kernels().tile_queries();
        Index found = 0;
        for (Index i = 0; i < chunk.panels; i += group) {
            const Index first = i * unit, count = std::min(group, chunk.panels - i);
            F* const values = chunk.values.data() + first * width();
            tile_product(chunk.packed.data() + first * depth_, count, packed_.data() + at * depth_,
                         depth_, &bias_[at], values);
            const Index more =
                tile_candidates(values, std::min(count * unit, chunk.queries - first),
                                &chunk.limits[first], &chunk.bits[found]);
            for (Index f = found; f < found + more; ++f) chunk.bits[f].row += first;
            found += more;
        }
        return found;
    }

    // Whether a candidate, row0 + j of its panel, is none any more, the limit having been
    // tightened.
    bool dropped(const Chunk& chunk, Index i, Index, Index j) const {
        return chunk.values.data()[i * width() + j] > chunk.limits[i];
    }

    // body(chunk, row0, row1, segment, checkpoint) for each task of each block.
    template <class Body>
    void over_blocks(const Body& body) {
        const Index queries = pairs_.x.rows, rows = pairs_.y.rows, step = rows_per_block<F>(depth_);
        const Sharing sharing(queries);
        for (Index b0 = 0; b0 < rows; b0 += step) {
            const Index b1 = std::min(rows, b0 + step);
            open_block(b0, b1 - b0);
            share_out(sharing, queries, b0, b1, width(),
                      [&](Index q0, Index count, Index r0, Index r1, Index segment,
                          Checkpoint& checkpoint) {
                          Chunk chunk = open_chunk(q0, count);
                          body(chunk, r0, r1, segment, checkpoint);
                      });
        }
    }

 private:
    const double* centre() const { return pairs_.inner ? nullptr : pairs_.centre.data(); }

    const RowPairs<T>& pairs_;
    Index depth_;
    Index row0_ = 0;
    Aligned<F> packed_;
    std::vector<F> bias_;
    double largest_ = 0.0, mean_ = 0.0;
};

}  // namespace stylobate::tile
