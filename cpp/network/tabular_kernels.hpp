// Kernels of networks for tables: an activation with its slope, angles of numbers, dropout.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::network::tabular {

// Which units of a row are dropped: unit u where the upper 24 bits of hash(key + u·odd) lie below
// the threshold; what is left is multiplied by `scale`.
struct Dropout {
    unsigned int key, threshold;
    double scale;
};

struct Kernels {
    // in place: mish(z) = z·tanh(log(1 + eᶻ)); `slope` gets its derivative
    void (*mish_f32)(float* z, float* slope, Index n);
    void (*mish_f64)(double* z, double* slope, Index n);
    // cos and sin of 2π(w·x + b)
    void (*angles_f32)(const float* w, const float* b, float x, float* cosine, float* sine,
                       Index n);
    void (*angles_f64)(const double* w, const double* b, double x, double* cosine, double* sine,
                       Index n);
    // values and their slopes without the dropped units
    void (*drop_f32)(const Dropout& dropout, float* a, float* slope, Index n);
    void (*drop_f64)(const Dropout& dropout, double* a, double* slope, Index n);
    // y = x·f, y += x·f and y *= x, entry by entry
    void (*scaled_f32)(const float* x, const float* f, float* y, Index n);
    void (*scaled_f64)(const double* x, const double* f, double* y, Index n);
    void (*add_scaled_f32)(const float* x, const float* f, float* y, Index n);
    void (*add_scaled_f64)(const double* x, const double* f, double* y, Index n);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

#define STYLOBATE_BY_TYPE(T, suffix)                                               \
    inline void mish(T* z, T* slope, Index n) {                                    \
        kernels().mish_##suffix(z, slope, n);                                      \
    }                                                                              \
    inline void angles(const T* w, const T* b, T x, T* cosine, T* sine, Index n) { \
        kernels().angles_##suffix(w, b, x, cosine, sine, n);                       \
    }                                                                              \
    inline void drop(const Dropout& dropout, T* a, T* slope, Index n) {            \
        kernels().drop_##suffix(dropout, a, slope, n);                             \
    }                                                                              \
    inline void scaled(const T* x, const T* f, T* y, Index n) {                    \
        kernels().scaled_##suffix(x, f, y, n);                                     \
    }                                                                              \
    inline void add_scaled(const T* x, const T* f, T* y, Index n) {                \
        kernels().add_scaled_##suffix(x, f, y, n);                                 \
    }
STYLOBATE_BY_TYPE(float, f32)
STYLOBATE_BY_TYPE(double, f64)
#undef STYLOBATE_BY_TYPE

}  // namespace stylobate::network::tabular
