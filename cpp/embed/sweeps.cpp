#include "embed/sweeps.hpp"

#include <cstdint>
#include <vector>

#include "embed/factor_kernels.hpp"
#include "embed/padded_factor.hpp"
#include "embed/sparse_products.hpp"
#include "embed/tiles.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::embed {
namespace {

static_assert(tile_rows == sweep_rows);
constexpr Index chunk_rows = 16 * sweep_rows;
constexpr Index most_units = 16;  // parts of the rows with column sums of their own

double summed(const std::vector<double>& parts) {
    double total = 0.0;
    for (const double part : parts) total += part;
    return total;
}

// Some rows of w at a time: turned, swept, turned back.
class Sweeper {
 public:
    Sweeper(double* w, Index k, const SweepTerms& terms)
        : w_(w), k_(k), ld_(padded_width(k)), terms_(terms), gram_(area(k, ld_)) {
        for (Index t = 0; t < k; ++t) {
            std::copy(terms.gram + t * k, terms.gram + (t + 1) * k, gram_.data() + t * ld_);
            gram_[t * ld_ + t] += terms.l2;
        }
    }

    struct Scratch {
        Buffer own, cross;
        explicit Scratch(Index k) : own(area(k, sweep_rows)), cross(area(k, sweep_rows)) {}
    };

    // `count` ≤ sweep_rows rows from `first`; their cross products are `stride` apart.
    double sweep(Index first, Index count, const double* cross, Index stride,
                 Scratch& scratch) const {
        if (count < sweep_rows) scratch = Scratch(k_);
        for (Index i = 0; i < count; ++i)
            for (Index t = 0; t < k_; ++t) {
                scratch.own[t * sweep_rows + i] = w_[(first + i) * k_ + t];
                scratch.cross[t * sweep_rows + i] = cross[i * stride + t] - terms_.l1;
            }
        const double violation = factors::kernels().sweep(scratch.own.data(), scratch.cross.data(),
                                                          gram_.data(), ld_, k_, terms_.order);
        for (Index i = 0; i < count; ++i)
            for (Index t = 0; t < k_; ++t)
                w_[(first + i) * k_ + t] = scratch.own[t * sweep_rows + i];
        return violation;
    }

 private:
    double* w_;
    Index k_, ld_;
    SweepTerms terms_;
    Buffer gram_;
};

// body(first row, how many) gives a sum; over all rows, `step` in a chunk, `sweep_rows` at a time.
// prepare(chunk) makes the body of a chunk.
template <class Prepare>
double over_rows(Index rows, Index step, const Prepare& prepare) {
    std::vector<double> violations((rows + step - 1) / step, 0.0);
    parallel_for(static_cast<Index>(violations.size()), [&](Index chunk, Checkpoint& checkpoint) {
        auto body = prepare(chunk);
        const Index last = std::min(rows, (chunk + 1) * step);
        for (Index first = chunk * step; first < last; first += sweep_rows) {
            checkpoint();
            violations[chunk] += body(first, std::min(sweep_rows, last - first));
        }
    });
    return summed(violations);
}

// A strip of rows of a dense table beside both factors.
template <class T>
struct Strip {
    TileReader<T> reader;
    Index columns;

    // cross += X F of the rows
    void times(Index first, Index count, const PaddedFactor& f, double* cross) {
        over_tiles(first, count, [&](const Tile& tile, const Strided& a) {
            scan::kernels().multiply(a.data, tile.rows, a.row_stride, a.col_stride, tile.columns,
                                     f.row(tile.first_column), f.ld, f.k, cross, f.ld);
        });
    }
    // sums += Xᵀ W of the rows
    void add_columns(Index first, Index count, const double* w, Index ld, Index k, double* sums) {
        over_tiles(first, count, [&](const Tile& tile, const Strided& a) {
            scan::kernels().multiply(a.data, tile.columns, a.col_stride, a.row_stride, tile.rows, w,
                                     ld, k, sums + tile.first_column * ld, ld);
        });
    }

