#include "descend/logistic_design.hpp"

#include <algorithm>
#include <type_traits>

#include "scan/kernels.hpp"
#include "scan/rows.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {
namespace {

constexpr Index block_rows = 32;          // rows in cache while every class uses them
constexpr Index block_numbers = 1 << 15;  // of a block that several products read, at most
constexpr Index unit_rows = 512;          // rows of one chunk of a product with coefficients
constexpr Index group_columns = 512;      // columns of one chunk of a gradient …
constexpr Index chunk_rows = 2048;        // … and its rows, unless partial sums would be too many
constexpr Index max_partial = 1 << 22;    // numbers kept until they are added in order
constexpr Index few = 8;                  // a support below 1/few of the columns is gathered

// Rows [first, first + count) of columns [j0, j1): where they lie, or a packed copy.
template <class T>
struct Block {
    const double* data;
    Index ld;
};

template <class T>
Block<T> block_of(const MatrixView<T>& x, Index first, Index count, Index j0, Index j1,
                  const double* zeros, Buffer& copy) {
    if constexpr (std::is_same_v<T, double>)
        if (x.rows_contiguous()) return {x.row(first) + j0, x.row_stride};
    const Index ld = padded_stride(j1 - j0);
    const MatrixView<T> part{x.row(first) + j0 * x.col_stride, count, j1 - j0, x.row_stride,
                             x.col_stride};
    scan::pack(part, zeros, copy.data(), ld);
    return {copy.data(), ld};
}

Index pieces(Index size, Index of) {
    return (size + of - 1) / of;
}

}  // namespace

template <class T>
void DenseDesign<T>::margins(const double* w, Index classes, const std::vector<Index>& support,
                             double* z) const {
    const Index n = x_.rows, p = x_.cols;
    const bool gathers = static_cast<Index>(support.size()) * few < p;
    const Buffer zeros(gathers ? 0 : p);
    parallel_for(pieces(n, unit_rows), [&](Index unit, Checkpoint& checkpoint) {
        const Index last = std::min(n, (unit + 1) * unit_rows);
        if (gathers) {
            checkpoint();
            for (Index i = unit * unit_rows; i < last; ++i)
                for (Index c = 0; c < classes; ++c) {
                    double sum = 0.0;
                    for (const Index j : support)
                        sum += w[c * p + j] * static_cast<double>(x_(i, j));
                    z[c * n + i] = sum;
                }
            return;
        }
        Buffer copy(area(block_rows, padded_stride(p)));
        for (Index at = unit * unit_rows; at < last; at += block_rows) {
            checkpoint();
            const Index count = std::min(block_rows, last - at);
            const Block<T> rows = block_of(x_, at, count, 0, p, zeros.data(), copy);
            for (Index c = 0; c < classes; ++c)
                scan::kernels().row_products(rows.data, count, rows.ld, p, w + c * p,
                                             z + c * n + at);
        }
    });
}

// Rows of one chunk of a gradient of so many numbers.
template <class T>
Index DenseDesign<T>::chunk_of(Index size) const {
    const Index most = std::clamp<Index>(max_partial / std::max<Index>(size, 1), 1, 64);
    return std::max(chunk_rows, pieces(x_.rows, most));
}

template <class T>
PassSums DenseDesign<T>::pass(const LogisticRows& rows, const double* w, double intercept,
                              const PassAt& at) const {
    const Index n = x_.rows, p = x_.cols, chunk = chunk_of(2 * p), n_chunks = pieces(n, chunk);
    const Index height = std::clamp<Index>(block_numbers / std::max<Index>(p, 1), 4, block_rows);
    const Buffer zeros(p);
    Buffer partial(area(n_chunks, 2 * p));
    std::vector<PassSums> sums(n_chunks);
    parallel_for(n_chunks, [&](Index part, Checkpoint& checkpoint) {
        Buffer copy(
            std::is_same_v<T, double> && x_.rows_contiguous() ? 0 : area(height, padded_stride(p)));
        double d[block_rows];
        double *g = partial.data() + part * 2 * p, *curved = g + p;
        PassSums& own = sums[part];
        const Index last = std::min(n, (part + 1) * chunk);
        for (Index i0 = part * chunk; i0 < last; i0 += height) {
            checkpoint();
            const Index count = std::min(height, last - i0);
            const Block<T> x = block_of(x_, i0, count, 0, p, zeros.data(), copy);
            scan::kernels().row_products(x.data, count, x.ld, p, w, at.z + i0);
            own.loss += rows.evaluate_two(i0, i0 + count, at.z, intercept, at.p, at.r);
            scan::kernels().add_rows(x.data, count, x.ld, p, at.r + i0, g);
            for (Index i = 0; i < count; ++i) {
                d[i] = rows.weights()[i0 + i] * at.p[i0 + i] * (1.0 - at.p[i0 + i]);
                own.residual += at.r[i0 + i];
                own.curvature += d[i];
            }
            if (at.curved != nullptr) scan::kernels().add_rows(x.data, count, x.ld, p, d, curved);
        }
    });
    PassSums total;
    std::fill_n(at.g, p, 0.0);
    if (at.curved != nullptr) std::fill_n(at.curved, p, 0.0);
    for (Index part = 0; part < n_chunks; ++part) {
        const double* g = partial.data() + part * 2 * p;
        for (Index j = 0; j < p; ++j) at.g[j] += g[j];
        for (Index j = 0; j < p && at.curved != nullptr; ++j) at.curved[j] += g[p + j];
        total.loss += sums[part].loss;
        total.residual += sums[part].residual;
        total.curvature += sums[part].curvature;
    }
    return total;
}

