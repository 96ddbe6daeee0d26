// A grid over a map, and the repulsion's kernels on it as spectra.
#pragma once

#include "embed/fourier_plan.hpp"
#include "embed/repulsion.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::tsne {

constexpr Index spline_nodes = 4;  // cubic B-splines

// Where the nodes are: `used` along each axis, padded to `length` so that sums do not wrap.
struct GridShape {
    double spacing = 0.0;
    Index used[2] = {0, 0};
    Index length[2] = {0, 0};
    Index half_rows() const { return length[0] / 2 + 1; }
    Index row_groups() const { return (half_rows() + transforms_at_once - 1) / transforms_at_once; }
    bool operator==(const GridShape&) const = default;
};

// The grid for a map of this extent; an earlier one that is not too large is kept, as its spectra
// then are.
GridShape grid_for(const double (&extent)[2], double dof, const GridShape& earlier);

inline float* floats(Buffer& buffer) {
    return reinterpret_cast<float*>(buffer.data());
}
inline Buffer float_buffer(Index count) {
    return Buffer((count + 1) / 2);
}

// Spectra of the kernels (1 + d/ν)^(−(ν + 1)/2) and y (1 + d/ν)^(−(ν + 3)/2) sampled at the nodes,
// divided by those of spreading and of interpolation by B-splines. The first is real, the two of
// the force are imaginary (stored without their factor −i).
class KernelSpectra {
 public:
    KernelSpectra(const GridShape& shape, double dof);
    const FourierPlan& plan(int axis) const { return plans_[axis]; }
    KernelRows rows(Index group);  // eight rows of frequencies

 private:
    void transform(const GridShape& shape, double dof, bool force);

    FourierPlan plans_[2];
    Index columns_;
    Buffer value_, along_rows_, along_columns_;
};

}  // namespace stylobate::tsne
