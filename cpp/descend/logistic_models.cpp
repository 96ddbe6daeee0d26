#include "descend/logistic_models.hpp"

#include <algorithm>
#include <cmath>

#include "descend/dense.hpp"
#include "descend/lanczos.hpp"
#include "scan/kernels.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {
namespace {

constexpr Index block_rows = 96;   // rows per packed block
constexpr Index least_unit = 512;  // rows per unit, each of which has its own sums …
constexpr Index max_units = 8;
constexpr double unlikely = 0.1;             // curvature along a step that is rounding, or another
constexpr double dense_share = 0.1;          // share of entries from which rows are unpacked
constexpr Index max_unit_numbers = 1 << 24;  // … within this much memory; beyond, one for all

Index pieces(Index size, Index of) {
    return (size + of - 1) / of;
}

void gram(const double* a, Index rows, Index ld, Index j0, Index j1, double* c) {
    scan::kernels().gram(a, rows, ld, j0, j1, c, ld, nullptr, 0);
}
void gram(const float* a, Index rows, Index ld, Index j0, Index j1, float* c) {
    descend::dense().gram_f32(a, rows, ld, j0, j1, c, ld);
}

// Zeroed, aligned numbers of either precision.
template <class T>
class Numbers {
 public:
    explicit Numbers(Index size)
        : memory_((size * static_cast<Index>(sizeof(T)) + 7) / 8),
          data_(reinterpret_cast<T*>(memory_.data())) {}
    T* data() { return data_; }
    T& operator[](Index i) { return data_[i]; }

 private:
    Buffer memory_;
    T* data_;
};

// c[j][i] += Σ over `count` rows of a[i]·a[j] for i ≤ j; fill(first, count, out, ld) writes rows.
template <class T, class Fill>
void add_gram(Index count, Index cols, const Fill& fill, T* c, Index ld) {
    const Index state = area(cols, ld);
    const Index units = std::min({max_unit_numbers / state, max_units, pieces(count, least_unit)});
    if (units >= 2) {
        const Index unit = pieces(count, units);
        Numbers<T> parts(area(units, state));
        parallel_for(units, [&](Index u, Checkpoint& checkpoint) {
            Numbers<T> block(area(block_rows, ld));
            const Index last = std::min(count, (u + 1) * unit);
            for (Index at = u * unit; at < last; at += block_rows) {
                checkpoint();
                const Index rows = std::min(block_rows, last - at);
                fill(at, rows, block.data(), ld);
                gram(block.data(), rows, ld, 0, cols, parts.data() + u * state);
            }
        });
        parallel_for(cols, [&](Index j, Checkpoint&) {
            for (Index u = 0; u < units; ++u)
                for (Index i = 0; i <= j; ++i) c[j * ld + i] += parts[u * state + j * ld + i];
        });
        return;
    }
    constexpr Index group = 64, slice = 16;
    Numbers<T> block(area(block_rows, ld));
    for (Index at = 0; at < count; at += block_rows) {
        const Index rows = std::min(block_rows, count - at);
        parallel_for(pieces(rows, slice), [&](Index s, Checkpoint&) {
            fill(at + s * slice, std::min(slice, rows - s * slice), block.data() + s * slice * ld,
                 ld);
        });
        const Index n_groups = pieces(cols, group);
        parallel_for(n_groups, [&](Index g, Checkpoint& checkpoint) {
            checkpoint();
            const Index j0 = (n_groups - 1 - g) * group;  // the longest first
            gram(block.data(), rows, ld, j0, std::min(cols, j0 + group), c);
        });
    }
}

Buffer curvatures(const LogisticData& data, const double* probability, Index margin) {
    Buffer d(data.rows.rows());
    data.rows.curvature(probability, margin, d.data());
    return d;
}

void mirror(double* c, Index cols, Index ld) {
    constexpr Index side = 64;
    parallel_for(pieces(cols, side), [&](Index g, Checkpoint&) {
        for (Index i0 = 0; i0 <= g * side; i0 += side)
            for (Index j = g * side; j < std::min(cols, (g + 1) * side); ++j)
                for (Index i = i0; i < std::min(i0 + side, j); ++i) c[i * ld + j] = c[j * ld + i];
    });
}

}  // namespace

// The chosen columns' entries column by column and row by row, with what is chosen of them.
struct ChosenEntries {
    std::vector<Index> features;  // chosen for some margin, sorted
    ChosenColumns columns;
    std::vector<Index> offsets;           // of the rows
    std::vector<std::int32_t> positions;  // among `features`
    std::vector<double> values;
    std::vector<std::vector<Index>> variables;  // of each feature, rising

