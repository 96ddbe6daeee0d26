// Kernels of neighbour layouts: one epoch of some rows.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::layout {

constexpr Index most_dimensions = 256;
constexpr Index pairs_at_once = 16;

// Membership of two points a distance d apart: 1 / (1 + a d^2b).
struct Curve {
    float a, b;
};

// Rows that move, and the points they are drawn to or pushed from. Positions are row-major.
struct LayoutRows {
    const float* positions;  // of the rows, at the start of the epoch
    const float* points;     // whose numbers are in `columns` and `strangers`
    Index dimensions;
    const std::int64_t* offsets;  // of a row's neighbours
    const std::int32_t* columns;
    const float* weights;
};

struct LayoutEpoch {
    Curve curve;
    float step;       // the learning rate
    float anneal;     // share of the step that is taken
    float momentum;   // share of the last step that is taken again
    float repulsion;  // of all strangers together, for an attraction of 1
    Index draws;      // strangers of a row, a multiple of pairs_at_once
};

struct Kernels {
    // Moves rows first … last − 1: `strangers` holds the draws of these rows one after the other,
    // `loads` the summed weights of all rows. Writes positions and the last steps.
    void (*layout_rows)(const LayoutRows& rows, const LayoutEpoch& epoch, Index first, Index last,
                        const std::int32_t* strangers, const float* loads, float* moved,
                        float* steps);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

}  // namespace stylobate::layout
