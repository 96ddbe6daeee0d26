// Which pairs of dense rows may be near: products in the rows' own precision with a proved bound on
// their error. Pairs beyond the bound are dropped for certain; the few others are measured exactly,
// from the differences and in double precision, so that neither rounding, nor tiling, nor the
// precision of the product can be seen in an answer.
#pragma once

#include <cmath>
#include <limits>

#include "tile/centre.hpp"
#include "tile/strips.hpp"

namespace stylobate::tile {

inline double exact_pair(const double* x, const double* y, Index n, bool inner) {
    return inner ? -kernels().inner_product_f64(x, y, n) : kernels().squared_distance_f64(x, y, n);
}
inline double exact_pair(const float* x, const float* y, Index n, bool inner) {
    return inner ? -kernels().inner_product_f32(x, y, n) : kernels().squared_distance_f32(x, y, n);
}
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

// Ranks pairs of rows of T by ‖x − y‖², or by −x·y; products in the precision of F.
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

    Filter(const MatrixView<T>& x, const MatrixView<T>& y, bool inner)
        : x_(x), y_(y), inner_(inner), depth_(x.cols) {
        if (!inner) centre_ = centre_rows(y);
    }
    Index queries() const { return x_.rows; }
    Index rows() const { return y_.rows; }
    Index block_rows() const { return rows_per_block<F>(depth_); }

    void open_block(Index row0, Index rows) {
        const Index width = panel_rows<F>(), panels = (rows + width - 1) / width;
        row0_ = row0;
        packed_ = Aligned<F>(area(panels * width, depth_));
        std::vector<double> norms(static_cast<std::size_t>(panels * width));
        constexpr Index group = 16;
        parallel_for((panels + group - 1) / group, [&](Index g, Checkpoint& checkpoint) {
            for (Index i = g * group; i < std::min(panels, (g + 1) * group); ++i) {
                pack_panel(y_, row0 + i * width, std::min(width, rows - i * width), width, centre(),
                           1.0, packed_.data() + i * width * depth_, &norms[i * width]);
                checkpoint();
            }
        });
        bias_.assign(norms.size(), F(0));
        if (!inner_)
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
                    Aligned<F>(panels * unit * panel_rows<F>()),
                    std::vector<double>(padded),
                    std::vector<F>(padded),
                    std::vector<TileBits>(padded)};
        for (Index i = 0; i < panels; ++i)
            pack_panel(x_, query0 + i * unit, std::min(unit, queries - i * unit), unit, centre(),
                       inner_ ? -1.0 : -2.0, chunk.packed.data() + i * unit * depth_,
                       &chunk.norms[i * unit]);
        return chunk;
    }

    // The value of a strip beyond which query i's pair is surely beyond `worst`.
    //
    // With u the unit roundoff of F and n columns: n + 1 fused steps whose partial sums stay below
    // 2(‖x‖² + ‖y‖²), the rounding of the centred entries, of the bias and of the norms.
    F limit(const Chunk& chunk, Index i, double worst) const {
        const double n = static_cast<double>(depth_ + 16), size = chunk.norms[i] + largest_;
        // where a product may leave the range of F, nothing can be dropped
        if (!(16.0 * size < static_cast<double>(std::numeric_limits<F>::max())))
            return std::numeric_limits<F>::infinity();
        const double error =
            2.0 * n * static_cast<double>(std::numeric_limits<F>::epsilon()) / 2.0 * size +
            2.0 * n * static_cast<double>(std::numeric_limits<F>::denorm_min());
        const double exact = worst - (inner_ ? 0.0 : chunk.norms[i]) + error;
        if (exact != exact) return std::numeric_limits<F>::infinity();
        const F rounded = static_cast<F>(exact);
        return static_cast<double>(rounded) >= exact
                   ? rounded
                   : std::nextafter(rounded, std::numeric_limits<F>::infinity());
    }

    // The candidates of one panel, into chunk.bits; columns beyond the rows may be among them.
    Index candidates(Chunk& chunk, Index row0) const {
        constexpr Index group = 4;  // panels whose values are looked at while in the first cache
        const Index at = row0 - row0_, unit = kernels().tile_queries(), width = panel_rows<F>();
        Index found = 0;
        for (Index i = 0; i < chunk.panels; i += group) {
            const Index first = i * unit, count = std::min(group, chunk.panels - i);
            F* const values = chunk.values.data() + first * width;
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

    double exact(Index query, Index row) const {
        return exact_pair(x_.row(query), y_.row(row), depth_, inner_);
    }

    // body(chunk, row0, row1, segment, checkpoint) for each task of each block from row b0 on, as
    // long as go_on() of the open block; returns the first row that was left out.
    template <class Body, class GoOn>
    Index over_blocks(Index b0, const Body& body, const GoOn& go_on) {
        const Index width = panel_rows<F>();
        const Sharing sharing(queries());
        for (; b0 < rows(); b0 += block_rows()) {
            const Index b1 = std::min(rows(), b0 + block_rows());
            open_block(b0, b1 - b0);
            if (!go_on()) return b0;
            share_out(sharing, queries(), b0, b1, width,
                      [&](Index q0, Index count, Index r0, Index r1, Index segment,
                          Checkpoint& checkpoint) {
                          Chunk chunk = open_chunk(q0, count);
                          body(chunk, r0, r1, segment, checkpoint);
                      });
        }
        return rows();
    }
    template <class Body>
    void over_blocks(const Body& body) {
        over_blocks(0, body, [] { return true; });
    }

 private:
    const double* centre() const { return centre_.empty() ? nullptr : centre_.data(); }

    MatrixView<T> x_, y_;
    bool inner_;
    Index depth_;
    std::vector<double> centre_;
    Index row0_ = 0;
    Aligned<F> packed_;
    std::vector<F> bias_;
    double largest_ = 0.0, mean_ = 0.0;
};

}  // namespace stylobate::tile
