#include <cmath>

#include "stylobate/errors.hpp"
#include "tile/strips.hpp"

namespace stylobate::tile {
namespace {

struct SparseChunk : Chunk {
    std::vector<Index> slot;        // of each column, 0 where the panel has no entry
    std::vector<Index> slots;       // of one query's entries
    std::vector<double> values_of;  // and their values
    std::vector<double> panel;      // slots × panel width
};

template <class I>
class Sparse : public Strips {
 public:
    using View = SparseView<double, I>;

    Sparse(const View& x, const View& y, Measure measure, const Index* which, Index count)
        : Strips(which == nullptr ? x.major : count, y.major, x.minor),
          x_(x),
          y_(y),
          measure_(measure),
          which_(which),
          x_sizes_(sizes(x)),
          y_sizes_(sizes(y)) {}

    // Nothing is packed beforehand; a block is only how often chunks begin anew.
    Index block_rows() const override { return round_up(65536, panel_rows<double>()); }
    void open_block(Index, Index) override {}

    std::unique_ptr<Chunk> open_chunk(Index query0, Index queries) const override {
        auto chunk = std::make_unique<SparseChunk>();
        chunk->query0 = query0, chunk->queries = queries;
        chunk->values =
            Aligned<double>(round_up(queries, kernels().tile_queries()) * panel_rows<double>());
        chunk->bits.resize(static_cast<std::size_t>(queries));
        chunk->slot.assign(static_cast<std::size_t>(depth()), 0);
        return chunk;
    }

    void strip(Chunk& base, Index row0) const override {
        auto& chunk = static_cast<SparseChunk&>(base);
        const Index width = panel_rows<double>(), count = std::min(width, rows() - row0);
        fill_panel(chunk, row0, count);
        for (Index i = 0; i < chunk.queries; ++i) {
            double* const c = chunk.values.data() + i * width;
            const Index query = which_ == nullptr ? chunk.query0 + i : which_[chunk.query0 + i];
            products(chunk, query, c);
            if (measure_ != Measure::inner) settle(query, row0, count, c);
        }
        for (Index k = y_.offsets[row0]; k < static_cast<Index>(y_.offsets[row0 + count]); ++k)
            chunk.slot[y_.indices[k]] = 0;
    }

 private:
    // ‖·‖² of each row, or Σ |·|
    std::vector<double> sizes(const View& x) const {
        std::vector<double> all(static_cast<std::size_t>(x.major), 0.0);
        for (Index i = 0; i < x.major; ++i)
            for (Index k = x.offsets[i]; k < static_cast<Index>(x.offsets[i + 1]); ++k)
                all[i] += measure_ == Measure::manhattan ? std::fabs(x.values[k])
                                                         : x.values[k] * x.values[k];
        return all;
    }

    void fill_panel(SparseChunk& chunk, Index row0, Index count) const {
        const Index width = panel_rows<double>();
        chunk.panel.assign(static_cast<std::size_t>(width), 0.0);  // slot 0
        for (Index j = 0; j < count; ++j)
            for (Index k = y_.offsets[row0 + j]; k < static_cast<Index>(y_.offsets[row0 + j + 1]);
                 ++k) {
                Index& slot = chunk.slot[y_.indices[k]];
                if (slot == 0) {
                    slot = static_cast<Index>(chunk.panel.size()) / width;
                    chunk.panel.resize(chunk.panel.size() + static_cast<std::size_t>(width), 0.0);
                }
                chunk.panel[slot * width + j] = y_.values[k];
            }
    }

    void products(SparseChunk& chunk, Index query, double* c) const {
        const bool all = measure_ == Measure::manhattan;
        chunk.slots.clear(), chunk.values_of.clear();
        for (Index k = x_.offsets[query]; k < static_cast<Index>(x_.offsets[query + 1]); ++k) {
            const Index slot = chunk.slot[x_.indices[k]];
            if (slot == 0 && !all) continue;
            chunk.slots.push_back(slot);
            chunk.values_of.push_back(x_.values[k]);
        }
        const auto kernel = all ? kernels().tile_sparse_manhattan : kernels().tile_sparse_product;
        kernel(chunk.values_of.data(), chunk.slots.data(), static_cast<Index>(chunk.slots.size()),
               chunk.panel.data(), c);
    }

    void settle(Index query, Index row0, Index count, double* c) const {
        const double x = x_sizes_[query];
        for (Index j = 0; j < count; ++j) {
            const double y = y_sizes_[row0 + j];
            c[j] = measure_ == Measure::manhattan ? c[j] + y : x + y - 2.0 * c[j];
            if (!(c[j] > suspicious_share * (x + y))) c[j] = merged(query, row0 + j);
        }
    }

    // Both rows' entries in order of their columns.
    double merged(Index query, Index row) const {
        Index a = x_.offsets[query], b = y_.offsets[row];
        const Index a1 = x_.offsets[query + 1], b1 = y_.offsets[row + 1];
        double sum = 0.0;
        while (a < a1 || b < b1) {
            double t;
            if (b == b1 || (a < a1 && x_.indices[a] < y_.indices[b]))
                t = x_.values[a++];
            else if (a == a1 || y_.indices[b] < x_.indices[a])
                t = y_.values[b++];
            else
                t = x_.values[a++] - y_.values[b++];
            sum += measure_ == Measure::manhattan ? std::fabs(t) : t * t;
        }
        return sum;
    }

    View x_, y_;
    Measure measure_;
    const Index* which_;
    std::vector<double> x_sizes_, y_sizes_;
};

}  // namespace

template <class I>
std::unique_ptr<Strips> sparse_strips(const SparseView<double, I>& x,
                                      const SparseView<double, I>& y, Measure measure,
                                      const Index* which, Index count) {
    if (x.minor != y.minor) throw InvalidArgument("both sides must have as many columns");
    if (measure != Measure::squared && measure != Measure::inner && measure != Measure::manhattan)
        throw InvalidArgument("sparse rows have squared, inner and manhattan measures only");
    return std::make_unique<Sparse<I>>(x, y, measure, which, count);
}

template std::unique_ptr<Strips> sparse_strips(const SparseView<double, std::int32_t>&,
                                               const SparseView<double, std::int32_t>&, Measure,
                                               const Index*, Index);
template std::unique_ptr<Strips> sparse_strips(const SparseView<double, std::int64_t>&,
                                               const SparseView<double, std::int64_t>&, Measure,
                                               const Index*, Index);

}  // namespace stylobate::tile
