// The largest entries of windows, a row of places at a time.
#include "network/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

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

}  // namespace

void largest_f32(const PoolRow<float>& row) {
    largest(row);
}
void largest_f64(const PoolRow<double>& row) {
    largest(row);
}

}  // namespace stylobate::STYLOBATE_ISA
