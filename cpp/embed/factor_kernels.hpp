// Kernels of factorizations W·Fᵀ: sweeps over coordinates, products at chosen entries, and the
// elementary functions of their losses. Rows of factors are padded with zeros to whole cache lines.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate {

constexpr Index sweep_rows = 32;  // rows of a factor whose coordinates are updated side by side

namespace factors {

struct Kernels {
    // One coordinate descent sweep over `sweep_rows` rows, transposed (entry t of row i is
    // w[t·sweep_rows + i]), of ½ wᵀ gram w − crossᵀ w over w ≥ 0, coordinates in the given order.
    // Returns the sum of the sizes of the projected gradients met on the way.
    double (*sweep)(double* w, const double* cross, const double* gram, Index ld, Index k,
                    const Index* order);

    // out[e] = f[index[e]]·w; rows of f are `ld` apart.
    void (*gathered_dots)(const double* f, Index ld, Index k, const Index* index, Index count,
                          const double* w, double* out);
    // out += Σ factor[e] f[index[e]]; up to whole vectors of `out` are written.
    void (*gathered_sums)(const double* f, Index ld, Index k, const Index* index, Index count,
                          const double* factor, double* out);
    void (*gathered_sums_i32)(const double* f, Index ld, Index k, const int* index, Index count,
                              const double* factor, double* out);

    // Σ (x − m)² of n numbers
    double (*squared_distance)(const double* x, const double* m, Index n);

    // out = x · max(m, floor)^exponent; NaN-free for m ≥ 0, floor > 0.
    void (*scaled_powers)(const double* x, const double* m, Index n, double exponent, double floor,
                          double* out);
    // Σ x log(x / max(m, floor)) over the x above floor
    double (*relative_entropy)(const double* x, const double* m, Index n, double floor);

    // Of n numbers x > 0: out = exp(ψ(x) − ψ(total)), ψ the digamma function.
    void (*exp_digamma)(const double* x, Index n, double total, double* out);
    // The same without the exponential.
    void (*digamma_differences)(const double* x, Index n, double total, double* out);

    // Of a document with `words` distinct words (a multiple of the vector's lanes, padded with
    // zeros), b topics × words: m = Σ_t θ_t b_t + floor, r = counts / m.
    void (*word_ratios)(const double* b, Index topics, Index words, const double* theta,
                        const double* counts, double floor, double* ratios);
    // out[t] = b_t · r
    void (*topic_sums)(const double* b, Index topics, Index words, const double* ratios,
                       double* out);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

}  // namespace factors
}  // namespace stylobate
