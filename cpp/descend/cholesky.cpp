#include "descend/cholesky.hpp"

#include <cmath>

#include "descend/dense.hpp"

namespace stylobate::descend {

Index cholesky(double* a, Index n, Index ld, const double* floors) {
    for (Index i = 0; i < n; ++i) {
        double* row = a + i * ld;
        for (Index j = 0; j < i; ++j)
            row[j] = (row[j] - dense().dot(row, a + j * ld, j)) / a[j * ld + j];
        const double pivot = row[i] - dense().dot(row, row, i);
        if (!(pivot > (floors == nullptr ? 0.0 : floors[i]))) return i;
        row[i] = std::sqrt(pivot);
    }
    return n;
}

}  // namespace stylobate::descend
