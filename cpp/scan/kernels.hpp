// Kernels of the scans: one pass over rows, and the elementary functions all engines use.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate {

constexpr Index lane_rows = 32;     // rows of a group whose entries lie side by side
constexpr Index lane_outputs = 4;   // rows of a triangular factor that are packed together
constexpr Index slice_columns = 8;  // of a thin block, multiplied together
constexpr Index mirror_side = 64;   // of squares compared with their mirror images

// Thin blocks beside a rectangle of a matrix: rows of `ld` numbers, a multiple of `slice_columns`.
struct ThinBlocks {
    Index ld;
    const double* column_factor;  // x
    double* column_sums;          // y
    const double* row_factor;     // u
    double* row_sums;             // v
};

namespace scan {

struct Kernels {
    // C[j][i] += Σₖ a[k][i]·a[k][j] for j0 ≤ j < j1 and i ≤ j (whole vectors: entries i > j within
    // the last vector are written too and mean nothing). Rows of a and c are `lda`, `ldc` apart,
    // 64-byte aligned, zero-padded to whole vectors. While it computes, it asks the memory for
    // the `next_bytes` at `next`.
    void (*gram)(const double* a, Index rows, Index lda, Index j0, Index j1, double* c, Index ldc,
                 const void* next, Index next_bytes);

    // out[k][j] = x[k][j] − shift[j], rows of out `ld` apart.
    void (*pack_f64)(const MatrixView<double>& x, const double* shift, double* out, Index ld);
    void (*pack_f32)(const MatrixView<float>& x, const double* shift, double* out, Index ld);

    // out[k] = ‖R⁻ᵀ aₖ‖² of the rows of a, `lda` apart; r is cols × cols upper triangular,
    // column-major. `scratch`: 64-byte aligned, 64 · cols.
    void (*quadratics)(const double* a, Index rows, Index lda, const double* r, Index cols,
                       double* scratch, double* out);

    // out = eˣ of n numbers, within 1 ulp; 0 and ∞ beyond the range.
    void (*exp)(const double* x, Index n, double* out);

    // Of n margins z: 1 / (1 + e⁻ᶻ) and log(1 + e^−|z|).
    void (*logistic)(const double* z, Index n, double* probability, double* softplus);

    // y[j] += Σₖ f(a[k][j])·u[k] and v[k] += Σⱼ f(a[k][j])·x[j], f the square or the number itself.
    void (*both_products)(const double* a, Index lda, Index rows, Index cols, bool squared,
                          const ThinBlocks& block);

    // Whether a square of `mirror_side` equals the other's transpose, NaN nowhere (rows `ld`
    // apart, `ahead` and `ahead_other` where the squares stand that are looked at next); out[0] and
    // out[1] as below.
    bool (*is_mirrored)(const double* a, const double* other, Index ld, const double* ahead,
                        const double* ahead_other, double* out);

    // Of n pairs, a multiple of 8: out[0] the smallest number and out[1] the largest, what was
    // there and NaN left out; out[2] the largest difference, ∞ where one of the two is NaN.
    void (*compare_numbers)(const double* below, const double* above, Index n, double* out);

    // out[k] = aₖ·w of the rows of a, `lda` apart.
    void (*row_products)(const double* a, Index rows, Index lda, Index cols, const double* w,
                         double* out);

    // out += Σₖ factor[k] aₖ
    void (*add_rows)(const double* a, Index rows, Index lda, Index cols, const double* factor,
                     double* out);

    // c[i][j] += Σₗ a[i·row_stride + l·col_stride]·b[l][j] for `inner` l and j < cols, rounded up
    // to whole vectors (the rows of b and c have room for them).
    void (*multiply)(const double* a, Index rows, Index row_stride, Index col_stride, Index inner,
                     const double* b, Index ldb, Index cols, double* c, Index ldc);