    ChosenEntries(const Design& x, const Variables& chosen)
        : features(chosen.feature), offsets(x.rows() + 1, 0) {
        std::sort(features.begin(), features.end());
        features.erase(std::unique(features.begin(), features.end()), features.end());
        variables.resize(features.size());
        for (Index v = 0; v < chosen.size(); ++v)
            variables[position(chosen.feature[v])].push_back(v);
        columns = x.take(features);
        positions.resize(columns.rows.size());
        values.resize(columns.rows.size());
        for (const std::int32_t i : columns.rows) ++offsets[i + 1];
        for (Index i = 0; i < x.rows(); ++i) offsets[i + 1] += offsets[i];
        std::vector<Index> next(offsets.begin(), offsets.end() - 1);
        for (std::size_t k = 0; k < features.size(); ++k)
            for (Index e = columns.offsets[k]; e < columns.offsets[k + 1]; ++e) {
                const Index to = next[columns.rows[e]]++;
                positions[to] = static_cast<std::int32_t>(k);
                values[to] = columns.values[e];
            }
    }

    Index position(Index feature) const {
        return std::lower_bound(features.begin(), features.end(), feature) - features.begin();
    }
};

GramModel::GramModel(const LogisticData& data, const double* probability, Variables variables,
                     GramEffort effort)
    : variables_(std::move(variables)),
      size_(variables_.size()),
      width_(size_ + (data.intercept ? data.rows.margins() : 0)),
      ld_(padded_stride(width_)),
      hessian_(area(width_, ld_)),
      diagonal_(size_) {
    const auto pack = [&](Index row, Index v0, Index v1, double* out) {
        data.x.pack(row, variables_.feature.data() + v0, v1 - v0, data.shift, out);
    };
    if (data.x.sparse())
        of_sparse(data, probability, effort);
    else if (!effort.single || !of_rows_single(data, probability, effort, pack))
        of_rows(data, probability, effort, pack);
    complete(data.intercept, data.rows.margins());
}

GramModel::GramModel(const Design& x, const Buffer& d, const std::vector<Index>& features,
                     const double* shift, bool intercept)
    : variables_{std::vector<Index>(features.size(), 0), features},
      size_(variables_.size()),
      width_(size_ + (intercept ? 1 : 0)),
      ld_(padded_stride(width_)),
      hessian_(area(width_, ld_)),
      diagonal_(size_) {
    add_gram(
        x.rows(), width_,
        [&](Index first, Index rows, double* out, Index ld) {
            for (Index k = 0; k < rows; ++k, out += ld) {
                x.pack(first + k, features.data(), size_, shift, out);
                const double root = std::sqrt(d[first + k]);
                for (Index v = 0; v < size_; ++v) out[v] *= root;
                if (intercept) out[size_] = root;
            }
        },
        hessian_.data(), ld_);
    complete(intercept, 1);
}

void GramModel::complete(bool intercept, Index margins) {
    if (intercept) eliminate_intercepts(margins);
    mirror(hessian_.data(), size_, ld_);
    for (Index k = 0; k < size_; ++k) diagonal_[k] = std::max(hessian_[k * ld_ + k], 0.0);
}

// Two classes; false where the numbers leave the range of single precision.
template <class Pack>
bool GramModel::of_rows_single(const LogisticData& data, const double* p, const GramEffort& effort,
                               const Pack& pack) {
    const Index n = data.rows.rows(), count = effort.count(n);
    if (data.rows.margins() != 1) return false;
    const double* s = data.rows.weights();
    const double scale = static_cast<double>(n) / static_cast<double>(count);
    const Index ld = 2 * padded_stride((width_ + 1) / 2);  // whole lines of single precision
    Numbers<float> sums(area(width_, ld));
    add_gram(
        count, width_,
        [&](Index first, Index rows, float* out, Index out_ld) {
            Buffer row(size_);
            for (Index k = 0; k < rows; ++k, out += out_ld) {
                const Index i = effort.row(first + k);
                pack(i, 0, size_, row.data());
                const double root = std::sqrt(s[i] * scale * p[i] * (1.0 - p[i]));
                for (Index v = 0; v < size_; ++v) out[v] = static_cast<float>(root * row[v]);
                if (width_ > size_) out[size_] = static_cast<float>(root);
            }
        },
        sums.data(), ld);
    constexpr float least = 1e-28f, most = 1e34f;
    for (Index j = 0; j < width_; ++j)
        if (!(sums[j * ld + j] >= least && sums[j * ld + j] <= most)) return false;
    parallel_for(width_, [&](Index j, Checkpoint&) {
        for (Index i = 0; i <= j; ++i) hessian_[j * ld_ + i] = sums[j * ld + i];
    });
    // what rounding could make of a Hessian that is nearly singular, made up for
    constexpr double rounding = 1e-6;
    for (Index j = 0; j < size_; ++j) hessian_[j * ld_ + j] *= 1.0 + rounding;
    return true;
}

