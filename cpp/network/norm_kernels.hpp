// Kernels of normalisations: one example [channels][area] at a time, in double precision.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::network::norms {

template <class T>
struct Example {
    const T* x;
    Index channels, area;
};

// Moments of an example over all its entries, and y = (x − mean)·inverse·scale + shift.
template <class T>
struct RowForward {
    double epsilon;
    const T *scale, *shift;
    T* y;
    double *mean, *inverse;  // 1/√(variance + ε)
};

// dx of an example; derivatives by scales and shifts are added.
template <class T>
struct RowBack {
    double mean, inverse;
    const T *scale, *dy;
    T* dx;
    double *by_scale, *by_shift;
};

// y = (x − means)·factors + shift, by channel
template <class T>
struct ChannelForward {
    const double *means, *factors;
    const T* shift;
    T* y;
};

// dx = factors·(dy − (plain + (x − means)·along)), by channel
template <class T>
struct ChannelBack {
    const double *means, *factors, *plain, *along;
    const T* dy;
    T* dx;
};

struct Kernels {
    void (*normalize_row_f32)(const Example<float>& e, const RowForward<float>& task);
    void (*normalize_row_f64)(const Example<double>& e, const RowForward<double>& task);
    void (*normalize_row_back_f32)(const Example<float>& e, const RowBack<float>& task);
    void (*normalize_row_back_f64)(const Example<double>& e, const RowBack<double>& task);
    // sums[k] += Σ x, or Σ (x − centres[k])² where there are centres
    void (*add_channels_f32)(const Example<float>& e, const double* centres, double* sums);
    void (*add_channels_f64)(const Example<double>& e, const double* centres, double* sums);
    // plain[k] += Σ dy and along[k] += Σ dy·(x − means[k])
    void (*add_slopes_f32)(const Example<float>& e, const float* dy, const double* means,
                           double* plain, double* along);
    void (*add_slopes_f64)(const Example<double>& e, const double* dy, const double* means,
                           double* plain, double* along);
    void (*normalize_channels_f32)(const Example<float>& e, const ChannelForward<float>& task);
    void (*normalize_channels_f64)(const Example<double>& e, const ChannelForward<double>& task);
    void (*normalize_channels_back_f32)(const Example<float>& e, const ChannelBack<float>& task);
    void (*normalize_channels_back_f64)(const Example<double>& e, const ChannelBack<double>& task);
};

const Kernels& kernels();
const Kernels* kernels_of(Isa which);

#define STYLOBATE_BY_TYPE(T, suffix)                                                             \
    inline void normalize_row(const Example<T>& e, const RowForward<T>& task) {                  \
        kernels().normalize_row_##suffix(e, task);                                               \
    }                                                                                            \
    inline void normalize_row_back(const Example<T>& e, const RowBack<T>& task) {                \
        kernels().normalize_row_back_##suffix(e, task);                                          \
    }                                                                                            \
    inline void add_channels(const Example<T>& e, const double* centres, double* sums) {         \
        kernels().add_channels_##suffix(e, centres, sums);                                       \
    }                                                                                            \
    inline void add_slopes(const Example<T>& e, const T* dy, const double* means, double* plain, \
                           double* along) {                                                      \
        kernels().add_slopes_##suffix(e, dy, means, plain, along);                               \
    }                                                                                            \
    inline void normalize_channels(const Example<T>& e, const ChannelForward<T>& task) {         \
        kernels().normalize_channels_##suffix(e, task);                                          \
    }                                                                                            \
    inline void normalize_channels_back(const Example<T>& e, const ChannelBack<T>& task) {       \
        kernels().normalize_channels_back_##suffix(e, task);                                     \
    }
STYLOBATE_BY_TYPE(float, f32)
STYLOBATE_BY_TYPE(double, f64)
#undef STYLOBATE_BY_TYPE

}  // namespace stylobate::network::norms
