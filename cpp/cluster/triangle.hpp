// The upper triangle of a symmetric matrix, row by row.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::cluster {

class Triangle {
 public:
    Triangle(double* values, Index n) : values_(values), n_(n) {}
    Index size() const { return n_; }
    // row(i)[j] is the entry (i, j), j > i.
    struct Row {
        double* values;
        Index offset;
        double& operator[](Index j) const { return values[offset + j]; }
    };
    Row row(Index i) const { return {values_, i * (2 * n_ - i - 1) / 2 - i - 1}; }
    double& at(Index i, Index j) const { return i < j ? row(i)[j] : row(j)[i]; }
    static Index entries(Index n) { return n * (n - 1) / 2; }

    // Only these rows and columns, in order; what is read lies never before what is written.
    template <class Kept>
    void keep(const Kept& kept) {
        const Triangle old = *this;
        n_ = static_cast<Index>(kept.size());
        for (Index i = 0; i < n_; ++i) {
            const Row from = old.row(kept[i]);
            const Row to = row(i);
            for (Index j = i + 1; j < n_; ++j) to[j] = from[kept[j]];
        }
    }

 private:
    double* values_;
    Index n_;
};

}  // namespace stylobate::cluster