template <class T>
void DenseDesign<T>::gradient(const double* r, Index classes, const std::vector<Index>& alive,
                              double* g) const {
    const Index n = x_.rows, p = x_.cols, size = classes * p;
    if (static_cast<Index>(alive.size()) * few < p) return gather(r, classes, alive, g);
    const Index chunk = chunk_of(size);
    const Index n_chunks = pieces(n, chunk), n_groups = pieces(p, group_columns);
    Buffer partial(n_chunks > 1 ? area(n_chunks, size) : 0);
    std::fill(g, g + size, 0.0);
    const Buffer zeros(std::min(p, group_columns));
    parallel_for(n_chunks * n_groups, [&](Index piece, Checkpoint& checkpoint) {
        const Index part = piece / n_groups, j0 = piece % n_groups * group_columns;
        const Index j1 = std::min(p, j0 + group_columns), last = std::min(n, (part + 1) * chunk);
        double* out = n_chunks > 1 ? partial.data() + part * size : g;
        Buffer copy(std::is_same_v<T, double> && x_.rows_contiguous()
                        ? 0
                        : area(block_rows, padded_stride(j1 - j0)));
        for (Index at = part * chunk; at < last; at += block_rows) {
            checkpoint();
            const Index count = std::min(block_rows, last - at);
            const Block<T> rows = block_of(x_, at, count, j0, j1, zeros.data(), copy);
            for (Index c = 0; c < classes; ++c)
                scan::kernels().add_rows(rows.data, count, rows.ld, j1 - j0, r + c * n + at,
                                         out + c * p + j0);
        }
    });
    for (Index part = 0; part < n_chunks && n_chunks > 1; ++part)
        for (Index k = 0; k < size; ++k) g[k] += partial[part * size + k];
}

// Few columns: groups of them, row after row.
template <class T>
void DenseDesign<T>::gather(const double* r, Index classes, const std::vector<Index>& alive,
                            double* g) const {
    constexpr Index group = 64;
    const Index n = x_.rows, p = x_.cols, count = static_cast<Index>(alive.size());
    parallel_for(pieces(count, group), [&](Index part, Checkpoint& checkpoint) {
        const Index a0 = part * group, a1 = std::min(count, a0 + group);
        for (Index c = 0; c < classes; ++c) {
            double sum[group] = {};
            for (Index i = 0; i < n; ++i) {
                if (i % 1024 == 0) checkpoint();
                for (Index a = a0; a < a1; ++a)
                    sum[a - a0] += r[c * n + i] * static_cast<double>(x_(i, alive[a]));
            }
            for (Index a = a0; a < a1; ++a) g[c * p + alive[a]] = sum[a - a0];
        }
    });
}

template <class T>
void DenseDesign<T>::moments(const double* s, bool centred, double* sums, double* squares) const {
    const Index n = x_.rows, p = x_.cols;
    double total = 0.0;
    for (Index i = 0; i < n; ++i) total += s[i];
    std::vector<Index> all(p);
    for (Index j = 0; j < p; ++j) all[j] = j;
    gradient(s, 1, all, sums);
    Buffer mean(p);
    if (centred && total > 0.0)
        for (Index j = 0; j < p; ++j) mean[j] = sums[j] / total;
    constexpr Index width = 64;
    parallel_for(pieces(p, width), [&](Index g, Checkpoint& checkpoint) {
        const Index j0 = g * width, j1 = std::min(p, j0 + width);
        std::fill(squares + j0, squares + j1, 0.0);
        for (Index i = 0; i < n; ++i) {
            if (i % 1024 == 0) checkpoint();
            for (Index j = j0; j < j1; ++j) {
                const double d = static_cast<double>(x_(i, j)) - mean[j];
                squares[j] += s[i] * d * d;
            }
        }
    });
}

