// The largest entries of windows, a row of places at a time.
#include "network/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::PoolHalves;
using network::PoolRow;

// NaN is larger than all; of equal entries the first one counts. A stride that the compiler knows
// makes vectors.
template <Index known, class T>
void raise(const PoolRow<T>& row) {
    const int stride = known > 0 ? static_cast<int>(known) : static_cast<int>(row.stride);
    const int n = static_cast<int>(row.count);
    const T* __restrict x = row.x;
    T* __restrict best = row.best;
    for (int j = 0; j < n; ++j) {
        const T value = x[j * stride], old = best[j];
        best[j] = (value > old) | (value != value) ? value : old;
    }
}

template <Index known, class T>
void raise_at(const PoolRow<T>& row) {
    const int stride = known > 0 ? static_cast<int>(known) : static_cast<int>(row.stride);
    const int n = static_cast<int>(row.count), first = row.first;
    const T* __restrict x = row.x;
    T* __restrict best = row.best;
    int* __restrict at = row.at;
    for (int j = 0; j < n; ++j) {
        const T value = x[j * stride], old = best[j];
        const int was = at[j], now = first + j * stride;
        const bool wins = (value > old) | ((value != value) & (old == old));
        best[j] = wins ? value : old;
        at[j] = wins ? now : was;
    }
}

template <class T>
void largest(const PoolRow<T>& row) {
    if (row.at != nullptr)
        return row.stride == 1   ? raise_at<1>(row)
               : row.stride == 2 ? raise_at<2>(row)
                                 : raise_at<0>(row);
    return row.stride == 1 ? raise<1>(row) : row.stride == 2 ? raise<2>(row) : raise<0>(row);
}

// There is no NaN here. No branches either: which entry is the largest cannot be foreseen, and rows
// may be shorter than a vector.
template <class T>
void write_halves(const PoolHalves<T>& h) {
    for (Index i = 0; i < h.rows; ++i) {
        const T *up = h.x + 2 * i * h.width, *down = up + h.width;
        T* __restrict y = h.y + i * h.columns;
        for (Index j = 0; j < h.columns; ++j, up += 2, down += 2) {
            const T first = up[1] > up[0] ? up[1] : up[0];
            const T second = down[1] > down[0] ? down[1] : down[0];
            y[j] = second > first ? second : first;
        }
    }
}

template <class T>
void write_halves_back(const PoolHalves<T>& h) {
    const Index places[4] = {0, 1, h.width, h.width + 1};
    for (Index i = 0; i < h.rows; ++i) {
        const T *up = h.x + 2 * i * h.width, *down = up + h.width, *y = h.y + i * h.columns;
        T* d = h.dx + 2 * i * h.width;
        for (Index j = 0; j < h.columns; ++j, up += 2, down += 2, d += 2) {
            const T first = up[1] > up[0] ? up[1] : up[0];
            const T second = down[1] > down[0] ? down[1] : down[0];
            const T most = second > first ? second : first;
            const int a = up[0] != most, b = a & (up[1] != most), c = b & (down[0] != most);
            d[0] = d[1] = d[h.width] = d[h.width + 1] = T(0);
            d[places[a + b + c]] = y[j];
        }
    }
}

}  // namespace

void halve_f32(const PoolHalves<float>& h) {
    return h.dx == nullptr ? write_halves(h) : write_halves_back(h);
}
void halve_f64(const PoolHalves<double>& h) {
    return h.dx == nullptr ? write_halves(h) : write_halves_back(h);
}
void largest_f32(const PoolRow<float>& row) {
    largest(row);
}
void largest_f64(const PoolRow<double>& row) {
    largest(row);
}

}  // namespace stylobate::STYLOBATE_ISA
