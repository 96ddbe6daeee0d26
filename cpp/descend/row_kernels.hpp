// Kernels of methods that go through single rows, compiled per instruction set.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::descend {

// What one step of SAGA does to a coefficient w with average gradient g at the entry x of a row:
//   d = change · (x − center),  w ← soft(shrink·w − step·(along·d + g), threshold),  g ← g +
//   share·d
struct SagaStep {
    double change, along, step, shrink, threshold, share;
};

struct RowKernels {
    // Σ x w
    double (*dot_f64)(const double* x, const double* w, Index n);
    double (*dot_f32)(const float* x, const double* w, Index n);
    // w ← w + a x
    void (*add_f64)(double a, const double* x, double* w, Index n);
    void (*add_f32)(double a, const float* x, double* w, Index n);
    // Σ (x − center) w
    double (*centred_dot_f64)(const double* x, const double* center, const double* w, Index n);
    double (*centred_dot_f32)(const float* x, const double* center, const double* w, Index n);
    void (*saga_f64)(const SagaStep& how, const double* x, const double* center, double* w,
                     double* g, Index n);
    void (*saga_f32)(const SagaStep& how, const float* x, const double* center, double* w,
                     double* g, Index n);
};

const RowKernels& row_kernels();  // of isa()

}  // namespace stylobate::descend
