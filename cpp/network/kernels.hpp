// Kernels of networks: products of tiles with bias and activation, derivatives, steps.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::network {

enum class Activation : int { identity, logistic, tanh, relu };

// Blocks are padded so that every instruction set sees whole tiles: rows to `row_unit`, columns to
// `strip<T>`, which is 128 bytes.
constexpr Index row_unit = 12;
template <class T>
constexpr Index strip = 128 / static_cast<Index>(sizeof(T));

// C = A·B + start for whole tiles of rows. Entry (i, l) of A lies at a[i·a_row + l·a_col]; entry
// (l, j) of B at b[(j / strip)·b_strip + l·b_row + j % strip]: packed strips, or plain rows with
// b_strip = strip.
template <class T>
struct Product {
    const T* a;
    Index a_row, a_col;
    const T* b;
    Index b_row, b_strip;
    Index rows, inner, cols;  // rows a multiple of row_unit
    const T* start;           // what every row begins with (a bias), or null: zero
    bool adds;                // begin with what C holds instead
    bool floor;               // max(·, 0) at the end
    T* c;
    Index c_row;
};

// C(r, q) = start(r) + Σ_l A(r, l)·b[offsets[l] + q]: tiles of `height` rows, packed
// [tile][tap][row], times neighbouring places. Reads of b and writes of C run on to whole vectors,
// `tap_slack` at most.
template <class T>
struct TapProduct {
    const T* a;
    Index tiles, height, taps;
    const T* b;
    const Index* offsets;
    Index cols;
    const T* start;
    T* c;
    Index c_row;
};

// D(l, f) += Σ_q x[offsets[l] + q]·slopes(q, f) over places q = i·pitch + j, i < height, j < width;
// slopes lie place by place, whole vectors of filters.
template <class T>
struct TapGradient {
    const T* x;
    const Index* offsets;
    Index taps, height, width, pitch;
    const T* slopes;
    Index slope_row, filters;
    T* d;
    Index d_row;
};
constexpr Index tap_slack = 64;

// The same for at most `most_few` filters, which would leave vectors of filters empty: slopes(q, f)
// lies at f·slope_row + q, zero where q is no place; D(l, f, ·) += `few_lanes` parts of the sum.
constexpr Index most_few = 6;
template <class T>
constexpr Index few_lanes = 64 / static_cast<Index>(sizeof(T));
template <class T>
struct FewFilters {
    const T* x;
    const Index* offsets;
    Index taps, places;
    const T* slopes;
    Index slope_row, filters;
    T* d;
};

// The largest of windows of 2 × 2 side by side, `rows` × `columns` of them, and which of the four
// entries it is, row by row; with `floor` not less than zero, and `no_entry` where none is more.
// Reads and writes run on to whole vectors, `tap_slack` at most.
constexpr int no_entry = 4;
template <class T>
struct Halves {
    const T* x;
    Index pitch, rows, columns;
    bool floor;
    T* y;
    unsigned char* which;  // or null
};

// Derivatives by the entries of a plane, given those by its windows.
template <class T>
struct HalvesBack {
    const T* dy;
    const unsigned char* which;
    Index height, width;
    T* dx;
};

// best[j] = the larger of it and x[j·stride]; `at`, unless null, follows as first + j·stride.
template <class T>
struct PoolRow {
    const T* x;
    Index stride, count;
    T* best;
    int first;
    int* at;
};

// y += Σ_l factors[l·factor_step]·x(l, ·)
template <class T>
struct RowSum {
    const T* factors;
    Index factor_step;
    const T* x;
    Index x_row, rows, cols;
    T* y;
};

// How weights move; a gradient is (sum + decay·w)·scale.
struct Step {
    double rate;     // of this step
    double first;    // Adam: β₁; descent: the momentum
    double second;   // Adam: β₂
    double epsilon;  // Adam
    double decay, scale;
    bool nesterov;
    bool forgets = true;  // whether squares are averaged, or (AdaGrad) summed
};

template <class T>
struct Weights {
    T *value, *first, *second;  // the second is Adam's alone
    Index count;
};

