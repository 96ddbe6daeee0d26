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

// ‖x‖² + ‖y‖² − 2xy has an error near 2⁻⁵²(‖x‖² + ‖y‖²); entries below this share of the norms are
// computed again from the differences, so that no distance is off by more than about 128 · 2⁻⁵².
constexpr double suspicious_share = 1.0 / 128.0;
// Up to so many columns the differences cost no more than the product and a second look.
constexpr Index few_columns = 8;

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
    Dense(const MatrixView<T>& x, const MatrixView<T>& y, Measure measure, double p,
          const double* weights)
        : Strips(x.rows, y.rows, x.cols),
          x_(x),
          y_(y),
          measure_(measure),
          p_(p),
          weights_(weights) {
        if (measure == Measure::squared && x.cols > few_columns) centre_ = centre_rows(y);
        by_product_ = !centre_.empty() || measure == Measure::inner;
    }

    void open_block(Index row0, Index rows) override {
        const Index width = panel_rows<double>(), panels = (rows + width - 1) / width;
        row0_ = row0;
        packed_ = Aligned<double>(area(panels * width, depth()));
        norms_.assign(static_cast<std::size_t>(panels * width), 0.0);
        bias_.assign(norms_.size(), 0.0);
        constexpr Index group = 16;
        parallel_for((panels + group - 1) / group, [&](Index g, Checkpoint& checkpoint) {
            for (Index i = g * group; i < std::min(panels, (g + 1) * group); ++i) {
                pack_panel(y_, row0 + i * width, std::min(width, rows - i * width), width, centre(),
                           1.0, packed_.data() + i * width * depth(), &norms_[i * width]);
                checkpoint();
            }
        });
        if (measure_ == Measure::squared) bias_ = norms_;
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
                       by_product_ && measure_ == Measure::squared ? -2.0 : 1.0,
                       chunk->packed.data() + i * unit * depth(), &chunk->norms[i * unit]);
        return chunk;
    }

    void strip(Chunk& base, Index row0) const override {
        auto& chunk = static_cast<DenseChunk&>(base);
        const Index at = row0 - row0_;
        const double* const panel = packed_.data() + at * depth();
        if (!by_product_) {
            kernels().tile_direct(static_cast<int>(measure_), chunk.packed.data(), chunk.panels,
                                  panel, depth(), weights_, p_, chunk.values.data());
            return;
        }
        kernels().tile_product_f64(chunk.packed.data(), chunk.panels, panel, depth(), &bias_[at],
                                   chunk.values.data());
        if (measure_ == Measure::squared) settle(chunk, row0);
    }

 private:
    const double* centre() const { return centre_.empty() ? nullptr : centre_.data(); }

    void settle(DenseChunk& chunk, Index row0) const {
        const Index width = panel_rows<double>();
        const Index found =
            kernels().tile_squares(chunk.values.data(), chunk.queries, chunk.norms.data(),
                                   &norms_[row0 - row0_], suspicious_share, chunk.bits.data());
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

    MatrixView<T> x_, y_;
    Measure measure_;
    double p_;
    const double* weights_;
    bool by_product_ = false;
    std::vector<double> centre_;
    Index row0_ = 0;
    Aligned<double> packed_;
    std::vector<double> norms_, bias_;
};

}  // namespace

template <class T>
std::unique_ptr<Strips> dense_strips(const MatrixView<T>& x, const MatrixView<T>& y,
                                     Measure measure, double p, const double* weights) {
    if (x.cols != y.cols) throw InvalidArgument("both sides must have as many columns");
    if (!x.rows_contiguous() || !y.rows_contiguous())
        throw InvalidArgument("the columns of a row must lie side by side");
    if (measure == Measure::haversine && x.cols != 3)
        throw InvalidArgument("haversine takes half latitude, half longitude, cos latitude");
    return std::make_unique<Dense<T>>(x, y, measure, p, weights);
}

template std::unique_ptr<Strips> dense_strips(const MatrixView<double>&, const MatrixView<double>&,
                                              Measure, double, const double*);
template std::unique_ptr<Strips> dense_strips(const MatrixView<float>&, const MatrixView<float>&,
                                              Measure, double, const double*);

}  // namespace stylobate::tile