template <class T>
void DenseDesign<T>::pack(Index row, const Index* features, Index count, const double* shift,
                          double* out) const {
    const T* from = x_.row(row);
    for (Index v = 0; v < count; ++v)
        out[v] = static_cast<double>(from[features[v] * x_.col_stride]) - shift[features[v]];
}

template <class T, class I>
void SparseDesign<T, I>::margins(const double* w, Index classes, const std::vector<Index>& support,
                                 double* z) const {
    const Index n = x_.minor, p = x_.major;
    parallel_for(classes, [&](Index c, Checkpoint& checkpoint) {
        double* out = z + c * n;
        std::fill(out, out + n, 0.0);
        for (const Index j : support) {
            const double factor = w[c * p + j];
            if (factor == 0.0) continue;
            checkpoint();
            for (I e = x_.offsets[j]; e < x_.offsets[j + 1]; ++e)
                out[x_.indices[e]] += factor * static_cast<double>(x_.values[e]);
        }
    });
}

template <class T, class I>
void SparseDesign<T, I>::gradient(const double* r, Index classes, const std::vector<Index>& alive,
                                  double* g) const {
    constexpr Index group = 256;
    const Index n = x_.minor, p = x_.major, count = static_cast<Index>(alive.size());
    parallel_for(pieces(count, group), [&](Index part, Checkpoint& checkpoint) {
        checkpoint();
        for (Index a = part * group; a < std::min(count, (part + 1) * group); ++a) {
            const Index j = alive[a];
            for (Index c = 0; c < classes; ++c) {
                double sum = 0.0;
                for (I e = x_.offsets[j]; e < x_.offsets[j + 1]; ++e)
                    sum += static_cast<double>(x_.values[e]) * r[c * n + x_.indices[e]];
                g[c * p + j] = sum;
            }
        }
    });
}

template <class T, class I>
void SparseDesign<T, I>::moments(const double* s, bool centred, double* sums,
                                 double* squares) const {
    constexpr Index group = 256;
    const Index p = x_.major;
    double total = 0.0;
    for (Index i = 0; i < x_.minor; ++i) total += s[i];
    parallel_for(pieces(p, group), [&](Index part, Checkpoint& checkpoint) {
        checkpoint();
        for (Index j = part * group; j < std::min(p, (part + 1) * group); ++j) {
            double sum = 0.0, stored = 0.0, square = 0.0;
            for (I e = x_.offsets[j]; e < x_.offsets[j + 1]; ++e)
                sum += s[x_.indices[e]] * static_cast<double>(x_.values[e]);
            const double mean = centred && total > 0.0 ? sum / total : 0.0;
            for (I e = x_.offsets[j]; e < x_.offsets[j + 1]; ++e) {
                const double d = static_cast<double>(x_.values[e]) - mean;
                square += s[x_.indices[e]] * d * d;
                stored += s[x_.indices[e]];
            }
            sums[j] = sum;
            squares[j] = square + std::max(total - stored, 0.0) * mean * mean;
        }
    });
}

template <class T, class I>
ChosenColumns SparseDesign<T, I>::take(const std::vector<Index>& features) const {
    ChosenColumns result;
    Index entries = 0;
    for (const Index j : features) entries += x_.offsets[j + 1] - x_.offsets[j];
    result.rows.reserve(entries);
    result.values.reserve(entries);
    for (const Index j : features) {
        for (I e = x_.offsets[j]; e < x_.offsets[j + 1]; ++e) {
            result.rows.push_back(static_cast<std::int32_t>(x_.indices[e]));
            result.values.push_back(static_cast<double>(x_.values[e]));
        }
        result.offsets.push_back(static_cast<Index>(result.rows.size()));
    }
    return result;
}

template class DenseDesign<double>;
template class DenseDesign<float>;
template class SparseDesign<double, std::int32_t>;
template class SparseDesign<double, std::int64_t>;
template class SparseDesign<float, std::int32_t>;
template class SparseDesign<float, std::int64_t>;

}  // namespace stylobate::descend
