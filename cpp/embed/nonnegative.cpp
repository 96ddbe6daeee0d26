#include "embed/nonnegative.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "embed/factor_kernels.hpp"
#include "embed/padded_factor.hpp"
#include "embed/sparse_products.hpp"
#include "embed/tiles.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::embed {
namespace {

double summed(const std::vector<double>& parts) {
    double total = 0.0;
    for (const double part : parts) total += part;
    return total;
}

void unpad(const double* from, Index rows, Index ld, Index k, double* to) {
    for (Index i = 0; i < rows; ++i) std::copy(from + i * ld, from + i * ld + k, to + i * k);
}

// m[i][j] = w_i · f_j over a tile
void fill_model(const PaddedFactor& w, const TransposedFactor& f, const Tile& tile, double* m) {
    std::fill(m, m + tile.rows * tile_ld, 0.0);
    scan::kernels().multiply(w.row(tile.first_row), tile.rows, w.ld, 1, w.k,
                             f.data.data() + tile.first_column, f.ld, tile.columns, m, tile_ld);
}

// x ← x ∘ m₊^(β−2) and, where asked for, m ← m₊^(β−1)
struct Powers {
    double beta;
    bool of_model;

    double floor(double exponent) const { return exponent < 0.0 ? divergence_floor : 0.0; }
    void apply(const Tile& tile, double* x, double* m) const {
        for (Index i = 0; i < tile.rows; ++i) {
            double *xs = x + i * tile_ld, *ms = m + i * tile_ld;
            factors::kernels().scaled_powers(xs, ms, tile.columns, beta - 2.0, floor(beta - 2.0),
                                             xs);
            if (of_model) model(ms, tile.columns);
        }
    }
    void model(double* m, Index n) const {
        static const std::vector<double> ones(tile_columns, 1.0);
        factors::kernels().scaled_powers(ones.data(), m, n, beta - 1.0, floor(beta - 1.0), m);
    }
};

// Entries of one compressed row as doubles and Index, in scratch that grows.
template <class T, class I>
struct Entries {
    std::vector<double> values;
    std::vector<Index> indices;
    std::vector<double> model;

