#include "scan/class_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index block_rows = 192;           // rows per packed block: they stay in cache
constexpr Index unit_rows = 4096;           // rows one chunk of the loop absorbs, at least
constexpr Index max_units = 256;            // all units' states are kept until merged in order …
constexpr Index max_state_bytes = 1 << 25;  // … within this much memory
constexpr Index probe_rows = 8;             // rows of a class whose mean is its provisional centre
// A centre so far from the mean, in squared standard deviations, that three digits go: take the
// mean and read the unit's rows again.
constexpr double far = 1e3;

// What the rows of one unit add up to, about a centre of each class.
struct Unit {
    Unit(Index classes, Index cols, Index scatter_size)
        : k(classes),
          p(cols),
          scatter(scatter_size),
          center(k * p),
          low(k * p),
          weight(k),
          rows(k) {}
    Index k, p;
    Buffer scatter;            // first, as the largest: what is too much is refused first
    Buffer center, low;        // centres, and sums of deviations; later the centre is center + low
    Buffer weight, rows;       // of each class
    std::vector<Index> codes;  // of the unit's rows

    // Deviations become means about the centre.
    void divide() {
        for (Index c = 0; c < k; ++c)
            for (Index j = c * p; j < (c + 1) * p; ++j)
                low[j] = weight[c] > 0.0 ? low[j] / weight[c] : 0.0;
    }
    void move_to_mean() {
        for (Index j = 0; j < k * p; ++j) center[j] += low[j];
        clear();
    }
    void clear() {
        for (Buffer* each : {&scatter, &low, &weight, &rows})
            std::fill(each->data(), each->data() + each->size(), 0.0);
    }

    // Means of both units' rows: add(c, j) follows with the difference of the centres of class c.
    template <class Add>
    void merge(Unit& other, const Add& add) {
        for (Index c = 0; c < k; ++c) {
            const double n1 = weight[c], n2 = other.weight[c], n = n1 + n2;
            rows[c] += other.rows[c];
            if (n2 == 0.0) continue;
            double* delta = other.low.data() + c * p;
            for (Index j = 0; j < p; ++j) {
                const Index at = c * p + j;
                if (n1 == 0.0) {
                    center[at] = other.center[at];
                    low[at] = delta[j];
                    delta[j] = 0.0;
                } else {
                    delta[j] = (other.center[at] - center[at]) + (delta[j] - low[at]);
                    low[at] += n2 / n * delta[j];
                }
            }
            add(c, n1 * (n2 / n), delta);
            weight[c] = n;
        }
    }
};

template <class Features>
double weight_of(const LabelledRows<Features>& rows, Index k) {
    return rows.weights == nullptr ? 1.0 : rows.weights[k];
}

template <class Features>
void read_codes(const LabelledRows<Features>& rows, Index first, Index last, Unit& unit) {
    unit.codes.resize(last - first);
    for (Index k = first; k < last; ++k) {
        const double code = rows.codes[k];
        if (!(code >= 0.0 && code < static_cast<double>(rows.classes)))
            throw InvalidArgument("a class number that is not there");
        unit.codes[k - first] = static_cast<Index>(code);
    }
}

// The mean of the first rows of each class, about the first of them: a column that is constant
// within a class is centred exactly.
template <class Features>
void probe(const LabelledRows<Features>& rows, Index first, Index last, Unit& unit) {
    const Index p = unit.p;
    std::vector<Index> seen(unit.k, 0);
    Buffer row(p), zero(p), sums(unit.k * p);
    Index left = unit.k;
    for (Index k = first; k < last && left > 0; ++k) {
        const Index c = unit.codes[k - first];
        if (seen[c] == probe_rows || weight_of(rows, k) == 0.0) continue;
        double* center = unit.center.data() + c * p;
        if (seen[c] == 0) {
            rows.x.pack(k, 1, zero.data(), center, p);
        } else {
            rows.x.pack(k, 1, center, row.data(), p);
            for (Index j = 0; j < p; ++j) sums[c * p + j] += row[j];
        }
        if (++seen[c] == probe_rows) --left;
    }
    for (Index c = 0; c < unit.k; ++c)
        for (Index j = c * p; j < (c + 1) * p && seen[c] > 1; ++j)
            unit.center[j] += sums[j] / static_cast<double>(seen[c]);
}

// How rows are cut into units.
struct Cut {
    Cut(Index rows, Index state) {
        const Index bytes = std::max<Index>(1, state * static_cast<Index>(sizeof(double)));
        const Index most = std::clamp(max_state_bytes / bytes, Index{4}, max_units);
        size = std::max(unit_rows, (rows + most - 1) / most);
        count = std::max<Index>(1, (rows + size - 1) / size);
    }
    Index size, count;
};

// Squares of each class and column.
template <class Features>
struct Diagonal {
    const LabelledRows<Features>& rows;
    Index scatter_size() const { return area(rows.classes, rows.x.cols()); }

