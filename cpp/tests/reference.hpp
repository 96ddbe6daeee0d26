// Data in every layout, and the naive long double answers the kernels are compared with.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "scan/rows.hpp"
#include "stylobate/views.hpp"

namespace stylobate::tests {

// A matrix and the memory it lies in, with space around it that belongs to nobody.
template <class T>
struct Matrix {
    std::vector<T> memory;
    MatrixView<T> view;

    T& at(Index i, Index j) { return const_cast<T&>(view(i, j)); }
};

enum class Layout { rows, columns, padded_rows, strided, reversed };
inline constexpr Layout layouts[] = {Layout::rows, Layout::columns, Layout::padded_rows,
                                     Layout::strided, Layout::reversed};

template <class T>
Matrix<T> make_matrix(Index rows, Index cols, Layout layout) {
    Index row_stride = cols, col_stride = 1, first = 0;
    switch (layout) {
        case Layout::rows:
            break;
        case Layout::columns:
            row_stride = 1, col_stride = rows;
            break;
        case Layout::padded_rows:
            row_stride = cols + 3;
            break;
        case Layout::strided:
            col_stride = 2, row_stride = 2 * cols + 1;
            break;
        case Layout::reversed:
            row_stride = -cols, col_stride = -1, first = rows * cols - 1;
            break;
    }
    Matrix<T> x;
    x.memory.assign(static_cast<std::size_t>(2 * (rows + 1) * (cols + 3)), T(0));
    x.view = {x.memory.data() + std::max<Index>(first, 0), rows, cols, row_stride, col_stride};
    return x;
}

// Normal numbers with a mean far from zero, so that careless sums would show.
template <class T>
Matrix<T> random_matrix(Index rows, Index cols, Layout layout, unsigned seed) {
    Matrix<T> x = make_matrix<T>(rows, cols, layout);
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j)
            x.at(i, j) = static_cast<T>(10.0 * static_cast<double>(j % 7) + normal(engine));
    return x;
}

inline std::vector<double> random_weights(Index n, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> uniform(0.0, 2.0);
    std::vector<double> weights(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = i % 5 == 0 ? 0.0 : uniform(engine);
    return weights;
}

// The compressed rows of a matrix of which every third entry, roughly, is kept.
template <class T, class I>
struct Compressed {
    std::vector<T> values;
    std::vector<I> indices, offsets{0};
    Matrix<T> dense;

    explicit Compressed(Matrix<T> x) : dense(std::move(x)) {
        for (Index i = 0; i < dense.view.rows; ++i) {
            for (Index j = 0; j < dense.view.cols; ++j)
                if ((i * 7 + j * 5) % 3 == 0) {
                    indices.push_back(static_cast<I>(j));
                    values.push_back(dense.view(i, j));
                } else {
                    dense.at(i, j) = T(0);
                }
            offsets.push_back(static_cast<I>(values.size()));
        }
    }
    SparseView<T, I> view() const {
        return {values.data(), indices.data(), offsets.data(), dense.view.rows, dense.view.cols};
    }
};

struct NaiveMoments {
    long double weight = 0;
    std::vector<long double> mean, scatter;
};

// Two passes in long double over the columns of [x, y].
template <class T>
NaiveMoments naive_moments(const MatrixView<T>& x, const MatrixView<double>& y,
                           const double* weights) {
    const Index p = x.cols, q = p + y.cols;
    const auto z = [&](Index i, Index j) {
        return static_cast<long double>(j < p ? static_cast<double>(x(i, j)) : y(i, j - p));
    };
    NaiveMoments result;
    result.mean.assign(q, 0);
    result.scatter.assign(q * q, 0);
    const auto w = [&](Index i) { return weights == nullptr ? 1.0L : weights[i]; };
    for (Index i = 0; i < x.rows; ++i) {
        result.weight += w(i);
        for (Index j = 0; j < q; ++j) result.mean[j] += w(i) * z(i, j);
    }
    for (long double& mean : result.mean) mean = result.weight > 0 ? mean / result.weight : 0;
    for (Index i = 0; i < x.rows; ++i)
        for (Index j = 0; j < q; ++j)
            for (Index l = 0; l < q; ++l)
                result.scatter[j * q + l] +=
                    w(i) * (z(i, j) - result.mean[j]) * (z(i, l) - result.mean[l]);
    return result;
}

}  // namespace stylobate::tests
