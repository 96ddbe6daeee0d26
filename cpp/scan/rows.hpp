// Rows of [X, Y] with weights, as the scans see them: packed block by block, centred and scaled.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "scan/kernels.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/views.hpp"

namespace stylobate::scan {

// A stretch of memory worth fetching early.
struct Range {
    const void* at = nullptr;
    Index bytes = 0;
};

// Rows that can be read where they lie: doubles, each row without holes. Null if they cannot.
struct RowsInPlace {
    const double* data = nullptr;
    Index stride = 0;
};

inline void pack(const MatrixView<double>& x, const double* shift, double* out, Index ld) {
    kernels().pack_f64(x, shift, out, ld);
}
inline void pack(const MatrixView<float>& x, const double* shift, double* out, Index ld) {
    kernels().pack_f32(x, shift, out, ld);
}

template <class T>
class DenseFeatures {
 public:
    explicit DenseFeatures(MatrixView<T> x) : x_(x) {}
    Index rows() const { return x_.rows; }
    Index cols() const { return x_.cols; }

    // out[k][j] = x[first + k][j] − shift[j]
    void pack(Index first, Index count, const double* shift, double* out, Index ld) const {
        if (x_.cols == 0) return;
        scan::pack({x_.row(first), count, x_.cols, x_.row_stride, x_.col_stride}, shift, out, ld);
    }

    Range range(Index first, Index count) const {
        const bool dense_rows =
            x_.rows_contiguous() && x_.row_stride >= x_.cols && x_.row_stride <= 2 * x_.cols;
        if (!dense_rows || first >= x_.rows) return {};
        count = std::min(count, x_.rows - first);
        return {x_.row(first), count * x_.row_stride * static_cast<Index>(sizeof(T))};
    }

    RowsInPlace in_place([[maybe_unused]] Index first) const {
        if constexpr (std::is_same_v<T, double>)
            if (x_.rows_contiguous() && x_.cols > 0) return {x_.row(first), x_.row_stride};
        return {};
    }

 private:
    MatrixView<T> x_;
};

// Compressed rows, packed as dense blocks: beyond about one entry in a hundred the dense product
// is the faster one, and centring first keeps the digits.
template <class T, class I>
class SparseFeatures {
 public:
    explicit SparseFeatures(SparseView<T, I> x) : x_(x) {}
    Index rows() const { return x_.major; }
    Index cols() const { return x_.minor; }

    void pack(Index first, Index count, const double* shift, double* out, Index ld) const {
        for (Index k = 0; k < count; ++k, out += ld) {
            for (Index j = 0; j < x_.minor; ++j) out[j] = -shift[j];
            for (I e = x_.offsets[first + k]; e < x_.offsets[first + k + 1]; ++e)
                out[x_.indices[e]] += static_cast<double>(x_.values[e]);
        }
    }

    Range range(Index, Index) const { return {}; }
    const SparseView<T, I>& view() const { return x_; }
    RowsInPlace in_place(Index) const { return {}; }

 private:
    SparseView<T, I> x_;
};

// Some of the rows by their numbers, in that order; null: all of them, as they lie.
struct Order {
    const std::int64_t* rows = nullptr;
    Index count = 0;
};

// The rows [x, y, 1]·√w of features, targets and weights; `y.cols` may be 0, `weights` null.
template <class Features>
class Rows {
 public:
    Rows(Features x, MatrixView<double> y, const double* weights, Order order = {})
        : x_(x), y_(y), weights_(weights), order_(order) {}
    Rows in_order(Order order) const { return Rows(x_, y_, weights_, order); }
    Index count() const { return order_.rows == nullptr ? x_.rows() : order_.count; }
    Index cols() const { return x_.cols() + y_.cols + 1; }  // the ones come last

    // [x − shift, y − shift, 1], without weights; shift has cols() − 1 entries
    void values(Index first, Index count, const double* shift, double* out, Index ld) const {
        if (order_.rows == nullptr)
            copy(first, count, shift, out, ld);
        else
            for (Index k = 0; k < count; ++k)
                copy(order_.rows[first + k], 1, shift, out + k * ld, ld);
        for (Index k = 0; k < count; ++k) out[k * ld + cols() - 1] = 1.0;
    }

    void pack(Index first, Index count, const double* shift, double* out, Index ld) const {
        values(first, count, shift, out, ld);
        if (weights_ == nullptr) return;
        for (Index k = 0; k < count; ++k) {
            const double root = std::sqrt(weight(first + k));
            for (Index j = 0; j < cols(); ++j) out[k * ld + j] *= root;
        }
    }

    Range range(Index first, Index count) const {
        return order_.rows == nullptr ? x_.range(first, count) : Range{};
    }
    double weight(Index at) const {
        if (weights_ == nullptr) return 1.0;
        return weights_[order_.rows == nullptr ? at : order_.rows[at]];
    }

    // A row of weight zero is no row.
    Index count_positive(Index first, Index last) const {
        if (weights_ == nullptr) return last - first;
        Index positive = 0;
        for (Index at = first; at < last; ++at) positive += weight(at) > 0.0;
        return positive;
    }

 private:
    void copy(Index row, Index count, const double* shift, double* out, Index ld) const {
        x_.pack(row, count, shift, out, ld);
        if (y_.cols > 0)
            scan::pack({y_.row(row), count, y_.cols, y_.row_stride, y_.col_stride},
                       shift + x_.cols(), out + x_.cols(), ld);
    }

    Features x_;
    MatrixView<double> y_;
    const double* weights_;
    Order order_;
};

}  // namespace stylobate::scan
