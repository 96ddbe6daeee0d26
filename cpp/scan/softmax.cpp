#include "scan/softmax.hpp"

#include <limits>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index block_rows = 128;           // rows whose margins are held at a time
constexpr Index unit_rows = 1024;           // the least a chunk of the loop absorbs
constexpr Index max_units = 64;             // all units' sums are kept until merged in order …
constexpr Index max_state_bytes = 1 << 28;  // … within this much memory
constexpr Index merge_columns = 1 << 13;    // numbers one chunk of the merge adds up

// Dense rows: packed, centred blocks; outputs padded to whole cache lines where there are several.
template <class T>
class DenseBlocks {
 public:
    DenseBlocks(const DenseFeatures<T>& x, const double* center, Index outputs)
        : x_(x),
          center_(center),
          width_(stride(outputs)),
          ld_(padded_stride(x.cols())),
          block_(area(block_rows, ld_)) {}

    static Index stride(Index outputs) { return outputs == 1 ? 1 : (outputs + 7) / 8 * 8; }
    static double entries(const DenseFeatures<T>& x) {
        return static_cast<double>(x.rows()) * static_cast<double>(x.cols());
    }

    void read(Index first, Index count) {
        count_ = count;
        x_.pack(first, count, center_, block_.data(), ld_);
    }
    void times(const double* coef, double* z) const {
        if (width_ == 1)
            kernels().row_products(block_.data(), count_, ld_, x_.cols(), coef, z);
        else
            kernels().multiply(block_.data(), count_, ld_, 1, x_.cols(), coef, width_, width_, z,
                               width_);
    }
    void add_squares(const double* d, double* sums) const {
        for (Index k = 0; k < count_; ++k) {
            const double* row = block_.data() + k * ld_;
            for (Index j = 0; j < x_.cols(); ++j) sums[j] += d[k] * row[j] * row[j];
        }
    }
    void add(const double* d, double* sums) const {
        if (width_ == 1)
            kernels().add_rows(block_.data(), count_, ld_, x_.cols(), d, sums);
        else
            kernels().multiply(block_.data(), x_.cols(), 1, ld_, count_, d, width_, width_, sums,
                               width_);
    }

 private:
    const DenseFeatures<T>& x_;
    const double* center_;
    Index width_, ld_, count_ = 0;
    Buffer block_;
};

// Compressed rows as they are: centring them would fill them.
template <class T, class I>
class SparseBlocks {
 public:
    SparseBlocks(const SparseFeatures<T, I>& x, const double*, Index outputs)
        : x_(x.view()), width_(outputs) {}

    static Index stride(Index outputs) { return outputs; }
    static double entries(const SparseFeatures<T, I>& x) {
        return static_cast<double>(x.view().offsets[x.rows()]);
    }

    void read(Index first, Index count) {
        first_ = first;
        count_ = count;
    }
    void times(const double* coef, double* z) const {
        for (Index k = 0; k < count_; ++k, z += width_) {
            const I begin = x_.offsets[first_ + k], end = x_.offsets[first_ + k + 1];
            if (width_ == 1) {
                z[0] = dot(coef, begin, end);
                continue;
            }
            for (I e = begin; e < end; ++e) {
                const double value = static_cast<double>(x_.values[e]);
                const double* row = coef + x_.indices[e] * width_;
                for (Index c = 0; c < width_; ++c) z[c] += value * row[c];
            }
        }
    }
    void add_squares(const double* d, double* sums) const {
        for (Index k = 0; k < count_; ++k)
            for (I e = x_.offsets[first_ + k]; e < x_.offsets[first_ + k + 1]; ++e) {
                const double value = static_cast<double>(x_.values[e]);
                sums[x_.indices[e]] += d[k] * value * value;
            }
    }
    void add(const double* d, double* sums) const {
        for (Index k = 0; k < count_; ++k, d += width_) {
            const I end = x_.offsets[first_ + k + 1];
            for (I e = x_.offsets[first_ + k]; e < end; ++e) {
                const double value = static_cast<double>(x_.values[e]);
                double* row = sums + x_.indices[e] * width_;
                for (Index c = 0; c < width_; ++c) row[c] += value * d[c];
            }
        }
    }

 private:
    // Four sums at once: the loads of one need not wait for the additions of another.
    double dot(const double* coef, I e, I end) const {
        double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
        for (; e + 4 <= end; e += 4) {
            a += static_cast<double>(x_.values[e]) * coef[x_.indices[e]];
            b += static_cast<double>(x_.values[e + 1]) * coef[x_.indices[e + 1]];
            c += static_cast<double>(x_.values[e + 2]) * coef[x_.indices[e + 2]];
            d += static_cast<double>(x_.values[e + 3]) * coef[x_.indices[e + 3]];
        }
        for (; e < end; ++e) a += static_cast<double>(x_.values[e]) * coef[x_.indices[e]];
        return (a + b) + (c + d);
    }

    SparseView<T, I> x_;
    Index width_, first_ = 0, count_ = 0;
};