    Index load(const SparseView<T, I>& x, Index i) {
        const auto first = static_cast<Index>(x.offsets[i]);
        const Index count = static_cast<Index>(x.offsets[i + 1]) - first;
        if (count > static_cast<Index>(values.size())) {
            values.resize(count);
            indices.resize(count);
            model.resize(count);
        }
        for (Index e = 0; e < count; ++e) {
            values[e] = static_cast<double>(x.values[first + e]);
            indices[e] = static_cast<Index>(x.indices[first + e]);
        }
        return count;
    }
};

constexpr Index sparse_chunk = 64;  // rows of a chunk of the loop over compressed rows

// body(first row, the one past the last) over chunks of compressed rows
template <class T, class I, class Body>
void over_chunks(const SparseView<T, I>& x, const Body& body) {
    parallel_for(
        (x.major + sparse_chunk - 1) / sparse_chunk, [&](Index chunk, Checkpoint& checkpoint) {
            body(chunk * sparse_chunk, std::min(x.major, (chunk + 1) * sparse_chunk), checkpoint);
        });
}

// body(row, its entries, their number) over all compressed rows
template <class T, class I, class Body>
void over_rows(const SparseView<T, I>& x, const Body& body) {
    over_chunks(x, [&](Index first, Index last, Checkpoint& checkpoint) {
        Entries<T, I> entries;
        for (Index i = first; i < last; ++i) {
            if (i % 16 == 0) checkpoint();
            body(i, entries, entries.load(x, i), first / sparse_chunk);
        }
    });
}

// M₊^(β−1) F of all rows, a tile of M at a time.
void model_sums(const PaddedFactor& w, const PaddedFactor& f, const TransposedFactor& ft,
                const Powers& powers, double* out) {
    over_row_tiles(w.rows, f.rows, [&](TileRun& run) {
        Buffer sums(area(tile_rows, f.ld));
        Buffer m(area(tile_rows, tile_ld));
        run.over_columns([&](const Tile& tile) {
            fill_model(w, ft, tile, m.data());
            for (Index i = 0; i < tile.rows; ++i)
                powers.model(m.data() + i * tile_ld, tile.columns);
            scan::kernels().multiply(m.data(), tile.rows, tile_ld, 1, tile.columns,
                                     f.row(tile.first_column), f.ld, f.k, sums.data(), f.ld);
        });
        unpad(sums.data(), run.rows, f.ld, f.k, out + run.first_row * f.k);
    });
}

// What one entry adds to the divergence beyond the relative entropy (β = 1).
double entry_divergence(double x, double m, double beta) {
    if (beta == 2.0) return 0.5 * (x - m) * (x - m);
    const bool counts = x > divergence_floor;
    if (beta == 0.0) {
        const double ratio = x / std::max(m, divergence_floor);
        return counts ? ratio - std::log(ratio) - 1.0 : -1.0;
    }
    const double scale = 1.0 / (beta * (beta - 1.0));
    double sum = (beta - 1.0) * std::pow(m, beta);
    if (counts)
        sum += std::pow(x, beta) - beta * x * std::pow(std::max(m, divergence_floor), beta - 1.0);
    return sum * scale;
}

// WᵀW of a factor, k × k.
std::vector<double> gram_of(Factor f) {
    std::vector<double> gram(f.k * f.k, 0.0);
    for (Index i = 0; i < f.rows; ++i)
        for (Index s = 0; s < f.k; ++s)
            for (Index t = 0; t < f.k; ++t)
                gram[s * f.k + t] += f.data[i * f.k + s] * f.data[i * f.k + t];
    return gram;
}

// Σ d_β(0, m) over all entries of the model.
double divergence_from_zeros(Factor w, Factor f, double beta) {
    if (beta == 0.0) return -static_cast<double>(w.rows) * static_cast<double>(f.rows);
    if (beta != 2.0) {
        static constexpr double zero = 0.0;
        return divergence(MatrixView<double>{&zero, w.rows, f.rows, 0, 0}, w, f, beta);
    }
    const std::vector<double> of_w = gram_of(w), of_f = gram_of(f);
    double total = 0.0;
    for (std::size_t i = 0; i < of_w.size(); ++i) total += of_w[i] * of_f[i];
    return 0.5 * total;
}

// Σ m_ij over all entries of the model.
double model_total(Factor w, Factor f) {
    std::vector<double> of_w(w.k, 0.0), of_f(w.k, 0.0);
    for (Index i = 0; i < w.rows; ++i)
        for (Index t = 0; t < w.k; ++t) of_w[t] += w.data[i * w.k + t];
    for (Index j = 0; j < f.rows; ++j)
        for (Index t = 0; t < f.k; ++t) of_f[t] += f.data[j * f.k + t];
    double total = 0.0;
    for (Index t = 0; t < w.k; ++t) total += of_w[t] * of_f[t];
    return total;
}

double entropy_part(const double* x, const double* m, Index n) {
    double sum = factors::kernels().relative_entropy(x, m, n, divergence_floor);
    for (Index j = 0; j < n; ++j) sum -= x[j] > divergence_floor ? x[j] : 0.0;
    return sum;
}

}  // namespace

template <class T>
void row_products(const MatrixView<T>& x, Factor f, double* out) {
    const PaddedFactor padded(f);
    over_row_tiles(x.rows, x.cols, [&](TileRun& run) {
        Buffer sums(area(tile_rows, padded.ld));
        TileReader<T> reader(x);
        run.over_columns([&](const Tile& tile) {
            const Strided a = reader.strided(tile);
            scan::kernels().multiply(a.data, tile.rows, a.row_stride, a.col_stride, tile.columns,
                                     padded.row(tile.first_column), padded.ld, f.k, sums.data(),
                                     padded.ld);
        });
        unpad(sums.data(), run.rows, padded.ld, f.k, out + run.first_row * f.k);
    });
}