// Blocks of one margin are Grams of its columns times √(s p(1 − p)); those of two margins come
// from −Σ s aaᵀ, a the row of all chosen columns times its margins' probabilities.
template <class Pack>
void GramModel::of_rows(const LogisticData& data, const double* p, const GramEffort& effort,
                        const Pack& pack) {
    const Index n = data.rows.rows(), margins = data.rows.margins();
    const Index count = effort.count(n);
    const double* s = data.rows.weights();
    const double scale = static_cast<double>(n) / static_cast<double>(count);
    if (margins > 1)
        add_gram(
            count, width_,
            [&](Index first, Index rows, double* out, Index ld) {
                for (Index k = 0; k < rows; ++k) {
                    const Index i = effort.row(first + k);
                    pack(i, 0, size_, out + k * ld);
                    const double root = std::sqrt(s[i] * scale);
                    for (Index v = 0; v < size_; ++v)
                        out[k * ld + v] *= root * p[variables_.margin[v] * n + i];
                    for (Index c = 0; size_ + c < width_; ++c)
                        out[k * ld + size_ + c] = root * p[c * n + i];
                }
            },
            hessian_.data(), ld_);
    for (Index k = 0; k < hessian_.size() && margins > 1; ++k) hessian_[k] = -hessian_[k];
    for (Index c = 0, first = 0; c < margins; ++c) {
        Index last = first;
        while (last < size_ && variables_.margin[last] == c) ++last;
        const Index m = last - first, cols = m + (width_ > size_ ? 1 : 0), ld = padded_stride(cols);
        Buffer own(area(cols, ld));
        add_gram(
            count, cols,
            [&](Index at, Index rows, double* out, Index out_ld) {
                for (Index k = 0; k < rows; ++k) {
                    const Index i = effort.row(at + k);
                    pack(i, first, last, out + k * out_ld);
                    const double q = p[c * n + i];
                    const double root = std::sqrt(s[i] * scale * q * (1.0 - q));
                    for (Index v = 0; v < m; ++v) out[k * out_ld + v] *= root;
                    if (cols > m) out[k * out_ld + m] = root;
                }
            },
            own.data(), ld);
        for (Index j = 0; j < cols; ++j) {
            const Index row = j < m ? first + j : size_ + c;
            for (Index i = 0; i <= j; ++i)
                hessian_[row * ld_ + (i < m ? first + i : size_ + c)] = own[j * ld + i];
        }
        first = last;
    }
}

// Few entries: products of pairs of them; else rows are unpacked and treated as dense ones.
void GramModel::of_sparse(const LogisticData& data, const double* p, const GramEffort& effort) {
    const ChosenEntries all(data.x, variables_);
    const double cells =
        static_cast<double>(data.rows.rows()) * static_cast<double>(all.columns.offsets.size());
    if (static_cast<double>(all.values.size()) < dense_share * cells)
        return of_entries(data, p, all);
    const auto pack = [&](Index row, Index v0, Index v1, double* out) {
        std::fill(out, out + (v1 - v0), 0.0);
        for (Index e = all.offsets[row]; e < all.offsets[row + 1]; ++e)
            for (const Index v : all.variables[all.positions[e]])
                if (v >= v0 && v < v1) out[v - v0] = all.values[e];
    };
    if (!effort.single || !of_rows_single(data, p, effort, pack)) of_rows(data, p, effort, pack);
}