template <class T>
DenseBlocks<T> blocks_of(const DenseFeatures<T>& x, const double* center, Index outputs) {
    return {x, center, outputs};
}
template <class T, class I>
SparseBlocks<T, I> blocks_of(const SparseFeatures<T, I>& x, const double* center, Index outputs) {
    return {x, center, outputs};
}

// What happens to the margins z of a block, in place: they become the rows' factors in the sums.
// Returns Σ w·ℓ of the block.
struct Differentiate {
    const std::int64_t* codes;
    const double* weights;
    double* probabilities;
    Index outputs;

    static double join(double sum, double part) { return sum + part; }

    double operator()(Index first, Index count, double* z, Index ld, double* scratch) const {
        double value =
            outputs == 1 ? two(first, count, z, scratch) : many(first, count, z, ld, scratch);
        if (weights == nullptr) return value;
        value = 0.0;
        for (Index k = 0; k < count; ++k) {
            const double w = weights[first + k];
            value += w == 0.0 ? 0.0 : w * scratch[k];  // a row of no weight is no row
            for (Index c = 0; c < outputs; ++c) z[k * ld + c] *= w;
        }
        return value;
    }

    // scratch[k] receives the loss of row k, here and below
    double two(Index first, Index count, double* z, double* scratch) const {
        double* p = probabilities + first;
        kernels().logistic(z, count, p, scratch);
        double value = 0.0;
        for (Index k = 0; k < count; ++k) {
            const double y = static_cast<double>(codes[first + k]);
            scratch[k] += std::max(z[k], 0.0) - y * z[k];
            value += scratch[k];
            z[k] = p[k] - y;
        }
        return value;
    }

    double many(Index first, Index count, double* z, Index ld, double* scratch) const {
        for (Index k = 0; k < count; ++k) {
            double* row = z + k * ld;
            const double top = *std::max_element(row, row + outputs);
            scratch[k] = top - row[codes[first + k]];
            for (Index c = 0; c < outputs; ++c) row[c] -= top;
            // the padding's exponentials are never read; zeros keep them cheap
        }
        kernels().exp(z, count * ld, z);
        double value = 0.0;
        for (Index k = 0; k < count; ++k) {
            double* row = z + k * ld;
            double sum = 0.0;
            for (Index c = 0; c < outputs; ++c) sum += row[c];
            scratch[k] += std::log(sum);
            value += scratch[k];
            double* p = probabilities + (first + k) * outputs;
            for (Index c = 0; c < outputs; ++c) row[c] = p[c] = row[c] / sum;
            row[codes[first + k]] -= 1.0;
            for (Index c = outputs; c < ld; ++c) row[c] = 0.0;
        }
        return value;
    }
};

// The curvature of the loss times a change of margins: w(diag p − ppᵀ)z.
struct Curve {
    const double* weights;
    const double* probabilities;
    Index outputs;

    static double join(double widest, double part) { return std::max(widest, part); }

    double operator()(Index first, Index count, double* z, Index ld, double*) const {
        double widest = 0.0;
        for (Index k = 0; k < count; ++k) {
            const double w = weights == nullptr ? 1.0 : weights[first + k];
            double* row = z + k * ld;
            const double* p = probabilities + (first + k) * outputs;
            if (w > 0.0) widest = std::max(widest, spread(row));
            if (outputs == 1) {
                row[0] *= w * p[0] * (1.0 - p[0]);
                continue;
            }
            double mean = 0.0;
            for (Index c = 0; c < outputs; ++c) mean += p[c] * row[c];
            for (Index c = 0; c < outputs; ++c) row[c] = w * p[c] * (row[c] - mean);
        }
        return widest;
    }

    double spread(const double* row) const {
        if (outputs == 1) return std::abs(row[0]);
        const auto [low, high] = std::minmax_element(row, row + outputs);
        return *high - *low;
    }
};

struct Unit {
    double value = 0.0;
    Buffer coef, intercept;
};

// Sums of all units, added in order: columns side by side.
void merge(std::vector<Unit>& units) {
    const Index size = units[0].coef.size();
    parallel_for((size + merge_columns - 1) / merge_columns, [&](Index g, Checkpoint&) {
        const Index first = g * merge_columns, last = std::min(size, first + merge_columns);
        double* sum = units[0].coef.data();
        for (std::size_t u = 1; u < units.size(); ++u) {
            const double* part = units[u].coef.data();
            for (Index i = first; i < last; ++i) sum[i] += part[i];
        }
    });
}

// As many units as keep all cores busy, but few enough that adding them up costs little.
template <class Blocks, class Features>
Index rows_of_unit(const Features& x, Index size) {
    const Index by_memory = max_state_bytes / std::max<Index>(1, 8 * size);
    const auto by_work =
        static_cast<Index>(Blocks::entries(x) / (4.0 * std::max<Index>(x.cols(), 1)));
    const Index most = std::clamp(std::min(by_memory, by_work), Index{1}, max_units);
    return std::max(unit_rows, (x.rows() + most - 1) / most);
}