template <class T, class I>
void row_products(const SparseView<T, I>& x, Factor f, double* out) {
    const PaddedFactor padded(f);
    over_chunks(x, [&](Index first, Index last, Checkpoint& checkpoint) {
        std::vector<double> sum(padded.ld), values;
        for (Index i = first; i < last; ++i) {
            if (i % 16 == 0) checkpoint();
            std::fill(sum.begin(), sum.end(), 0.0);
            add_products(x, i, padded, values, sum.data());
            std::copy(sum.data(), sum.data() + f.k, out + i * f.k);
        }
    });
}

template <class T>
void column_products(const MatrixView<T>& x, Factor w, double* out) {
    const PaddedFactor padded(w);
    ColumnSums sums(x.rows, x.cols, w.k, 1);
    sums.over_panels([&](const auto& over_rows) {
        TileReader<T> reader(x);
        over_rows([&](const Tile& tile, double* const* own) {
            const Strided a = reader.strided(tile);
            scan::kernels().multiply(a.data, tile.columns, a.col_stride, a.row_stride, tile.rows,
                                     padded.row(tile.first_row), padded.ld, w.k, own[0], padded.ld);
        });
    });
    sums.store(0, out);
}

template <class T>
void row_updates(const MatrixView<T>& x, Factor w, Factor f, double beta, double* numerator,
                 double* denominator) {
    const PaddedFactor own(w), other(f);
    const TransposedFactor transposed(f, tile_columns);
    const Powers powers{beta, denominator != nullptr};
    over_row_tiles(x.rows, x.cols, [&](TileRun& run) {
        Buffer upper(area(tile_rows, other.ld)), lower(area(tile_rows, other.ld));
        Buffer m(area(tile_rows, tile_ld));
        TileReader<T> reader(x);
        run.over_columns([&](const Tile& tile) {
            double* const values = reader.packed(tile);
            fill_model(own, transposed, tile, m.data());
            powers.apply(tile, values, m.data());
            const double* const b = other.row(tile.first_column);
            scan::kernels().multiply(values, tile.rows, tile_ld, 1, tile.columns, b, other.ld, f.k,
                                     upper.data(), other.ld);
            if (powers.of_model)
                scan::kernels().multiply(m.data(), tile.rows, tile_ld, 1, tile.columns, b, other.ld,
                                         f.k, lower.data(), other.ld);
        });
        unpad(upper.data(), run.rows, other.ld, f.k, numerator + run.first_row * f.k);
        if (powers.of_model)
            unpad(lower.data(), run.rows, other.ld, f.k, denominator + run.first_row * f.k);
    });
}

template <class T, class I>
void row_updates(const SparseView<T, I>& x, Factor w, Factor f, double beta, double* numerator,
                 double* denominator) {
    const PaddedFactor own(w), other(f);
    const Powers powers{beta, false};
    over_rows(x, [&](Index i, Entries<T, I>& row, Index count, Index) {
        Buffer sum(other.ld);
        const Index* const at = row.indices.data();
        factors::kernels().gathered_dots(other.data.data(), other.ld, f.k, at, count, own.row(i),
                                         row.model.data());
        factors::kernels().scaled_powers(row.values.data(), row.model.data(), count, beta - 2.0,
                                         powers.floor(beta - 2.0), row.values.data());
        factors::kernels().gathered_sums(other.data.data(), other.ld, f.k, at, count,
                                         row.values.data(), sum.data());
        std::copy(sum.data(), sum.data() + f.k, numerator + i * f.k);
    });
    if (denominator == nullptr) return;
    model_sums(own, other, TransposedFactor(f, tile_columns), powers, denominator);
}

