// Rows as stochastic methods use them: one at a time, in any order, dense or compressed.
#pragma once

#include <algorithm>

#include "descend/row_kernels.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

constexpr Index line_bytes = 64;
constexpr Index most_lines = 32;  // to ask for ahead: the machine itself follows longer rows

// Inlined everywhere: compilers take a function that only fetches for one without effect.
template <int locality>
[[gnu::always_inline]] inline void fetch_early(const void* at, Index bytes) {
    const char* byte = static_cast<const char*>(at);
    const Index lines = std::min(most_lines, (bytes + line_bytes - 1) / line_bytes);
    for (Index k = 0; k < lines; ++k) __builtin_prefetch(byte + k * line_bytes, 0, locality);
}
constexpr int soon = 3, later = 2;  // into the first and into the second cache

// Rows whose entries lie side by side.
template <class T>
class DenseRows {
 public:
    static constexpr bool sparse = false;

    explicit DenseRows(MatrixView<T> x) : x_(x), kernels_(row_kernels()) {}
    Index rows() const { return x_.rows; }
    Index cols() const { return x_.cols; }
    Index entries(Index) const { return x_.cols; }
    const T* row(Index i) const { return x_.row(i); }

    double dot(Index i, const double* w) const {
        if constexpr (sizeof(T) == sizeof(double))
            return kernels_.dot_f64(row(i), w, x_.cols);
        else
            return kernels_.dot_f32(row(i), w, x_.cols);
    }
    void add(Index i, double a, double* w) const {
        if constexpr (sizeof(T) == sizeof(double))
            kernels_.add_f64(a, row(i), w, x_.cols);
        else
            kernels_.add_f32(a, row(i), w, x_.cols);
    }
    double centred_dot(Index i, const double* center, const double* w) const {
        if constexpr (sizeof(T) == sizeof(double))
            return kernels_.centred_dot_f64(row(i), center, w, x_.cols);
        else
            return kernels_.centred_dot_f32(row(i), center, w, x_.cols);
    }
    void saga(const SagaStep& how, Index i, const double* center, double* w, double* g) const {
        if constexpr (sizeof(T) == sizeof(double))
            kernels_.saga_f64(how, row(i), center, w, g, x_.cols);
        else
            kernels_.saga_f32(how, row(i), center, w, g, x_.cols);
    }
    // visit(column, entry) of entries that are not zero
    template <class Visit>
    void each(Index i, const Visit& visit) const {
        const T* x = row(i);
        for (Index j = 0; j < x_.cols; ++j)
            if (x[j] != T{0}) visit(j, static_cast<double>(x[j]));
    }
    Index row_bytes() const { return x_.cols * static_cast<Index>(sizeof(T)); }
    template <int when>
    [[gnu::always_inline]] void fetch(Index i) const {
        fetch_early<when>(row(i), row_bytes());
    }

 private:
    MatrixView<T> x_;
    const RowKernels& kernels_;
};

template <class T, class I>
class SparseRows {
 public:
    static constexpr bool sparse = true;

    explicit SparseRows(SparseView<T, I> x) : x_(x) {}
    Index rows() const { return x_.major; }
    Index cols() const { return x_.minor; }
    Index entries(Index i) const { return x_.offsets[i + 1] - x_.offsets[i]; }

    template <class Visit>
    void each(Index i, const Visit& visit) const {
        for (I e = x_.offsets[i]; e < x_.offsets[i + 1]; ++e)
            visit(static_cast<Index>(x_.indices[e]), static_cast<double>(x_.values[e]));
    }
    double dot(Index i, const double* w) const {
        double sum = 0.0;
        each(i, [&](Index j, double x) { sum += x * w[j]; });
        return sum;
    }
    void add(Index i, double a, double* w) const {
        each(i, [&](Index j, double x) { w[j] += a * x; });
    }
    Index row_bytes() const {  // on average
        const Index entries = x_.offsets[x_.major] / std::max<Index>(x_.major, 1);
        return entries * static_cast<Index>(sizeof(T) + sizeof(I));
    }
    template <int when>
    [[gnu::always_inline]] void fetch(Index i) const {
        const I e = x_.offsets[i];
        const Index n = entries(i);
        fetch_early<when>(x_.values + e, n * static_cast<Index>(sizeof(T)));
        fetch_early<when>(x_.indices + e, n * static_cast<Index>(sizeof(I)));
    }

 private:
    SparseView<T, I> x_;
};

template <class Rows>
double squared_length(const Rows& rows, Index i) {
    double sum = 0.0;
    rows.each(i, [&](Index, double x) { sum += x * x; });
    return sum;
}

}  // namespace stylobate::descend
