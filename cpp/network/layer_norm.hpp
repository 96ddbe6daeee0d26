// Layer normalisation: every example over its own entries.
#pragma once

#include "network/batch_norm.hpp"

namespace stylobate::network {

// Also gives the mean and 1/√(variance + ε) of every example.
template <class T>
void normalize_rows(const Channels& c, const T* x, double epsilon, const T* scale, const T* shift,
                    T* y, double* means, double* inverses);

template <class T>
void normalize_rows_back(const Channels& c, const T* x, const double* means, const double* inverses,
                         const T* scale, const T* dy, T* dx, T* d_scale, T* d_shift);

}  // namespace stylobate::network