// Gustavson's product, row after row of H.
void GramModel::of_entries(const LogisticData& data, const double* p, const ChosenEntries& all) {
    const Index n = data.rows.rows(), margins = data.rows.margins();
    const double* s = data.rows.weights();
    const auto curvature = [&](Index i, Index c, Index e) {
        const double q = p[c * n + i];
        return s[i] * q * (c == e ? 1.0 - q : -p[e * n + i]);
    };
    constexpr Index group = 16;
    parallel_for(pieces(size_, group), [&](Index g, Checkpoint& checkpoint) {
        for (Index v = g * group; v < std::min(size_, (g + 1) * group); ++v) {
            checkpoint();
            const Index c = variables_.margin[v], at = all.position(variables_.feature[v]);
            double* out = hessian_.data() + v * ld_;
            for (Index e = all.columns.offsets[at]; e < all.columns.offsets[at + 1]; ++e) {
                const Index i = all.columns.rows[e];
                const double x = all.columns.values[e], own = x * curvature(i, c, c);
                for (Index f = all.offsets[i]; f < all.offsets[i + 1]; ++f)
                    for (const Index u : all.variables[all.positions[f]]) {
                        if (u > v) break;
                        const Index d = variables_.margin[u];
                        out[u] += all.values[f] * (d == c ? own : x * curvature(i, c, d));
                    }
                for (Index u = size_; u < width_; ++u)
                    hessian_[u * ld_ + v] += x * curvature(i, c, u - size_);
            }
        }
    });
    for (Index c = 0; c < margins && width_ > size_; ++c)
        for (Index e = 0; e <= c; ++e)
            for (Index i = 0; i < n; ++i)
                hessian_[(size_ + c) * ld_ + size_ + e] += curvature(i, c, e);
}

// H ← A − B C⁻¹ Bᵀ, with C made definite along the direction that shifts all intercepts, on which
// B is zero.
void GramModel::eliminate_intercepts(Index margins) {
    double trace = 0.0;
    for (Index c = 0; c < margins; ++c) trace += hessian_[(size_ + c) * ld_ + size_ + c];
    if (!(trace > 0.0)) return;
    std::vector<double> corner(margins * margins);
    for (Index c = 0; c < margins; ++c)
        for (Index e = 0; e <= c; ++e)
            corner[c * margins + e] = hessian_[(size_ + c) * ld_ + size_ + e] +
                                      (margins > 1 ? trace / (margins * margins) : 0.0) +
                                      (c == e ? 1e-15 * trace : 0.0);
    if (!factor_small(corner, margins)) return;
    Buffer half(area(margins, size_));  // L⁻¹Bᵀ
    for (Index c = 0; c < margins; ++c)
        for (Index v = 0; v < size_; ++v) {
            double sum = hessian_[(size_ + c) * ld_ + v];
            for (Index e = 0; e < c; ++e) sum -= corner[c * margins + e] * half[e * size_ + v];
            half[c * size_ + v] = sum / corner[c * margins + c];
        }
    parallel_for(size_, [&](Index v, Checkpoint&) {
        for (Index c = 0; c < margins; ++c) {
            const double factor = half[c * size_ + v];
            for (Index u = 0; u <= v; ++u) hessian_[v * ld_ + u] -= factor * half[c * size_ + u];
        }
    });
}

void GramModel::move(Index k, double change) {
    scan::kernels().add_rows(hessian_.data() + k * ld_, 1, ld_, size_, &change, q_.data());
}

void GramModel::place(const std::vector<double>& delta) {
    q_ = g_;
    scan::kernels().add_rows(hessian_.data(), size_, ld_, size_, delta.data(), q_.data());
}

double GramModel::quadratic(const std::vector<double>& delta) const {
    double sum = 0.0;
    for (Index k = 0; k < size_; ++k) sum += 0.5 * delta[k] * (g_[k] + q_[k]);
    return sum;
}

void GramModel::extend(const Variables& more, const std::vector<double>& curvature) {
    const Index size = size_ + more.size(), ld = padded_stride(size);
    Buffer wider(area(size, ld));
    for (Index k = 0; k < size_; ++k)
        std::copy_n(hessian_.data() + k * ld_, size_, wider.data() + k * ld);
    for (Index k = size_; k < size; ++k) wider[k * ld + k] = curvature[k - size_];
    hessian_ = std::move(wider);
    diagonal_.insert(diagonal_.end(), curvature.begin(), curvature.end());
    variables_.margin.insert(variables_.margin.end(), more.margin.begin(), more.margin.end());
    variables_.feature.insert(variables_.feature.end(), more.feature.begin(), more.feature.end());
    size_ = width_ = size;
    ld_ = ld;
}

void GramModel::learn(const std::vector<double>& step, const std::vector<double>& change) {
    std::vector<double> old(size_, 0.0);  // Hs
    scan::kernels().add_rows(hessian_.data(), size_, ld_, size_, step.data(), old.data());
    double expected = 0.0, found = 0.0;
    for (Index k = 0; k < size_; ++k) expected += step[k] * old[k], found += step[k] * change[k];
    if (!(expected > 0.0 && found > unlikely * expected && found < expected / unlikely)) return;
    parallel_for(pieces(size_, block_rows), [&](Index g, Checkpoint&) {
        for (Index k = g * block_rows; k < std::min(size_, (g + 1) * block_rows); ++k) {
            const double a = -old[k] / expected, b = change[k] / found;
            double* row = hessian_.data() + k * ld_;
            for (Index j = 0; j < size_; ++j) row[j] += a * old[j] + b * change[j];
            diagonal_[k] = std::max(row[k], 0.0);
        }
    });
}