struct Kernels {
    void (*product_f32)(const Product<float>& task);
    void (*product_f64)(const Product<double>& task);
    void (*tap_product_f32)(const TapProduct<float>& task);
    void (*tap_product_f64)(const TapProduct<double>& task);
    void (*tap_gradient_f32)(const TapGradient<float>& task);
    void (*tap_gradient_f64)(const TapGradient<double>& task);
    void (*few_filters_f32)(const FewFilters<float>& task);
    void (*few_filters_f64)(const FewFilters<double>& task);
    void (*halve_f32)(const Halves<float>& task);
    void (*halve_f64)(const Halves<double>& task);
    void (*halve_back_f32)(const HalvesBack<float>& task);
    void (*halve_back_f64)(const HalvesBack<double>& task);
    void (*largest_f32)(const PoolRow<float>& row);
    void (*largest_f64)(const PoolRow<double>& row);
    // in place: f(z), and d·f′ given a = f(z)
    void (*activate_f32)(Activation kind, float* z, Index n);
    void (*activate_f64)(Activation kind, double* z, Index n);
    void (*slope_f32)(Activation kind, const float* a, float* d, Index n);
    void (*slope_f64)(Activation kind, const double* a, double* d, Index n);
    // one step of the weights along the sums of gradients; returns Σ w² of before
    double (*adam_f32)(const Weights<float>& w, const float* sums, const Step& step);
    double (*adam_f64)(const Weights<double>& w, const double* sums, const Step& step);
    double (*momentum_f32)(const Weights<float>& w, const float* sums, const Step& step);
    double (*momentum_f64)(const Weights<double>& w, const double* sums, const Step& step);
    void (*add_rows_f32)(const RowSum<float>& sum);
    void (*add_rows_f64)(const RowSum<double>& sum);
    // y += f·x
    void (*add_f32)(float f, const float* x, Index n, float* y);
    void (*add_f64)(double f, const double* x, Index n, double* y);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

// The kernels by type.
inline void product(const Product<float>& task) {
    kernels().product_f32(task);
}
inline void product(const Product<double>& task) {
    kernels().product_f64(task);
}
inline void tap_product(const TapProduct<float>& task) {
    kernels().tap_product_f32(task);
}
inline void tap_product(const TapProduct<double>& task) {
    kernels().tap_product_f64(task);
}
inline void tap_gradient(const TapGradient<float>& task) {
    kernels().tap_gradient_f32(task);
}
inline void tap_gradient(const TapGradient<double>& task) {
    kernels().tap_gradient_f64(task);
}
inline void few_filters(const FewFilters<float>& task) {
    kernels().few_filters_f32(task);
}
inline void few_filters(const FewFilters<double>& task) {
    kernels().few_filters_f64(task);
}
inline void halve(const Halves<float>& task) {
    kernels().halve_f32(task);
}
inline void halve(const Halves<double>& task) {
    kernels().halve_f64(task);
}
inline void halve_back(const HalvesBack<float>& task) {
    kernels().halve_back_f32(task);
}
inline void halve_back(const HalvesBack<double>& task) {
    kernels().halve_back_f64(task);
}
inline void raise_to_largest(const PoolRow<float>& row) {
    kernels().largest_f32(row);
}
inline void raise_to_largest(const PoolRow<double>& row) {
    kernels().largest_f64(row);
}
inline void activate(Activation kind, float* z, Index n) {
    kernels().activate_f32(kind, z, n);
}
inline void activate(Activation kind, double* z, Index n) {
    kernels().activate_f64(kind, z, n);
}
inline void slope(Activation kind, const float* a, float* d, Index n) {
    kernels().slope_f32(kind, a, d, n);
}
inline void slope(Activation kind, const double* a, double* d, Index n) {
    kernels().slope_f64(kind, a, d, n);
}
inline double adam(const Weights<float>& w, const float* sums, const Step& step) {
    return kernels().adam_f32(w, sums, step);
}
inline double adam(const Weights<double>& w, const double* sums, const Step& step) {
    return kernels().adam_f64(w, sums, step);
}
inline double momentum(const Weights<float>& w, const float* sums, const Step& step) {
    return kernels().momentum_f32(w, sums, step);
}
inline double momentum(const Weights<double>& w, const double* sums, const Step& step) {
    return kernels().momentum_f64(w, sums, step);
}
inline void add_rows(const RowSum<float>& sum) {
    kernels().add_rows_f32(sum);
}
inline void add_rows(const RowSum<double>& sum) {
    kernels().add_rows_f64(sum);
}
inline void add(float f, const float* x, Index n, float* y) {
    kernels().add_f32(f, x, n, y);
}
inline void add(double f, const double* x, Index n, double* y) {
    kernels().add_f64(f, x, n, y);
}

}  // namespace stylobate::network
