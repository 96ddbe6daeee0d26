#include <cmath>
#include <limits>

#include "stylobate/errors.hpp"
#include "tile/centre.hpp"
#include "tile/strips.hpp"

namespace stylobate::tile {

Index Strips::block_rows() const {
    return rows_per_block<double>(depth_);
}

namespace {

struct DenseChunk : Chunk {
    Index panels = 0;
    Aligned<double> packed;
    std::vector<double> norms;
};

double exact_squared(const double* x, const double* y, Index n) {
    return kernels().squared_distance_f64(x, y, n);
}
double exact_squared(const float* x, const float* y, Index n) {
    return kernels().squared_distance_f32(x, y, n);
}

template <class T>
class Dense : public Strips {
 public:
    Dense(const SelectedRows<T>& x, const MatrixView<T>& y, const MeasureChoice& choice)
        : Strips(x.count, y.rows, y.cols),
          x_(x),
          y_(y),
          choice_(choice),
          by_product_(by_product(choice.measure, y.cols)) {
        if (squares_of_products()) centre_ = centre_rows(y);
    }
    Dense(const SelectedRows<T>& x, std::shared_ptr<const PackedRows<T>> y,
          const MeasureChoice& choice)
        : Strips(x.count, y->rows.rows, y->rows.cols),
          x_(x),
          y_(y->rows),
          choice_(choice),
          by_product_(by_product(choice.measure, y_.cols)),
          centre_(y->centre),
          whole_(std::move(y)),
          open_(&whole_->panels) {}

    void open_block(Index row0, Index rows) override {
        if (!whole_) own_.pack(y_, row0, rows, centre());
        if (choice_.measure == Measure::inner)
            zeros_.assign(static_cast<std::size_t>(panel_rows<double>()), 0.0);
    }

    std::unique_ptr<Chunk> open_chunk(Index query0, Index queries) const override {
        const Index unit = kernels().tile_queries(), width = panel_rows<double>();
        auto chunk = std::make_unique<DenseChunk>();
        chunk->query0 = query0, chunk->queries = queries;
        chunk->panels = (queries + unit - 1) / unit;
        const Index padded = chunk->panels * unit;
        chunk->packed = Aligned<double>(padded * depth());
        chunk->values = Aligned<double>(padded * width);
        chunk->norms.resize(static_cast<std::size_t>(padded));
        chunk->bits.resize(static_cast<std::size_t>(padded));
        for (Index i = 0; i < chunk->panels; ++i)
            pack_panel(x_, query0 + i * unit, std::min(unit, queries - i * unit), unit, centre(),
                       squares_of_products() ? -2.0 : 1.0,
                       chunk->packed.data() + i * unit * depth(), &chunk->norms[i * unit]);
        return chunk;
    }

    void strip(Chunk& base, Index row0) const override {
        auto& chunk = static_cast<DenseChunk&>(base);
        const double* const panel = open_->panel(row0);
        if (!by_product_) {
            kernels().tile_direct(static_cast<int>(choice_.measure), chunk.packed.data(),
                                  chunk.panels, panel, depth(), choice_.weights, choice_.p,
                                  chunk.values.data());
            return;
        }
        const bool squares = squares_of_products();
        kernels().tile_product_f64(chunk.packed.data(), chunk.panels, panel, depth(),
                                   squares ? open_->norms(row0) : zeros_.data(),
                                   chunk.values.data());
        if (squares) settle(chunk, row0);
    }

 private:
    bool squares_of_products() const { return by_product_ && choice_.measure == Measure::squared; }
    const double* centre() const { return centre_.empty() ? nullptr : centre_.data(); }

    void settle(DenseChunk& chunk, Index row0) const {
        const Index width = panel_rows<double>();
        const Index found =
            kernels().tile_squares(chunk.values.data(), chunk.queries, chunk.norms.data(),
                                   open_->norms(row0), suspicious_share, chunk.bits.data());
        const Index valid = std::min(width, rows() - row0);
        for (Index f = 0; f < found; ++f) {
            const TileBits& some = chunk.bits[f];
            for (unsigned long long bits = some.bits; bits != 0; bits &= bits - 1) {
                const Index j = __builtin_ctzll(bits);
                if (j >= valid) break;
                chunk.values[some.row * width + j] =
                    exact_squared(x_.row(chunk.query0 + some.row), y_.row(row0 + j), depth());
            }
        }
    }

    SelectedRows<T> x_;
    MatrixView<T> y_;
    MeasureChoice choice_;
    bool by_product_;
    std::vector<double> centre_, zeros_;
    std::shared_ptr<const PackedRows<T>> whole_;
    RowPanels own_;
    const RowPanels* open_ = &own_;
};

template <class T>
void check(const SelectedRows<T>& x, const MatrixView<T>& y, Measure measure) {
    if (x.all.cols != y.cols) throw InvalidArgument("both sides must have as many columns");
    if (!x.all.rows_contiguous() || !y.rows_contiguous())
        throw InvalidArgument("the columns of a row must lie side by side");
    if (measure == Measure::haversine && y.cols != 3)
        throw InvalidArgument("haversine takes half latitude, half longitude, cos latitude");
}

}  // namespace

template <class T>
std::unique_ptr<Strips> dense_strips(const std::type_identity_t<SelectedRows<T>>& x,
                                     const MatrixView<T>& y, const MeasureChoice& choice) {
    check(x, y, choice.measure);
    return std::make_unique<Dense<T>>(x, y, choice);
}

template <class T>
std::unique_ptr<Strips> packed_strips(const std::type_identity_t<SelectedRows<T>>& x,
                                      std::shared_ptr<const PackedRows<T>> y,
                                      const MeasureChoice& choice) {
    check(x, y->rows, choice.measure);
    if (choice.measure != y->measure)
        throw InvalidArgument("the rows are packed for another measure");
    return std::make_unique<Dense<T>>(x, std::move(y), choice);
}

template std::unique_ptr<Strips> dense_strips(const SelectedRows<double>&,
                                              const MatrixView<double>&, const MeasureChoice&);
template std::unique_ptr<Strips> dense_strips(const SelectedRows<float>&, const MatrixView<float>&,
                                              const MeasureChoice&);
template std::unique_ptr<Strips> packed_strips(const SelectedRows<double>&,
                                               std::shared_ptr<const PackedRows<double>>,
                                               const MeasureChoice&);
template std::unique_ptr<Strips> packed_strips(const SelectedRows<float>&,
                                               std::shared_ptr<const PackedRows<float>>,
                                               const MeasureChoice&);

}  // namespace stylobate::tile