double GramModel::condition(const std::vector<Index>& chosen, double l2) const {
    const auto m = static_cast<Index>(chosen.size());
    std::vector<double> scale(m);
    for (Index a = 0; a < m; ++a) {
        const double h = diagonal_[chosen[a]] + l2;
        scale[a] = h > 0.0 ? 1.0 / std::sqrt(h) : 0.0;
    }
    const auto times = [&](const double* v, double* out) {
        for (Index a = 0; a < m; ++a) {
            const double* row = hessian_.data() + chosen[a] * ld_;
            double sum = 0.0;
            for (Index b = 0; b < m; ++b) sum += row[chosen[b]] * scale[b] * v[b];
            out[a] = scale[a] * (sum + l2 * scale[a] * v[a]);
        }
    };
    return lanczos_condition(m, times);
}

ColumnModel::ColumnModel(const LogisticData& data, const double* probability, Index margin,
                         const std::vector<Index>& features)
    : ColumnModel(data.x, curvatures(data, probability, margin), features, data.shift,
                  data.intercept) {}

ColumnModel::ColumnModel(const Design& x, Buffer d, const std::vector<Index>& features,
                         const double* shift, bool intercept)
    : n_(x.rows()),
      size_(static_cast<Index>(features.size())),
      sparse_(x.sparse()),
      d_(std::move(d)),
      image_(n_),
      dense_(sparse_ ? 0 : area(n_, size_)),
      curvature_(size_),
      mean_(size_, 0.0) {
    for (Index i = 0; i < n_; ++i) total_ += d_[i];
    if (sparse_) {
        columns_ = x.take(features);
    } else {
        constexpr Index rows = 64;
        parallel_for(pieces(n_, rows), [&](Index g, Checkpoint&) {
            const Index first = g * rows, count = std::min(rows, n_ - first);
            Buffer block(area(count, size_));
            for (Index i = 0; i < count; ++i)
                x.pack(first + i, features.data(), size_, shift, block.data() + i * size_);
            for (Index k = 0; k < size_; ++k)
                for (Index i = 0; i < count; ++i) dense_[k * n_ + first + i] = block[i * size_ + k];
        });
    }
    constexpr Index group = 16;
    parallel_for(pieces(size_, group), [&](Index g, Checkpoint& checkpoint) {
        for (Index k = g * group; k < std::min(size_, (g + 1) * group); ++k) {
            checkpoint();
            double square = 0.0, sum = 0.0;
            over(k, [&](Index i, double v) { square += d_[i] * v * v, sum += d_[i] * v; });
            if (intercept && total_ > 0.0) mean_[k] = sum / total_;
            curvature_[k] = std::max(square - mean_[k] * mean_[k] * total_, 0.0);
        }
    });
}

template <class Body>
void ColumnModel::over(Index k, const Body& body) const {
    if (sparse_) {
        for (Index e = columns_.offsets[k]; e < columns_.offsets[k + 1]; ++e)
            body(columns_.rows[e], columns_.values[e]);
        return;
    }
    const double* column = dense_.data() + k * n_;
    for (Index i = 0; i < n_; ++i) body(i, column[i]);
}

void ColumnModel::start(std::vector<double> gradient) {
    g_ = std::move(gradient);
    std::fill(image_.data(), image_.data() + n_, 0.0);
    offset_ = 0.0;
}

double ColumnModel::gradient(Index k) const {
    double sum = 0.0;
    over(k, [&](Index i, double x) { sum += x * d_[i] * image_[i]; });
    return g_[k] + sum - mean_[k] * total_ * offset_;
}

void ColumnModel::move(Index k, double change) {
    double* image = image_.data();
    over(k, [&](Index i, double x) { image[i] += change * x; });
    offset_ += change * mean_[k];
}

void ColumnModel::place(const std::vector<double>& delta) {
    start(std::move(g_));
    for (Index k = 0; k < size_; ++k)
        if (delta[k] != 0.0) move(k, delta[k]);
}

double ColumnModel::quadratic(const std::vector<double>& delta) const {
    double linear = 0.0, square = 0.0;
    for (Index k = 0; k < size_; ++k) linear += g_[k] * delta[k];
    for (Index i = 0; i < n_; ++i) square += d_[i] * image_[i] * image_[i];
    return linear + 0.5 * (square - total_ * offset_ * offset_);
}

}  // namespace stylobate::descend
