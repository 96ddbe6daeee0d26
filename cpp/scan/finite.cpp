#include "scan/finite.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

// x·0 is 0 for every finite x and NaN otherwise, so a sum of such products tells for a whole
// stretch.
template <class T>
bool stretch_is_finite(const T* x, Index n, Index stride) {
    T sums[8] = {};
    Index k = 0;
    if (stride == 1)
        for (; k + 8 <= n; k += 8)
            for (Index lane = 0; lane < 8; ++lane) sums[lane] += x[k + lane] * T(0);
    for (; k < n; ++k) sums[0] += x[k * stride] * T(0);
    T total = 0;
    for (const T sum : sums) total += sum;
    return total == T(0);
}

}  // namespace

template <class T>
std::optional<std::pair<Index, Index>> first_nonfinite(const MatrixView<T>& x) {
    if (x.rows == 0 || x.cols == 0) return std::nullopt;
    const Index chunk = std::max<Index>(1, (Index{1} << 16) / x.cols);
    const Index n_chunks = (x.rows + chunk - 1) / chunk;
    const bool by_rows = x.rows_contiguous();
    std::vector<char> bad(n_chunks, 0);
    parallel_for(n_chunks, [&](Index c, Checkpoint&) {
        const Index first = c * chunk, count = std::min(chunk, x.rows - first);
        bool finite = true;
        if (by_rows && (x.row_stride == x.cols))
            finite = stretch_is_finite(x.row(first), count * x.cols, 1);
        else if (by_rows)
            for (Index i = 0; i < count; ++i)
                finite = stretch_is_finite(x.row(first + i), x.cols, 1) && finite;
        else
            for (Index j = 0; j < x.cols; ++j)
                finite = stretch_is_finite(&x(first, j), count, x.row_stride) && finite;
        bad[c] = !finite;
    });
    const auto found = std::find(bad.begin(), bad.end(), 1);
    if (found == bad.end()) return std::nullopt;
    for (Index i = (found - bad.begin()) * chunk; i < x.rows; ++i)
        for (Index j = 0; j < x.cols; ++j)
            if (!std::isfinite(x(i, j))) return std::pair{i, j};
    return std::nullopt;
}

template std::optional<std::pair<Index, Index>> first_nonfinite(const MatrixView<double>&);
template std::optional<std::pair<Index, Index>> first_nonfinite(const MatrixView<float>&);

}  // namespace stylobate::scan
