#include "embed/fourier_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stylobate/parallel.hpp"

namespace stylobate::tsne {
namespace {

// Half the width of the kernel: forces then are within about 1 % where points crowd.
constexpr double widest_spacing = 0.5;
constexpr double fewest_cells = 8.0;  // along the longer side, so that small maps do not cancel
constexpr Index most_nodes = 2048;
// The inverse of B-spline interpolation reaches over some nodes (0.27 per node); kernels jump at
// half the period, and these nodes keep the jump out of sight.
constexpr Index guard_nodes = 14;

// Lag of node i: −length/2 < lag < length/2, in nodes; 0 at the jump, to keep odd kernels odd.
double lag_of(Index i, Index length) {
    if (2 * i == length) return 0.0;
    return static_cast<double>(2 * i < length ? i : i - length);
}

double squared_lag(Index i, Index length) {
    const double lag = static_cast<double>(2 * i <= length ? i : i - length);
    return lag * lag;
}

// The spectrum of the cubic B-spline's values at the nodes.
double spline_spectrum(Index k, Index length) {
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
    return (4.0 + 2.0 * std::cos(angle)) / 6.0;
}

}  // namespace

GridShape grid_for(const double (&extent)[2], double dof, const GridShape& earlier) {
    GridShape shape;
    const double longest = std::max(extent[0], extent[1]);
    double spacing = widest_spacing * std::min(1.0, std::sqrt(dof));
    while (longest < fewest_cells * spacing && spacing > 1e-30) spacing *= 0.5;
    while (longest / spacing > static_cast<double>(most_nodes)) spacing *= 2.0;
    shape.spacing = spacing;
    bool keep = earlier.spacing == spacing;
    for (int axis = 0; axis < 2; ++axis) {
        shape.used[axis] = static_cast<Index>(extent[axis] / spacing) + spline_nodes + 1;
        const Index least = 2 * shape.used[axis] + guard_nodes;
        shape.length[axis] = quick_length(least);
        keep = keep && earlier.length[axis] >= least &&
               8 * earlier.length[axis] <= 9 * shape.length[axis];
    }
    if (keep)
        for (int axis = 0; axis < 2; ++axis) shape.length[axis] = earlier.length[axis];
    return shape;
}

KernelSpectra::KernelSpectra(const GridShape& shape, double dof)
    : plans_{FourierPlan(shape.length[0]), FourierPlan(shape.length[1])},
      columns_(shape.length[1]) {
    const Index size = shape.row_groups() * transforms_at_once * columns_;
    value_ = float_buffer(size);
    along_rows_ = float_buffer(size);
    along_columns_ = float_buffer(size);
    transform(shape, dof, false);
    transform(shape, dof, true);
}

KernelRows KernelSpectra::rows(Index group) {
    const Index at = group * transforms_at_once * columns_;
    return {floats(value_) + at, floats(along_rows_) + at, floats(along_columns_) + at};
}

void KernelSpectra::transform(const GridShape& shape, double dof, bool force) {
    const Index rows = shape.length[0], columns = columns_, blocks = columns / transforms_at_once;
    const Index groups = shape.row_groups(), row_size = blocks * block;
    const double unit = shape.spacing * shape.spacing / dof;
    const double exponent = -0.5 * (dof + (force ? 3.0 : 1.0));
    Buffer half = float_buffer(groups * transforms_at_once * row_size);
    parallel_for(blocks, [&](Index b, Checkpoint& checkpoint) {
        Buffer first = float_buffer(rows * block), second = float_buffer(rows * block);
        float* const data = floats(first);
        for (Index i = 0; i < rows; ++i) {
            for (Index l = 0; l < transforms_at_once; ++l) {
                const Index j = b * transforms_at_once + l;
                const double base = 1.0 + unit * (squared_lag(i, rows) + squared_lag(j, columns));
                const double w = exponent == -1.0 ? 1.0 / base
                                                  : (exponent == -2.0 ? 1.0 / (base * base)
                                                                      : std::pow(base, exponent));
                const double x = force ? lag_of(i, rows) * shape.spacing : 1.0;
                const double y = force ? lag_of(j, columns) * shape.spacing : 0.0;
                data[i * block + l] = static_cast<float>(x * w);
                data[i * block + transforms_at_once + l] = static_cast<float>(y * w);
            }
        }
        const float* const found =
            kernels().tsne_fourier(plans_[0].passes(), data, floats(second), false);
        for (Index i = 0; i < shape.half_rows(); ++i)
            std::copy_n(found + i * block, block, floats(half) + i * row_size + b * block);
        checkpoint();
    });
    const double area = static_cast<double>(rows) * static_cast<double>(columns);
    parallel_for(groups, [&](Index g, Checkpoint& checkpoint) {
        Buffer first = float_buffer(columns * block), second = float_buffer(columns * block);
        kernels().tsne_rows_to_lanes(floats(half) + g * transforms_at_once * row_size, row_size,
                                     blocks, floats(first));
        const float* const found =
            kernels().tsne_fourier(plans_[1].passes(), floats(first), floats(second), false);
        const Index at = g * transforms_at_once * columns;
        for (Index k = 0; k < columns; ++k)
            for (Index l = 0; l < transforms_at_once; ++l) {
                const double across = spline_spectrum(g * transforms_at_once + l, rows);
                const double along = spline_spectrum(k, columns);
                const double scale = 1.0 / (area * across * across * along * along);
                const double re = static_cast<double>(found[k * block + l]) * scale;
                const double im =
                    static_cast<double>(found[k * block + transforms_at_once + l]) * scale;
                const Index to = at + k * transforms_at_once + l;
                if (force) {
                    floats(along_columns_)[to] = static_cast<float>(re);
                    floats(along_rows_)[to] = static_cast<float>(-im);
                } else {
                    floats(value_)[to] = static_cast<float>(re);
                }
            }
        checkpoint();
    });
}

}  // namespace stylobate::tsne