template <class Features, class Epilogue>
SoftmaxSums pass(const ClassRows<Features>& rows, const double* coef, const double* intercept,
                 const Epilogue& epilogue) {
    using Blocks = decltype(blocks_of(rows.x, rows.center, rows.outputs));
    const Index n = rows.x.rows(), p = rows.x.cols(), outputs = rows.outputs;
    const Index ld = Blocks::stride(outputs), size = area(p, ld);
    Buffer padded(coef == nullptr ? 0 : size);
    for (Index j = 0; j < p && coef != nullptr; ++j)
        std::copy(coef + j * outputs, coef + (j + 1) * outputs, padded.data() + j * ld);

    const Index unit = rows_of_unit<Blocks>(rows.x, size);
    const Index n_units = std::max<Index>(1, (n + unit - 1) / unit);
    std::vector<Unit> units(n_units);

    parallel_for(n_units, [&](Index u, Checkpoint& checkpoint) {
        Unit& own = units[u];
        own.coef = Buffer(size);
        own.intercept = Buffer(outputs);
        Blocks blocks = blocks_of(rows.x, rows.center, outputs);
        Buffer z(block_rows * ld), scratch(block_rows);
        const Index end = std::min(n, (u + 1) * unit);
        for (Index first = u * unit; first < end; first += block_rows) {
            checkpoint();
            const Index count = std::min(block_rows, end - first);
            std::fill(z.data(), z.data() + count * ld, 0.0);
            blocks.read(first, count);
            if (coef != nullptr) blocks.times(padded.data(), z.data());
            for (Index k = 0; k < count; ++k)
                for (Index c = 0; c < outputs; ++c) z[k * ld + c] += intercept[c];
            own.value =
                Epilogue::join(own.value, epilogue(first, count, z.data(), ld, scratch.data()));
            for (Index k = 0; k < count; ++k)
                for (Index c = 0; c < outputs; ++c) own.intercept[c] += z[k * ld + c];
            blocks.add(z.data(), own.coef.data());
        }
    });
    merge(units);

    SoftmaxSums sums;
    sums.coef.resize(area(p, outputs));
    sums.intercept.assign(outputs, 0.0);
    for (Index j = 0; j < p; ++j)
        for (Index c = 0; c < outputs; ++c) sums.coef[j * outputs + c] = units[0].coef[j * ld + c];
    for (const Unit& u : units) {
        sums.value = Epilogue::join(sums.value, u.value);
        for (Index c = 0; c < outputs; ++c) sums.intercept[c] += u.intercept[c];
    }
    return sums;
}

}  // namespace

template <class Features>
SoftmaxSums softmax_step(const ClassRows<Features>& rows, const double* coef,
                         const double* intercept, double* probabilities) {
    return pass(rows, coef, intercept,
                Differentiate{rows.codes, rows.weights, probabilities, rows.outputs});
}

template <class Features>
SoftmaxSums softmax_product(const ClassRows<Features>& rows, const double* coef,
                            const double* intercept, const double* probabilities) {
    return pass(rows, coef, intercept, Curve{rows.weights, probabilities, rows.outputs});
}

template <class Features>
std::vector<double> column_squares(const ClassRows<Features>& rows) {
    using Blocks = decltype(blocks_of(rows.x, rows.center, 1));
    const Index n = rows.x.rows(), p = rows.x.cols(), unit = rows_of_unit<Blocks>(rows.x, p);
    std::vector<Unit> units(std::max<Index>(1, (n + unit - 1) / unit));
    parallel_for(static_cast<Index>(units.size()), [&](Index u, Checkpoint& checkpoint) {
        units[u].coef = Buffer(p);
        Blocks blocks = blocks_of(rows.x, rows.center, 1);
        std::vector<double> ones(block_rows, 1.0);
        const Index end = std::min(n, (u + 1) * unit);
        for (Index first = u * unit; first < end; first += block_rows) {
            checkpoint();
            blocks.read(first, std::min(block_rows, end - first));
            const double* w = rows.weights == nullptr ? ones.data() : rows.weights + first;
            blocks.add_squares(w, units[u].coef.data());
        }
    });
    merge(units);
    return {units[0].coef.data(), units[0].coef.data() + p};
}

#define STYLOBATE_INSTANTIATE(...)                                                                 \
    template SoftmaxSums softmax_step(const ClassRows<__VA_ARGS__>&, const double*, const double*, \
                                      double*);                                                    \
    template SoftmaxSums softmax_product(const ClassRows<__VA_ARGS__>&, const double*,             \
                                         const double*, const double*);                            \
    template std::vector<double> column_squares(const ClassRows<__VA_ARGS__>&);
STYLOBATE_INSTANTIATE(DenseFeatures<double>)
STYLOBATE_INSTANTIATE(DenseFeatures<float>)
STYLOBATE_INSTANTIATE(SparseFeatures<double, std::int32_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<double, std::int64_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<float, std::int32_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<float, std::int64_t>)
#undef STYLOBATE_INSTANTIATE

}  // namespace stylobate::scan
