// Kernels of support vector machines.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::svm {

// A number and the first place that has it.
struct Best {
    double value;
    Index place;
};

// The partner that promises most, −1 where none does, and the least residual of all.
struct Partner {
    Index place;
    double gain, least;
};

// One variable that may rise, as its partners see it.
struct Riser {
    double residual, diagonal;
    double floor;  // of the curvature of a pair
};

constexpr Index sum_lanes = 8;

struct Kernels {
    // The largest of s + lift; a lift is 0, or −∞ for those that are out.
    Best (*svm_largest)(const double* s, const double* lift, Index n);
    // Among those with s + lift below the riser's residual (a lift is 0, or ∞ for those that are
    // out) the largest (residual − s)² / (curvature of the pair).
    Partner (*svm_partner_f64)(const double* row, const double* diagonal, const double* s,
                               const double* lift, Index n, const Riser& riser);
    Partner (*svm_partner_f32)(const float* row, const double* diagonal, const double* s,
                               const double* lift, Index n, const Riser& riser);
    // s −= step · (up − down), and the largest of s + lift after it.
    Best (*svm_move_f64)(const double* up, const double* down, double step, double* s,
                         const double* lift, Index n);
    Best (*svm_move_f32)(const float* up, const float* down, double step, double* s,
                         const double* lift, Index n);
    // c ← 2^c in place, c taken as 0 above it and as −124 below that; n in whole vectors.
    void (*svm_powers_of_two)(float* c, Index n);
    // The same of `rows` rows of a tile, whose width is whole vectors, summed with the weights v:
    // each row has sum_lanes sums of its own, of which an instruction set uses the first.
    void (*svm_add_weighted_powers)(const float* c, Index rows, Index width, const double* v,
                                    double* sums);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

}  // namespace stylobate::svm
