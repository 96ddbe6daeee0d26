#include "descend/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "descend/dense.hpp"

namespace stylobate::descend {
namespace {

constexpr Index block = 48;

// Rows of the panel right of the diagonal block, each by forward substitution.
void solve_rows(const double* corner, Index width, double* rows, Index count, Index ld) {
    const DenseKernels& k = dense();
    for (Index i = 0; i < count; ++i) {
        double* row = rows + i * ld;
        for (Index j = 0; j < width; ++j)
            row[j] = (row[j] - k.dot(row, corner + j * ld, j)) / corner[j * ld + j];
    }
}

}  // namespace

bool cholesky(double* a, Index n, Index ld, double tolerance, Checkpoint& checkpoint) {
    const DenseKernels& k = dense();
    std::vector<double> update(static_cast<std::size_t>(n * block));
    std::vector<double> diagonal(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) diagonal[i] = a[i * ld + i];
    for (Index j0 = 0; j0 < n; j0 += block) {
        checkpoint();
        const Index width = std::min(block, n - j0), below = n - j0;
        std::fill(update.begin(), update.begin() + below * width, 0.0);
        double* panel = a + j0 * ld;
        k.products(panel, below, ld, panel, width, ld, j0, update.data(), width);
        for (Index i = 0; i < below; ++i)
            for (Index j = 0; j < std::min(width, i + 1); ++j)
                panel[i * ld + j0 + j] -= update[i * width + j];
        double* corner = panel + j0;
        for (Index j = 0; j < width; ++j) {
            double* row = corner + j * ld;
            for (Index i = 0; i < j; ++i)
                row[i] = (row[i] - k.dot(row, corner + i * ld, i)) / corner[i * ld + i];
            const double pivot = row[j] - k.dot(row, row, j);
            if (!(pivot > tolerance * diagonal[j0 + j])) return false;
            row[j] = std::sqrt(pivot);
        }
        solve_rows(corner, width, corner + width * ld, below - width, ld);
    }
    return true;
}

void cholesky_solve(const double* l, Index n, Index ld, double* x) {
    const DenseKernels& k = dense();
    for (Index i = 0; i < n; ++i) x[i] = (x[i] - k.dot(l + i * ld, x, i)) / l[i * ld + i];
    for (Index i = n - 1; i >= 0; --i) {
        x[i] /= l[i * ld + i];
        k.axpy(-x[i], l + i * ld, x, i);
    }
}

}  // namespace stylobate::descend