template <class T>
void column_updates(const MatrixView<T>& x, Factor w, Factor f, double beta, double* numerator,
                    double* denominator) {
    const PaddedFactor own(w);
    const TransposedFactor transposed(f, tile_columns);
    const Powers powers{beta, denominator != nullptr};
    ColumnSums sums(x.rows, x.cols, w.k, powers.of_model ? 2 : 1);
    sums.over_panels([&](const auto& over_rows) {
        TileReader<T> reader(x);
        Buffer m(area(tile_rows, tile_ld));
        over_rows([&](const Tile& tile, double* const* target) {
            double* const values = reader.packed(tile);
            fill_model(own, transposed, tile, m.data());
            powers.apply(tile, values, m.data());
            const double* const b = own.row(tile.first_row);
            scan::kernels().multiply(values, tile.columns, 1, tile_ld, tile.rows, b, own.ld, w.k,
                                     target[0], own.ld);
            if (powers.of_model)
                scan::kernels().multiply(m.data(), tile.columns, 1, tile_ld, tile.rows, b, own.ld,
                                         w.k, target[1], own.ld);
        });
    });
    sums.store(0, numerator);
    if (powers.of_model) sums.store(1, denominator);
}

template <class T>
double divergence(const MatrixView<T>& x, Factor w, Factor f, double beta) {
    const PaddedFactor own(w);
    const TransposedFactor transposed(f, tile_columns);
    std::vector<double> parts((x.rows + tile_rows - 1) / tile_rows, 0.0);
    over_row_tiles(x.rows, x.cols, [&](TileRun& run) {
        Buffer m(area(tile_rows, tile_ld));
        TileReader<T> reader(x);
        double total = 0.0;
        run.over_columns([&](const Tile& tile) {
            const double* const values = reader.packed(tile);
            fill_model(own, transposed, tile, m.data());
            for (Index i = 0; i < tile.rows; ++i) {
                const double *xs = values + i * tile_ld, *ms = m.data() + i * tile_ld;
                if (beta == 2.0)
                    total += 0.5 * factors::kernels().squared_distance(xs, ms, tile.columns);
                else if (beta == 1.0)
                    total += entropy_part(xs, ms, tile.columns);
                else
                    for (Index j = 0; j < tile.columns; ++j)
                        total += entry_divergence(xs[j], ms[j], beta);
            }
        });
        parts[run.first_row / tile_rows] = total;
    });
    return summed(parts) + (beta == 1.0 ? model_total(w, f) : 0.0);
}

template <class T, class I>
double divergence(const SparseView<T, I>& x, Factor w, Factor f, double beta) {
    const PaddedFactor own(w), other(f);
    std::vector<double> parts((x.major + sparse_chunk - 1) / sparse_chunk, 0.0);
    over_rows(x, [&](Index i, Entries<T, I>& row, Index count, Index chunk) {
        factors::kernels().gathered_dots(other.data.data(), other.ld, f.k, row.indices.data(),
                                         count, own.row(i), row.model.data());
        if (beta == 1.0) {
            parts[chunk] += entropy_part(row.values.data(), row.model.data(), count);
            return;
        }
        // what these entries add beyond those that are not stored
        for (Index e = 0; e < count; ++e)
            parts[chunk] += entry_divergence(row.values[e], row.model[e], beta) -
                            entry_divergence(0.0, row.model[e], beta);
    });
    if (beta == 1.0) return summed(parts) + model_total(w, f);
    return summed(parts) + divergence_from_zeros(w, f, beta);
}

#define STYLOBATE_DENSE(T)                                                                        \
    template void row_products(const MatrixView<T>&, Factor, double*);                            \
    template void column_products(const MatrixView<T>&, Factor, double*);                         \
    template void row_updates(const MatrixView<T>&, Factor, Factor, double, double*, double*);    \
    template void column_updates(const MatrixView<T>&, Factor, Factor, double, double*, double*); \
    template double divergence(const MatrixView<T>&, Factor, Factor, double);
#define STYLOBATE_SPARSE(T, I)                                                                    \
    template void row_products(const SparseView<T, I>&, Factor, double*);                         \
    template void row_updates(const SparseView<T, I>&, Factor, Factor, double, double*, double*); \
    template double divergence(const SparseView<T, I>&, Factor, Factor, double);
STYLOBATE_DENSE(double)
STYLOBATE_DENSE(float)
STYLOBATE_SPARSE(double, std::int32_t)
STYLOBATE_SPARSE(double, std::int64_t)
STYLOBATE_SPARSE(float, std::int32_t)
STYLOBATE_SPARSE(float, std::int64_t)

}  // namespace stylobate::embed