    void absorb(Index first, Index last, Unit& unit, Checkpoint& checkpoint) const {
        const Index p = unit.p, ld = padded_stride(p);
        Buffer block(area(block_rows, ld)), zero(p);
        for (Index at = first; at < last; at += block_rows) {
            checkpoint();
            const Index count = std::min(block_rows, last - at);
            RowsInPlace there = rows.x.in_place(at);
            if (there.data == nullptr) {
                rows.x.pack(at, count, zero.data(), block.data(), ld);
                there = {block.data(), ld};
            }
            kernels().add_class_rows(there.data, count, there.stride, p,
                                     unit.codes.data() + (at - first),
                                     rows.weights == nullptr ? nullptr : rows.weights + at,
                                     unit.center.data(), unit.low.data(), unit.scatter.data());
        }
    }

    // Σw(x − m)² = Σw(x − s)² − n d²; false where d, the way from s to m, is too long.
    bool finish(Unit& unit) const {
        bool near = true;
        for (Index c = 0; c < unit.k; ++c)
            for (Index j = c * unit.p; j < (c + 1) * unit.p; ++j) {
                const double moved = unit.weight[c] * unit.low[j] * unit.low[j];
                unit.scatter[j] -= moved;
                near = near && !(moved > far * unit.scatter[j]);
                unit.scatter[j] = unit.scatter[j] < 0.0 ? 0.0 : unit.scatter[j];
            }
        return near;
    }

    static void add(Unit& unit, const Unit& other, Index c, double cross, const double* delta) {
        for (Index j = 0; j < unit.p; ++j)
            unit.scatter[c * unit.p + j] +=
                other.scatter[c * unit.p + j] + cross * delta[j] * delta[j];
    }
    static void add_all(Unit&, const Unit&) {}

    static void store(const Unit& unit, std::vector<double>& out) {
        out.assign(unit.scatter.data(), unit.scatter.data() + unit.k * unit.p);
    }
};

// Products of columns, rows of all classes together, each about the centre of its own.
template <class Features>
struct Pooled {
    const LabelledRows<Features>& rows;
    Index ld = padded_stride(rows.x.cols());
    Index scatter_size() const { return area(rows.x.cols(), ld); }

    void absorb(Index first, Index last, Unit& unit, Checkpoint& checkpoint) const {
        const Index p = unit.p;
        Buffer block(area(block_rows, ld));
        for (Index at = first; at < last; at += block_rows) {
            checkpoint();
            const Index count = std::min(block_rows, last - at);
            for (Index k = 0; k < count; ++k) {
                const Index c = unit.codes[at - first + k];
                double* row = block.data() + k * ld;
                rows.x.pack(at + k, 1, unit.center.data() + c * p, row, ld);
                const double w = weight_of(rows, at + k), root = std::sqrt(w);
                kernels().add_rows(row, 1, ld, p, &w, unit.low.data() + c * p);
                for (Index j = 0; j < p && root != 1.0; ++j) row[j] *= root;
            }
            const Range next = rows.x.range(at + count, std::min(block_rows, last - at - count));
            kernels().gram(block.data(), count, ld, 0, p, unit.scatter.data(), ld, next.at,
                           next.bytes);
        }
    }

    bool finish(Unit& unit) const {
        const Index p = unit.p;
        Buffer moved(p);
        for (Index c = 0; c < unit.k; ++c) {
            const double* d = unit.low.data() + c * p;
            if (unit.weight[c] == 0.0) continue;
            for (Index j = 0; j < p; ++j) {
                const double scale = unit.weight[c] * d[j];
                moved[j] += scale * d[j];
                for (Index i = 0; i <= j; ++i) unit.scatter[j * ld + i] -= scale * d[i];
            }
        }
        bool near = true;
        for (Index j = 0; j < p; ++j) {
            double& own = unit.scatter[j * ld + j];
            near = near && !(moved[j] > far * own);
            own = own < 0.0 ? 0.0 : own;
        }
        return near;
    }

    static void add(Unit& unit, const Unit&, Index, double cross, const double* delta) {
        const Index ld = padded_stride(unit.p);
        for (Index j = 0; j < unit.p && cross > 0.0; ++j) {
            const double scale = cross * delta[j];
            for (Index i = 0; i <= j; ++i) unit.scatter[j * ld + i] += scale * delta[i];
        }
    }
    static void add_all(Unit& unit, const Unit& other) {
        for (Index i = 0; i < unit.scatter.size(); ++i) unit.scatter[i] += other.scatter[i];
    }

    static void store(const Unit& unit, std::vector<double>& out) {
        const Index p = unit.p, ld = padded_stride(p);
        out.resize(area(p, p));
        for (Index j = 0; j < p; ++j)
            for (Index i = 0; i <= j; ++i)
                out[i * p + j] = out[j * p + i] = unit.scatter[j * ld + i];
    }
};

template <class Features>
void count_rows(const LabelledRows<Features>& rows, Index first, Index last, Unit& unit) {
    for (Index k = first; k < last; ++k) {
        const double w = weight_of(rows, k);
        unit.weight[unit.codes[k - first]] += w;
        unit.rows[unit.codes[k - first]] += w > 0.0 ? 1.0 : 0.0;
    }
}

