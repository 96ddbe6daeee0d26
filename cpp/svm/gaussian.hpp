// The Gaussian kernel e^(−γ‖x − y‖²) of one table in single precision: blocks, and products with a
// vector that are summed in double precision.
//
// Exponents come from centred rows, so their error is about 1e-7 γ times the largest squared norm;
// `error` bounds it, and callers refuse tables for which that is too much.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::svm {

class SingleGaussian {
 public:
    SingleGaussian(const MatrixView<double>& x, double gamma);

    Index rows() const { return rows_; }
    double error() const;  // of an exponent, at most

    // out[i] = Σⱼ κ(x of queries[i], x of rows[j]) v[j]
    void multiply(const Index* queries, Index n_queries, const Index* rows, Index n_rows,
                  const double* v, double* out) const;
    // out[i · stride + j] = κ(x of queries[i], x of rows[j])
    void write(const Index* queries, Index n_queries, const Index* rows, Index n_rows, float* out,
               Index stride) const;
    // The same of n rows with themselves, from half of the values; rows of out are n apart.
    void write_symmetric(const Index* rows, Index n, float* out) const;

 private:
    struct Packed;
    Packed packed(const Index* rows, Index n) const;
    // start(queries) makes what one chunk's tiles of exponents are given to; `upper`: rows before
    // a chunk's first query are left out
    template <class Start>
    void over_tiles(const Index* queries, Index n, const Packed& packed, bool upper,
                    const Start& start) const;
    template <class Consume>
    void over_values(const Index* queries, Index n, const Packed& packed, bool upper,
                     const Consume& consume) const;

    Index rows_, cols_;
    double gamma_, widest_ = 0.0;  // the largest squared norm
    std::vector<float> x_;         // centred, row after row
    std::vector<float> norms_;     // −γ‖x‖² / log 2
};

}  // namespace stylobate::svm
