// Convolutions as products: a tap is an offset into a grid, so no patch is ever copied.
//
// Values: tiles of rows of weights (broadcast) × vectors of neighbouring places. Gradients: tiles
// of taps (broadcast from the grid) × vectors of filters. Both hold a whole tile in registers.
#include "network/kernels.hpp"
#include "network/lanes.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::TapGradient;
using network::TapProduct;

template <class T>
constexpr Index lanes = Lanes<T>::count;

// rows of a tile with two vectors each: what the registers hold
constexpr Index most_rows =
    STYLOBATE_VECTOR_BYTES == 64 ? 12 : (STYLOBATE_VECTOR_BYTES == 32 ? 6 : 4);
constexpr Index inner_block = 256;

// vectors of a row, so that the registers are full
constexpr Index vectors_of(Index rows) {
    const Index most = 2 * most_rows / rows;
    return most < 4 ? most : 4;
}

template <class T>
typename Lanes<T>::Vector load(const T* from) {
    return *reinterpret_cast<const typename Lanes<T>::Loose*>(from);
}
template <class T>
void store(T* to, typename Lanes<T>::Vector x) {
    *reinterpret_cast<typename Lanes<T>::Loose*>(to) = x;
}

template <class T>
struct Piece {  // of a product: rows of one tile, places from q on, some of the taps
    const TapProduct<T>& task;
    Index tile, row, q, first, count;
};

template <class T, Index rows, Index vectors>
void add_taps(const Piece<T>& p) {
    using Vector = typename Lanes<T>::Vector;
    const TapProduct<T>& t = p.task;
    T* c = t.c + (p.tile * t.height + p.row) * t.c_row + p.q;
    Vector sum[rows][vectors];
    for (Index r = 0; r < rows; ++r)
        for (Index v = 0; v < vectors; ++v)
            sum[r][v] = p.first > 0 ? load(c + r * t.c_row + v * lanes<T>)
                                    : t.start[p.tile * t.height + p.row + r] - Vector{};
    const T* a = t.a + (p.tile * t.taps + p.first) * t.height + p.row;
    const T* b = t.b + p.q;
    const Index *o = t.offsets + p.first, *end = o + p.count;
    for (; o < end; ++o, a += t.height) {
        Vector x[vectors];
        for (Index v = 0; v < vectors; ++v) x[v] = load(b + *o + v * lanes<T>);
        for (Index r = 0; r < rows; ++r)
            for (Index v = 0; v < vectors; ++v) sum[r][v] += x[v] * a[r];
    }
    for (Index r = 0; r < rows; ++r)
        for (Index v = 0; v < vectors; ++v) store(c + r * t.c_row + v * lanes<T>, sum[r][v]);
}

// The places of a run by tiles of `rows` rows, a number known only here.
template <class T, Index rows = most_rows>
void advance(Index wanted, Piece<T> p, Index end) {
    if constexpr (rows > 1)
        if (wanted < rows) return advance<T, rows - 1>(wanted, p, end);
    constexpr Index most = vectors_of(rows);
    while (p.q < end) {
        const Index left = (end - p.q + lanes<T> - 1) / lanes<T>;
        const Index vectors = left >= most ? most : (left >= 2 ? 2 : 1);
        if (vectors == most)
            add_taps<T, rows, most>(p);
        else if (vectors == 2)
            add_taps<T, rows, 2>(p);
        else
            add_taps<T, rows, 1>(p);
        p.q += vectors * lanes<T>;
    }
}

template <class T>
void multiply(const TapProduct<T>& t) {
    const Index pieces = (t.height + most_rows - 1) / most_rows;
    const Index step = (t.height + pieces - 1) / pieces;
    // places whose grid stays in the nearest cache
    const Index run = (vectors_of(step) == 3 ? 6 : 4) * lanes<T>;
    for (Index first = 0; first < t.taps; first += inner_block) {
        const Index left = t.taps - first, count = left < inner_block ? left : inner_block;
        for (Index q = 0; q < t.cols; q += run)
            for (Index tile = 0; tile < t.tiles; ++tile)
                for (Index row = 0; row < t.height; row += step) {
                    const Index rows = t.height - row < step ? t.height - row : step;
                    const Index end = t.cols - q < run ? t.cols : q + run;
                    advance<T>(rows, {t, tile, row, q, first, count}, end);
                }
    }
}

template <class T, Index rows, Index vectors>
void add_places(const TapGradient<T>& t, Index tap, Index column) {
    using Vector = typename Lanes<T>::Vector;
    T* d = t.d + tap * t.d_row + column;
    Vector sum[rows][vectors];
    const T* at[rows];
    for (Index r = 0; r < rows; ++r) {
        at[r] = t.x + t.offsets[tap + r];
        for (Index v = 0; v < vectors; ++v) sum[r][v] = load(d + r * t.d_row + v * lanes<T>);
    }
    const T* b = t.slopes + column;
    for (Index i = 0; i < t.height; ++i)
        for (Index j = i * t.pitch; j < i * t.pitch + t.width; ++j, b += t.slope_row) {
            Vector y[vectors];
            for (Index v = 0; v < vectors; ++v) y[v] = load(b + v * lanes<T>);
            for (Index r = 0; r < rows; ++r)
                for (Index v = 0; v < vectors; ++v) sum[r][v] += y[v] * at[r][j];
        }
    for (Index r = 0; r < rows; ++r)
        for (Index v = 0; v < vectors; ++v) store(d + r * t.d_row + v * lanes<T>, sum[r][v]);
}

template <class T, Index rows = most_rows>
void add_columns(Index wanted, const TapGradient<T>& t, Index tap) {
    if constexpr (rows > 1)
        if (wanted < rows) return add_columns<T, rows - 1>(wanted, t, tap);
    for (Index column = 0; column < t.filters; column += 2 * lanes<T>) {
        if (t.filters - column > lanes<T>)
            add_places<T, rows, 2>(t, tap, column);
        else
            add_places<T, rows, 1>(t, tap, column);
    }
}

template <class T>
void gather(const TapGradient<T>& t) {
    const Index pieces = (t.taps + most_rows - 1) / most_rows;
    const Index step = (t.taps + pieces - 1) / pieces;
    for (Index tap = 0; tap < t.taps; tap += step)
        add_columns<T>(t.taps - tap < step ? t.taps - tap : step, t, tap);
}

}  // namespace

void tap_product_f32(const TapProduct<float>& task) {
    multiply(task);
}
void tap_product_f64(const TapProduct<double>& task) {
    multiply(task);
}
void tap_gradient_f32(const TapGradient<float>& task) {
    gather(task);
}
void tap_gradient_f64(const TapGradient<double>& task) {
    gather(task);
}

}  // namespace stylobate::STYLOBATE_ISA