ClassMoments stored(const Unit& unit) {
    ClassMoments result;
    const Index size = unit.k * unit.p;
    result.n_rows.assign(unit.rows.data(), unit.rows.data() + unit.k);
    result.weight.assign(unit.weight.data(), unit.weight.data() + unit.k);
    result.mean.resize(size);
    for (Index j = 0; j < size; ++j) result.mean[j] = unit.center[j] + unit.low[j];
    return result;
}

template <class Form, class Features>
ClassMoments collected(const LabelledRows<Features>& rows) {
    const Form form{rows};
    const Index n = rows.x.rows(), k = rows.classes, p = rows.x.cols();
    const Cut cut(n, form.scatter_size() + 2 * area(k, p + 1));
    std::vector<Unit> units;
    units.reserve(cut.count);
    for (Index u = 0; u < cut.count; ++u) units.emplace_back(k, p, form.scatter_size());
    parallel_for(cut.count, [&](Index u, Checkpoint& checkpoint) {
        const Index first = u * cut.size, last = std::min(n, first + cut.size);
        Unit& unit = units[u];
        read_codes(rows, first, last, unit);
        probe(rows, first, last, unit);
        for (int pass = 0; pass < 2; ++pass) {
            count_rows(rows, first, last, unit);
            form.absorb(first, last, unit, checkpoint);
            unit.divide();
            if (form.finish(unit) || pass == 1) break;
            unit.move_to_mean();
        }
        std::vector<Index>().swap(unit.codes);
    });
    Unit& whole = units[0];
    for (Index u = 1; u < cut.count; ++u) {
        Form::add_all(whole, units[u]);
        whole.merge(units[u], [&](Index c, double cross, const double* delta) {
            Form::add(whole, units[u], c, cross, delta);
        });
    }
    ClassMoments result = stored(whole);
    Form::store(whole, result.scatter);
    return result;
}

template <class T>
void add_row(const DenseFeatures<T>& x, Index k, double w, double* row, const double* zero,
             double* sums) {
    const Index p = x.cols();
    const RowsInPlace there = x.in_place(k);
    if (there.data == nullptr) x.pack(k, 1, zero, row, p);
    kernels().add_rows(there.data == nullptr ? row : there.data, 1, p, p, &w, sums);
}

template <class T, class I>
void add_row(const SparseFeatures<T, I>& x, Index k, double w, double*, const double*,
             double* sums) {
    const SparseView<T, I>& view = x.view();
    for (I e = view.offsets[k]; e < view.offsets[k + 1]; ++e)
        sums[view.indices[e]] += w * static_cast<double>(view.values[e]);
}

}  // namespace

template <class Features>
ClassMoments diagonal_class_moments(const LabelledRows<Features>& rows) {
    return collected<Diagonal<Features>>(rows);
}

template <class Features>
ClassMoments pooled_class_moments(const LabelledRows<Features>& rows) {
    return collected<Pooled<Features>>(rows);
}

template <class Features>
ClassMoments class_sums(const LabelledRows<Features>& rows) {
    const Index n = rows.x.rows(), k = rows.classes, p = rows.x.cols();
    const Cut cut(n, 2 * area(k, p + 1));
    std::vector<Unit> units;
    units.reserve(cut.count);
    for (Index u = 0; u < cut.count; ++u) units.emplace_back(k, p, 0);
    parallel_for(cut.count, [&](Index u, Checkpoint& checkpoint) {
        const Index first = u * cut.size, last = std::min(n, first + cut.size);
        Unit& unit = units[u];
        read_codes(rows, first, last, unit);
        count_rows(rows, first, last, unit);
        Buffer row(p), zero(p);
        for (Index at = first; at < last; ++at) {
            if ((at - first) % block_rows == 0) checkpoint();
            add_row(rows.x, at, weight_of(rows, at), row.data(), zero.data(),
                    unit.low.data() + unit.codes[at - first] * p);
        }
    });
    for (Index u = 1; u < cut.count; ++u) {
        for (Index j = 0; j < k * p; ++j) units[0].low[j] += units[u].low[j];
        for (Index c = 0; c < k; ++c) {
            units[0].weight[c] += units[u].weight[c];
            units[0].rows[c] += units[u].rows[c];
        }
    }
    return stored(units[0]);
}

#define STYLOBATE_INSTANTIATE(...)                                                  \
    template ClassMoments diagonal_class_moments(const LabelledRows<__VA_ARGS__>&); \
    template ClassMoments pooled_class_moments(const LabelledRows<__VA_ARGS__>&);   \
    template ClassMoments class_sums(const LabelledRows<__VA_ARGS__>&);
STYLOBATE_INSTANTIATE(DenseFeatures<double>)
STYLOBATE_INSTANTIATE(DenseFeatures<float>)
STYLOBATE_INSTANTIATE(SparseFeatures<double, std::int32_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<double, std::int64_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<float, std::int32_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<float, std::int64_t>)
#undef STYLOBATE_INSTANTIATE

}  // namespace stylobate::scan
