// Rows of a factor with whole cache lines each, as the kernels take them.
#pragma once

#include <algorithm>

#include "embed/nonnegative.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::embed {

inline Index padded_width(Index k) {
    return (k + 7) / 8 * 8;
}

struct PaddedFactor {
    Index rows, k, ld;
    Buffer data;

    explicit PaddedFactor(Factor f) : rows(f.rows), k(f.k), ld(padded_width(f.k)) {
        data = Buffer(area(rows, ld));
        for (Index i = 0; i < rows; ++i)
            std::copy(f.data + i * k, f.data + (i + 1) * k, data.data() + i * ld);
    }
    const double* row(Index i) const { return data.data() + i * ld; }
};

// The same numbers as k rows, padded to a whole number of `step` columns.
struct TransposedFactor {
    Index k, cols, ld;
    Buffer data;

    TransposedFactor(Factor f, Index step) : k(f.k), cols(f.rows) {
        ld = (cols + step - 1) / step * step + 8;
        data = Buffer(area(k, ld));
        for (Index j = 0; j < cols; ++j)
            for (Index t = 0; t < k; ++t) data[t * ld + j] = f.data[j * k + t];
    }
};

}  // namespace stylobate::embed
