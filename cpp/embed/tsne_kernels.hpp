// Kernels of t-SNE: attraction along edges, repulsion of all pairs, Fourier transforms.
//
// The similarity of two points of the map at squared distance d is w = (1 + d/ν)^(−(ν + 1)/2), its
// force w / (1 + d/ν) times their difference.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::tsne {

constexpr Index transforms_at_once = 8;          // one in each lane
constexpr Index block = 2 * transforms_at_once;  // their real parts, then their imaginary ones
constexpr Index queries_at_once = 4;
constexpr Index point_padding = 8;  // lists of points end on a multiple of it,
constexpr float far_away = 1e15F;   // with points here, whose similarity vanishes
constexpr Index largest_dimension = 32;

// One pass of Stockham's algorithm: `stride` sequences of length radix · count.
struct FourierPass {
    Index radix, count, stride;
    const float* twiddles;  // for each of `count`: radix − 1 pairs of cosine and sine
};

struct FourierPasses {
    const FourierPass* passes;
    Index count;
};

// Spectra of the kernels for eight rows of frequencies: columns × 8 numbers each.
struct KernelRows {
    const float *value, *along_rows, *along_columns;
};

struct Kernels {
    // Eight transforms side by side; returns where they are, data or work.
    float* (*tsne_fourier)(const FourierPasses& passes, float* data, float* work, bool inverse);
    // 8 rows of blocks of 8 columns (`row_stride` floats apart) → 8 transforms along the rows.
    void (*tsne_rows_to_lanes)(const float* rows, Index row_stride, Index blocks, float* lanes);
    void (*tsne_lanes_to_rows)(const float* lanes, Index blocks, float* const* rows);
    // Spectrum × kernels: of the rows themselves, and of the rows of opposite frequency, which are
    // known by symmetry. sums[8] += Σ value · |spectrum|².
    void (*tsne_multiply)(const float* spectrum, Index columns, const KernelRows& kernels,
                          float* direct, float* opposite, float* sums);
    // Four queries (dimension d, each with its coordinates side by side) against all points
    // (coordinate c of all of them at points + c · stride): forces and sums of similarities.
    void (*tsne_repulsion)(const float* points, Index stride, Index padded, Index d, float dof,
                           const float* queries, double* forces, double* sums);
    // Σ p (1 + d/ν)⁻¹ (y − y_j) over the edges of a point y; points have d coordinates side by
    // side.
    void (*tsne_attraction)(const float* points, Index d, float dof, const float* y,
                            const int* neighbours, const float* p, Index count, float* force);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

}  // namespace stylobate::tsne
