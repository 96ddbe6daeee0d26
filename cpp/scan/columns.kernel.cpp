// Sums, extremes and squares of columns that lie side by side; NaN and rows of weight 0 left out.
#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index side = 2;  // vectors at once
constexpr double infinity = __builtin_inf();

Vector load(const double* x) {
    return *reinterpret_cast<const LooseVector*>(x);
}
void store(double* x, Vector v) {
    *reinterpret_cast<LooseVector*>(x) = v;
}

template <Index n>
void extent_of(const double* x, Index rows, Index ld, const double* w, double* const* out) {
    Vector sum[n] = {}, count[n] = {}, weight[n] = {}, low[n], high[n];
    for (Index s = 0; s < n; ++s) {
        low[s] = broadcast(infinity);
        high[s] = broadcast(-infinity);
    }
    for (Index i = 0; i < rows; ++i, x += ld) {
        if (w != nullptr && w[i] == 0) continue;
        const Vector factor = broadcast(w == nullptr ? 1.0 : w[i]);
        for (Index s = 0; s < n; ++s) {
            const Vector v = load(x + s * lanes);
            const Vector one = v == v ? broadcast(1.0) : Vector{};
            count[s] += one;
            if (w != nullptr) weight[s] += one * factor;
            sum[s] += v == v ? v * factor : Vector{};
            low[s] = v < low[s] ? v : low[s];
            high[s] = v > high[s] ? v : high[s];
        }
    }
    for (Index s = 0; s < n; ++s) {
        store(out[0] + s * lanes, sum[s]);
        store(out[1] + s * lanes, count[s]);
        store(out[2] + s * lanes, w == nullptr ? count[s] : weight[s]);
        store(out[3] + s * lanes, low[s]);
        store(out[4] + s * lanes, high[s]);
    }
}

template <Index n>
void squares_of(const double* x, Index rows, Index ld, const double* w, const double* mean,
                const double* scale, double* first, double* second) {
    Vector sum[n] = {}, square[n] = {}, middle[n], factor[n];
    for (Index s = 0; s < n; ++s) {
        middle[s] = load(mean + s * lanes);
        factor[s] = load(scale + s * lanes);
    }
    for (Index i = 0; i < rows; ++i, x += ld) {
        if (w != nullptr && w[i] == 0) continue;
        const Vector weight = broadcast(w == nullptr ? 1.0 : w[i]);
        for (Index s = 0; s < n; ++s) {
            const Vector v = load(x + s * lanes);
            const Vector d = v == v ? (v - middle[s]) * factor[s] : Vector{};
            const Vector share = d * weight;
            sum[s] += share;
            square[s] += share * d;
        }
    }
    for (Index s = 0; s < n; ++s) {
        store(first + s * lanes, sum[s]);
        store(second + s * lanes, square[s]);
    }
}

// Calls body(first column, number of vectors) so that every column is met; the last vectors may
// overlap those before, which write the same again.
template <class Body>
void for_columns(Index cols, const Body& body) {
    Index j = 0;
    for (; j + side * lanes <= cols; j += side * lanes) body(j, true);
    for (; j + lanes <= cols; j += lanes) body(j, false);
    if (j < cols) body(cols - lanes, false);
}

}  // namespace

void column_extent(const double* x, Index rows, Index ld, Index cols, const double* w,
                   double* const* out) {
    for_columns(cols, [&](Index j, bool several) {
        double* const to[5] = {out[0] + j, out[1] + j, out[2] + j, out[3] + j, out[4] + j};
        if (several)
            extent_of<side>(x + j, rows, ld, w, to);
        else
            extent_of<1>(x + j, rows, ld, w, to);
    });
}

void column_squares(const double* x, Index rows, Index ld, Index cols, const double* w,
                    const double* mean, const double* scale, double* first, double* second) {
    for_columns(cols, [&](Index j, bool several) {
        if (several)
            squares_of<side>(x + j, rows, ld, w, mean + j, scale + j, first + j, second + j);
        else
            squares_of<1>(x + j, rows, ld, w, mean + j, scale + j, first + j, second + j);
    });
}

}  // namespace stylobate::STYLOBATE_ISA
