#include "network/matrix_product.hpp"

#include <algorithm>

#include "network/block.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::network {
namespace {

constexpr Index block_rows = 48;

template <class T>
Block<T> packed_strips(const Strided<T>& b) {
    const Index strips = (b.cols + strip<T> - 1) / strip<T>;
    Block<T> packed(strips, b.rows * strip<T>);
    for (Index s = 0; s < strips; ++s) {
        const Index from = s * strip<T>, to = std::min(b.cols, from + strip<T>);
        for (Index l = 0; l < b.rows; ++l)
            for (Index j = from; j < to; ++j) packed.row(s)[l * strip<T> + j - from] = b(l, j);
    }
    return packed;
}

constexpr Index many_entries = Index{1} << 20;  // of B: packed whole it would be read twice

template <class T>
Block<T> packed_rows(const Strided<T>& a) {
    Block<T> rows(a.rows, a.cols);
    for (Index i = 0; i < a.rows; ++i)
        for (Index l = 0; l < a.cols; ++l) rows.row(i)[l] = a(i, l);
    return rows;
}

// A few rows times a large B that lies row by row: it is read once, as it lies.
template <class T>
void multiply_few(const Strided<T>& a, const Strided<T>& b, const T* bias, bool adds, T* c) {
    constexpr Index width = 1024, block = 32;  // of rows, which stay in the nearest cache
    parallel_for((b.cols + width - 1) / width, [&](Index chunk, Checkpoint& checkpoint) {
        const Index from = chunk * width, count = std::min(width, b.cols - from);
        Block<T> sums(a.rows, count);
        for (Index i = 0; bias != nullptr && i < a.rows; ++i)
            std::copy_n(bias + from, count, sums.row(i));
        for (Index l = 0; l < b.rows; l += block) {
            checkpoint();
            const Index rows = std::min(block, b.rows - l);
            for (Index i = 0; i < a.rows; ++i)
                add_rows({&a(i, l), a.col, &b(l, from), b.row, rows, count, sums.row(i)});
        }
        for (Index i = 0; i < a.rows; ++i)
            for (Index j = 0; j < count; ++j) {
                T& out = c[i * b.cols + from + j];
                out = adds ? out + sums.row(i)[j] : sums.row(i)[j];
            }
    });
}

// Not many rows times a large B: blocks of its columns, packed where they are used.
template <class T>
void multiply_wide(const Strided<T>& a, const Strided<T>& b, const T* bias, bool adds, T* c) {
    constexpr Index width = 4 * strip<T>;
    const Block<T> rows = packed_rows(a);
    parallel_for((b.cols + width - 1) / width, [&](Index chunk, Checkpoint&) {
        const Index from = chunk * width, count = std::min(width, b.cols - from);
        const Block<T> strips = packed_strips<T>({&b(0, from), b.rows, count, b.row, b.col});
        Block<T> start(1, count), sums(a.rows, count);
        if (bias != nullptr) std::copy_n(bias + from, count, start.data());
        product({rows.data(), rows.stride(), 1, strips.data(), strip<T>, strips.stride(),
                 rounded(a.rows, row_unit), a.cols, count, start.data(), false, false, sums.data(),
                 sums.stride()});
        for (Index i = 0; i < a.rows; ++i)
            for (Index j = 0; j < count; ++j) {
                T& out = c[i * b.cols + from + j];
                out = adds ? out + sums.row(i)[j] : sums.row(i)[j];
            }
    });
}

}  // namespace

template <class T>
void multiply(const Strided<T>& a, const Strided<T>& b, const T* bias, bool adds, T* c) {
    if (a.rows <= 2 * block_rows && b.rows * b.cols >= many_entries)
        return a.rows <= row_unit && b.col == 1 ? multiply_few(a, b, bias, adds, c)
                                                : multiply_wide(a, b, bias, adds, c);
    const Block<T> strips = packed_strips(b);
    Block<T> start(1, b.cols);
    if (bias != nullptr) std::copy(bias, bias + b.cols, start.data());
    parallel_for((a.rows + block_rows - 1) / block_rows, [&](Index chunk, Checkpoint&) {
        const Index from = chunk * block_rows, count = std::min(block_rows, a.rows - from);
        Block<T> rows(count, a.cols), sums(count, b.cols);
        for (Index i = 0; i < count; ++i)
            for (Index l = 0; l < a.cols; ++l) rows.row(i)[l] = a(from + i, l);
        product({rows.data(), rows.stride(), 1, strips.data(), strip<T>, strips.stride(),
                 rounded(count, row_unit), a.cols, b.cols, start.data(), false, false, sums.data(),
                 sums.stride()});
        for (Index i = 0; i < count; ++i) {
            T* out = c + (from + i) * b.cols;
            for (Index j = 0; j < b.cols; ++j)
                out[j] = adds ? out[j] + sums.row(i)[j] : sums.row(i)[j];
        }
    });
}

template void multiply(const Strided<float>&, const Strided<float>&, const float*, bool, float*);
template void multiply(const Strided<double>&, const Strided<double>&, const double*, bool,
                       double*);

}  // namespace stylobate::network
