// C = A·B + start: tiles of rows (broadcast from A, of any strides) × two vectors (loaded from B).
//
// The inner length is cut into blocks whose strips of B stay in the nearest cache while the tiles
// of rows pass by; sums of a block go on from those of the last one.
#include "network/kernels.hpp"
#include "network/lanes.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::Product;
using network::RowSum;
using network::strip;

// with two vectors each: as many sums as hide the latency of an addition and fit the registers
constexpr Index tile_rows =
    STYLOBATE_VECTOR_BYTES == 64 ? 12 : (STYLOBATE_VECTOR_BYTES == 32 ? 6 : 4);
constexpr Index inner_block = 256;

enum class Begin { zero, start, sums };

template <class T, Index vectors>
void tile(const Product<T>& task, Index i, Index j, Index first, Index count, Begin begin,
          bool floor) {
    using Vector = typename Lanes<T>::Vector;
    using Loose = typename Lanes<T>::Loose;
    constexpr Index lanes = STYLOBATE_VECTOR_BYTES / static_cast<Index>(sizeof(T));
    T* c = task.c + i * task.c_row + j;
    Vector sum[tile_rows][vectors];
    for (Index r = 0; r < tile_rows; ++r)
        for (Index v = 0; v < vectors; ++v) {
            const T* from = begin == Begin::start ? task.start + j : c + r * task.c_row;
            sum[r][v] =
                begin == Begin::zero ? Vector{} : *reinterpret_cast<const Loose*>(from + v * lanes);
        }
    const Index a_row = task.a_row, a_col = task.a_col, b_row = task.b_row;
    const T* a = task.a + i * a_row + first * a_col;
    const T* b = task.b + (j / strip<T>)*task.b_strip + first * b_row + j % strip<T>;
    for (Index l = 0; l < count; ++l, a += a_col, b += b_row) {
        Vector x[vectors];
        for (Index v = 0; v < vectors; ++v) x[v] = *reinterpret_cast<const Loose*>(b + v * lanes);
        for (Index r = 0; r < tile_rows; ++r) {
            const Vector y = a[r * a_row] - Vector{};  // broadcast
            for (Index v = 0; v < vectors; ++v) sum[r][v] += x[v] * y;
        }
    }
    for (Index r = 0; r < tile_rows; ++r)
        for (Index v = 0; v < vectors; ++v) {
            if (floor) sum[r][v] = sum[r][v] < 0 ? Vector{} : sum[r][v];  // NaN stays
            *reinterpret_cast<Loose*>(c + r * task.c_row + v * lanes) = sum[r][v];
        }
}

template <class T>
void multiply(const Product<T>& task) {
    constexpr Index lanes = STYLOBATE_VECTOR_BYTES / static_cast<Index>(sizeof(T));
    Index first = 0;
    do {
        const Index left = task.inner - first;
        const Index count = left < inner_block ? left : inner_block;
        const bool floor = task.floor && count == left;
        const Begin begin = first > 0 || task.adds
                                ? Begin::sums
                                : (task.start != nullptr ? Begin::start : Begin::zero);
        for (Index j = 0; j < task.cols; j += 2 * lanes)
            for (Index i = 0; i < task.rows; i += tile_rows) {
                if (task.cols - j > lanes)
                    tile<T, 2>(task, i, j, first, count, begin, floor);
                else
                    tile<T, 1>(task, i, j, first, count, begin, floor);
            }
        first += count;
    } while (first < task.inner);
}

template <class T>
void add(T f, const T* x, Index n, T* y) {
    for (Index i = 0; i < n; ++i) y[i] += f * x[i];
}

// Rows that are read once, several at a time: the sums then are seldom in the way.
template <class T>
void sum_rows(const RowSum<T>& s) {
    constexpr Index together = 8;
    Index l = 0;
    for (; l + together <= s.rows; l += together) {
        const T* x = s.x + l * s.x_row;
        T f[together];
        for (Index k = 0; k < together; ++k) f[k] = s.factors[(l + k) * s.factor_step];
        T* __restrict y = s.y;
        for (Index i = 0; i < s.cols; ++i) {
            T sum = y[i];
            for (Index k = 0; k < together; ++k) sum += f[k] * x[k * s.x_row + i];
            y[i] = sum;
        }
    }
    for (; l < s.rows; ++l) add(s.factors[l * s.factor_step], s.x + l * s.x_row, s.cols, s.y);
}

}  // namespace

void product_f32(const Product<float>& task) {
    multiply(task);
}
void product_f64(const Product<double>& task) {
    multiply(task);
}
void add_rows_f32(const RowSum<float>& sum) {
    sum_rows(sum);
}
void add_rows_f64(const RowSum<double>& sum) {
    sum_rows(sum);
}
void add_f32(float f, const float* x, Index n, float* y) {
    add(f, x, n, y);
}
void add_f64(double f, const double* x, Index n, double* y) {
    add(f, x, n, y);
}

}  // namespace stylobate::STYLOBATE_ISA
