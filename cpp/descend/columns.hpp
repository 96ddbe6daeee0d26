// Columns of a matrix as coordinate descent needs them: dense of either order, or compressed.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "descend/dense.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

class Columns {
 public:
    virtual ~Columns() = default;
    virtual Index rows() const = 0;
    virtual Index cols() const = 0;
    virtual bool sparse() const = 0;

    // out[f][j − first] = Σᵢ x[i][j]·r[f][i] for first ≤ j < last and f < n_r
    virtual void correlate(Index first, Index last, const double* r, Index n_r, Index ldr,
                           double* out, Index ldo) const = 0;

    // The same with x² in place of x.
    virtual void squares(Index first, Index last, const double* r, Index n_r, Index ldr,
                         double* out, Index ldo) const = 0;

    // out[c][i] = x[first + i][which[c]] for some rows
    virtual void gather(const Index* which, Index count, Index first, Index rows, double* out,
                        Index ld) const = 0;

    // y += a·x of one column
    virtual void add(Index j, double a, double* y) const = 0;

    // The same with every row times its weight.
    virtual void add_weighted(Index j, double a, const double* weights, double* y) const = 0;

    // Numbers that are stored.
    virtual Index entries() const = 0;
};

template <class T>
class DenseColumns final : public Columns {
 public:
    // Rows or columns must be contiguous.
    explicit DenseColumns(MatrixView<T> x) : x_(x) {}
    Index rows() const override { return x_.rows; }
    Index cols() const override { return x_.cols; }
    bool sparse() const override { return false; }

    void correlate(Index first, Index last, const double* r, Index n_r, Index ldr, double* out,
                   Index ldo) const override {
        const auto [rows, columns] = products(x_.data);
        sum(rows, columns, first, last, r, n_r, ldr, out, ldo);
    }

    void squares(Index first, Index last, const double* r, Index n_r, Index ldr, double* out,
                 Index ldo) const override {
        const auto [rows, columns] = of_squares(x_.data);
        sum(rows, columns, first, last, r, n_r, ldr, out, ldo);
    }

    void gather(const Index* which, Index count, Index first, Index rows, double* out,
                Index ld) const override {
        constexpr Index line = 8;  // rows at a time: a cache line of the output
        if (x_.rows_contiguous()) {
            for (Index i = 0; i < rows; i += line)
                for (Index c = 0; c < count; ++c) {
                    const T* at = x_.row(first + i) + which[c];
                    for (Index l = 0; l < std::min(line, rows - i); ++l)
                        out[c * ld + i + l] = static_cast<double>(at[l * x_.row_stride]);
                }
            return;
        }
        for (Index c = 0; c < count; ++c)
            for (Index i = 0; i < rows; ++i)
                out[c * ld + i] = static_cast<double>(x_(first + i, which[c]));
    }

    void add(Index j, double a, double* y) const override {
        for (Index i = 0; i < x_.rows; ++i) y[i] += a * static_cast<double>(x_(i, j));
    }

    void add_weighted(Index j, double a, const double* weights, double* y) const override {
        for (Index i = 0; i < x_.rows; ++i) y[i] += a * weights[i] * static_cast<double>(x_(i, j));
    }

    Index entries() const override { return x_.rows * x_.cols; }

 private:
    // Kernels for contiguous rows and for contiguous columns.
    template <class U>
    using Pair = std::pair<DenseKernels::Sums<U>*, DenseKernels::Sums<U>*>;
    static Pair<double> products(const double*) {
        return {dense().correlate_rows_f64, dense().correlate_columns_f64};
    }
    static Pair<float> products(const float*) {
        return {dense().correlate_rows_f32, dense().correlate_columns_f32};
    }
    static Pair<double> of_squares(const double*) {
        return {dense().squares_rows_f64, dense().squares_columns_f64};
    }
    static Pair<float> of_squares(const float*) {
        return {dense().squares_rows_f32, dense().squares_columns_f32};
    }

    void sum(DenseKernels::Sums<T>* rows, DenseKernels::Sums<T>* columns, Index first, Index last,
             const double* r, Index n_r, Index ldr, double* out, Index ldo) const {
        for (Index f = 0; f < n_r; ++f)
            std::fill(out + f * ldo, out + f * ldo + (last - first), 0.0);
        const T* x = x_.data + first * x_.col_stride;
        if (x_.rows_contiguous())
            rows(x, x_.rows, x_.row_stride, last - first, r, n_r, ldr, out, ldo);
        else
            columns(x, x_.rows, x_.col_stride, last - first, r, n_r, ldr, out, ldo);
    }

    MatrixView<T> x_;
};

// Compressed columns (CSC).
template <class T, class I>
class SparseColumns final : public Columns {
 public:
    explicit SparseColumns(SparseView<T, I> x) : x_(x) {}
    Index rows() const override { return x_.minor; }
    Index cols() const override { return x_.major; }
    bool sparse() const override { return true; }

    void correlate(Index first, Index last, const double* r, Index n_r, Index ldr, double* out,
                   Index ldo) const override {
        sum([](double x) { return x; }, first, last, r, n_r, ldr, out, ldo);
    }

    void squares(Index first, Index last, const double* r, Index n_r, Index ldr, double* out,
                 Index ldo) const override {
        sum([](double x) { return x * x; }, first, last, r, n_r, ldr, out, ldo);
    }

    void gather(const Index* which, Index count, Index first, Index rows, double* out,
                Index ld) const override {
        for (Index c = 0; c < count; ++c) {
            std::fill(out + c * ld, out + c * ld + rows, 0.0);
            for (I e = x_.offsets[which[c]]; e < x_.offsets[which[c] + 1]; ++e) {
                const Index i = x_.indices[e] - first;
                if (i >= 0 && i < rows) out[c * ld + i] = static_cast<double>(x_.values[e]);
            }
        }
    }

    void add(Index j, double a, double* y) const override {
        for (I e = x_.offsets[j]; e < x_.offsets[j + 1]; ++e)
            y[x_.indices[e]] += a * static_cast<double>(x_.values[e]);
    }

    void add_weighted(Index j, double a, const double* weights, double* y) const override {
        for (I e = x_.offsets[j]; e < x_.offsets[j + 1]; ++e)
            y[x_.indices[e]] += a * weights[x_.indices[e]] * static_cast<double>(x_.values[e]);
    }

    Index entries() const override { return static_cast<Index>(x_.offsets[x_.major]); }

 private:
    template <class Of>
    void sum(const Of& of, Index first, Index last, const double* r, Index n_r, Index ldr,
             double* out, Index ldo) const {
        for (Index j = first; j < last; ++j)
            for (Index f = 0; f < n_r; ++f) {
                double total = 0.0;
                for (I e = x_.offsets[j]; e < x_.offsets[j + 1]; ++e)
                    total += of(static_cast<double>(x_.values[e])) * r[f * ldr + x_.indices[e]];
                out[f * ldo + (j - first)] = total;
            }
    }

    SparseView<T, I> x_;
};

}  // namespace stylobate::descend