 private:
    template <class Body>
    void over_tiles(Index first, Index count, const Body& body) {
        for (Index j = 0; j < columns; j += tile_columns) {
            const Tile tile{first, count, j, std::min(tile_columns, columns - j)};
            body(tile, reader.strided(tile));
        }
    }
};

}  // namespace

double coordinate_sweep(double* w, Index rows, const double* cross, Index k,
                        const SweepTerms& terms) {
    const Sweeper sweeper(w, k, terms);
    return over_rows(rows, chunk_rows, [&](Index) {
        return [&, scratch = Sweeper::Scratch(k)](Index first, Index count) mutable {
            return sweeper.sweep(first, count, cross + first * k, k, scratch);
        };
    });
}

template <class T, class I>
double product_sweep(const SparseView<T, I>& x, double* w, Factor f, const SweepTerms& terms) {
    const Sweeper sweeper(w, f.k, terms);
    const PaddedFactor padded(f);
    return over_rows(x.major, chunk_rows, [&](Index) {
        return [&, scratch = Sweeper::Scratch(f.k), values = std::vector<double>(),
                cross = Buffer(area(sweep_rows, padded.ld))](Index first, Index count) mutable {
            std::fill(cross.data(), cross.data() + cross.size(), 0.0);
            for (Index i = 0; i < count; ++i)
                add_products(x, first + i, padded, values, cross.data() + i * padded.ld);
            return sweeper.sweep(first, count, cross.data(), padded.ld, scratch);
        };
    });
}

template <class T>
double product_sweep(const MatrixView<T>& x, double* w, Factor f, const SweepTerms& terms,
                     double* columns) {
    const Sweeper sweeper(w, f.k, terms);
    const PaddedFactor padded(f);
    const Index ld = padded.ld, width = x.cols * ld;
    const Index least = (x.rows + most_units - 1) / most_units;
    const Index step = std::max(chunk_rows, (least + sweep_rows - 1) / sweep_rows * sweep_rows);
    const Index units = (x.rows + step - 1) / step;
    Buffer sums(area(units, width));
    const double violation = over_rows(x.rows, step, [&](Index unit) {
        return
            [&, unit, scratch = Sweeper::Scratch(f.k), strip = Strip<T>{TileReader<T>(x), x.cols},
             cross = Buffer(area(sweep_rows, ld))](Index first, Index count) mutable {
                std::fill(cross.data(), cross.data() + cross.size(), 0.0);
                strip.times(first, count, padded, cross.data());
                const double met = sweeper.sweep(first, count, cross.data(), ld, scratch);
                for (Index i = 0; i < count; ++i)  // the cross products have done their work
                    std::copy_n(w + (first + i) * f.k, f.k, cross.data() + i * ld);
                strip.add_columns(first, count, cross.data(), ld, f.k, sums.data() + unit * width);
                return met;
            };
    });
    for (Index unit = 1; unit < units; ++unit)
        for (Index i = 0; i < width; ++i) sums[i] += sums[unit * width + i];
    for (Index j = 0; j < x.cols; ++j) std::copy_n(sums.data() + j * ld, f.k, columns + j * f.k);
    return violation;
}

#define STYLOBATE_DENSE(T)                                                                  \
    template double product_sweep(const MatrixView<T>&, double*, Factor, const SweepTerms&, \
                                  double*);
#define STYLOBATE_SPARSE(T, I) \
    template double product_sweep(const SparseView<T, I>&, double*, Factor, const SweepTerms&);
STYLOBATE_DENSE(double)
STYLOBATE_DENSE(float)
STYLOBATE_SPARSE(double, std::int32_t)
STYLOBATE_SPARSE(double, std::int64_t)
STYLOBATE_SPARSE(float, std::int32_t)
STYLOBATE_SPARSE(float, std::int64_t)

}  // namespace stylobate::embed