    // Keys in the order of n numbers (none NaN; −0 and 0 have one), and hashes of them.
    void (*real_keys)(const double* x, Index n, unsigned long long* keys,
                      unsigned long long* hashes);
    void (*hash_keys)(const unsigned long long* keys, Index n, unsigned long long* hashes);

    // Whether none of n numbers is NaN or infinite.
    bool (*all_finite)(const double* x, Index n);

    // out = sum, smallest, largest, zeros and negatives of n finite numbers.
    void (*extent)(const double* x, Index n, double* out);

    // out[k − 1] = Σ (scale · x − shift)^k, k = 1 … 4.
    void (*power_sums)(const double* x, Index n, double shift, double scale, double* out);

    // Of columns in rows `ld` apart, NaN left out: out[0 … 4] = Σ w x, count, Σ w, smallest,
    // largest. At least 8 columns; w may be null for ones.
    void (*column_extent)(const double* x, Index rows, Index ld, Index cols, const double* w,
                          double* const* out);

    // The same: Σ w d and Σ w d², d = (x − mean) · scale.
    void (*column_squares)(const double* x, Index rows, Index ld, Index cols, const double* w,
                           const double* mean, const double* scale, double* first, double* second);
    // With s the centre of row k's class (classes × cols), w its weight (null: 1) and d = aₖ − s:
    // adds w·d to the class's sums and w·d² to its squares.
    void (*add_class_rows)(const double* a, Index rows, Index lda, Index cols, const Index* codes,
                           const double* weights, const double* center, double* sums,
                           double* squares);

    // Of groups of `lane_rows` rows, transposed: entry j of row k of group g is
    // z[(g·cols + j)·lane_rows + k]; out[c·ldo + g·lane_rows + k] is its value under class c.
    //
    // Packs up to a whole number of groups of rows, less `shift`; missing rows of the last lanes
    // are zeros.
    void (*lane_pack)(const double* rows, Index count, Index ld, Index cols, const double* shift,
                      double* z);
    // bias[c] + Σⱼ w[c][j]·zⱼ
    void (*lane_linear)(const double* z, Index groups, Index cols, const double* w,
                        const double* bias, Index classes, double* out, Index ldo);
    // bias[c] − ½ Σⱼ (scale[c][j]·zⱼ − mean[c][j])²
    void (*lane_squares)(const double* z, Index groups, Index cols, const double* scale,
                         const double* mean, const double* bias, Index classes, double* out,
                         Index ldo);
    // bias − ½ ‖F(z − mean)‖² under one class, F lower triangular: `lane_outputs` of its rows at a
    // time, each as long as the last of them, stored column by column. `scratch`: as large as z.
    void (*lane_triangular)(const double* z, Index groups, Index cols, const double* mean,
                            const double* factor, double bias, double* scratch, double* out);
    // The highest of scores[c·rows + k] over the classes, and the first class that has it.
    void (*lane_highest)(const double* scores, Index rows, Index classes, double* best,
                         double* which);
    // scores[c·rows + k] become e^s / Σ_c e^s. Of each row: the highest score, Σ_c e^(s − highest),
    // and the mean of s − highest under these shares. `rows` are whole groups.
    void (*lane_memberships)(double* scores, Index rows, Index classes, double* best, double* total,
                             double* inner);
    // Σₖ m[k]·d and Σₖ m[k]·d² of every column, d = z − shift, added to `first` and `second`.
    void (*lane_moments)(const double* z, Index groups, Index cols, const double* members,
                         const double* shift, double* first, double* second);

    // out[i] = [a[which[i]] − shift, 1]·root[i], rows of out `ldo` apart.
    void (*pack_members)(const double* a, Index lda, Index cols, const Index* which, Index count,
                         const double* shift, const double* root, double* out, Index ldo);
};

const Kernels& kernels();              // of isa()
const Kernels* kernels_of(Isa which);  // null where this machine has no such instructions

}  // namespace scan
}  // namespace stylobate
