// Distances, stress and its gradient in one look at a row of dissimilarities.
//
// A pair costs a root and a division; everything else hides behind them. The gradient is summed
// from differences of coordinates, so nothing cancels where points are far from the origin.
#include "embed/stress_kernels.hpp"
#include "tile/roots.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

Vector load(const double* p) {
    return *reinterpret_cast<const LooseVector*>(p);
}

double total(Vector v) {
    double sum = 0.0;
    for (Index l = 0; l < lanes; ++l) sum += v[l];
    return sum;
}

// Sums over the lanes of a row, for a number of dimensions known to the compiler (or any, 0).
template <int K>
struct RowSums {
    static constexpr Index most = K > 0 ? K : 32;
    Vector half[most] = {};
    Vector stress = {}, squares = {};

    // y: coordinate c of the points at y + c · stride
    void add(const double* y, Index stride, Index k, const double* x, Vector delta, Vector weight) {
        Vector apart[most], square = {};
        for (Index c = 0; c < k; ++c) {
            apart[c] = x[c] - load(y + c * stride);
            square += apart[c] * apart[c];
        }
        const Whole known = delta == delta;
        const Vector given = choose(known, delta, broadcast(0.0));
        const Vector w = choose(known, weight, broadcast(0.0));
        const Vector d = root_of(square), left = d - given;
        // w (d − δ) / d: at d = 0 no direction is better than another
        const Vector factor = choose(d > 0.0, w * (left / d), broadcast(0.0));
        for (Index c = 0; c < k; ++c) half[c] += factor * apart[c];
        stress += w * (left * left);
        squares += w * square;
    }
};

template <int K>
void row_of(const stress::Points& points, const double* x, const double* delta,
            const double* weights, double* half, double* sums) {
    const Index k = K > 0 ? K : points.dimensions, n = points.count;
    RowSums<K> row;
    const Vector ones = broadcast(1.0);
    Index j = 0;
    for (; j + lanes <= n; j += lanes)
        row.add(points.coordinates + j, points.stride, k, x, load(delta + j),
                weights ? load(weights + j) : ones);
    if (j < n) {
        double y[RowSums<K>::most * lanes] = {};
        Vector last = {}, weight = {};
        for (Index l = 0; l < n - j; ++l) {
            for (Index c = 0; c < k; ++c)
                y[c * lanes + l] = points.coordinates[c * points.stride + j + l];
            last[l] = delta[j + l], weight[l] = weights ? weights[j + l] : 1.0;
        }
        row.add(y, lanes, k, x, last, weight);
    }
    for (Index c = 0; c < k; ++c) half[c] = total(row.half[c]);
    sums[0] = total(row.stress), sums[1] = total(row.squares);
}

// Any number of dimensions: distances by one pass over the columns, the gradient by another.
void row_of_many(const stress::Points& points, const double* x, const double* delta,
                 const double* weights, double* half, double* sums) {
    constexpr Index block = 256;
    double squares[block], factors[block];
    double stress = 0.0, total_squares = 0.0;
    for (Index c = 0; c < points.dimensions; ++c) half[c] = 0.0;
    for (Index j0 = 0; j0 < points.count; j0 += block) {
        const Index b = points.count - j0 < block ? points.count - j0 : block;
        for (Index j = 0; j < b; ++j) squares[j] = 0.0;
        for (Index c = 0; c < points.dimensions; ++c) {
            const double* const y = points.coordinates + c * points.stride + j0;
            for (Index j = 0; j < b; ++j) squares[j] += (x[c] - y[j]) * (x[c] - y[j]);
        }
        for (Index j = 0; j < b; ++j) {
            const double given = delta[j0 + j], d = __builtin_sqrt(squares[j]);
            const bool known = given == given;
            const double w = known ? (weights ? weights[j0 + j] : 1.0) : 0.0;
            const double left = known ? d - given : d;
            factors[j] = d > 0.0 ? w * (left / d) : 0.0;
            stress += w * (left * left), total_squares += w * squares[j];
        }
        for (Index c = 0; c < points.dimensions; ++c) {
            const double* const y = points.coordinates + c * points.stride + j0;
            double sum = 0.0;
            for (Index j = 0; j < b; ++j) sum += factors[j] * (x[c] - y[j]);
            half[c] += sum;
        }
    }
    sums[0] = stress, sums[1] = total_squares;
}

}  // namespace

void stress_row(const stress::Points& points, const double* x, const double* delta,
                const double* weights, double* half, double* sums) {
    switch (points.dimensions) {
        case 1:
            return row_of<1>(points, x, delta, weights, half, sums);
        case 2:
            return row_of<2>(points, x, delta, weights, half, sums);
        case 3:
            return row_of<3>(points, x, delta, weights, half, sums);
        default:
            break;
    }
    if (points.dimensions <= RowSums<0>::most)
        return row_of<0>(points, x, delta, weights, half, sums);
    row_of_many(points, x, delta, weights, half, sums);
}

}  // namespace stylobate::STYLOBATE_ISA
