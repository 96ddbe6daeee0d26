// The last layer: its activation, the loss that belongs to it, and the loss's derivative.
#pragma once

#include <cstdint>

#include "network/kernels.hpp"

namespace stylobate::network {

// Each with its loss, so that the derivative by the layer's input is (output − target):
// ½(a − y)² averaged over outputs, the Poisson deviance / 2, the log-losses of labels and classes.
enum class Output : int { identity, exponential, logistic, softmax };

// One column of numbers per output, or class numbers (two classes have one output); the weights of
// rows may be null: ones.
template <class T>
struct Targets {
    const T* values = nullptr;
    const std::int32_t* codes = nullptr;
    const double* weights = nullptr;

    double operator()(Index row, Index output, Index outputs) const {
        if (codes == nullptr) return static_cast<double>(values[row * outputs + output]);
        return codes[row] == (outputs == 1 ? 1 : output) ? 1.0 : 0.0;
    }
    double weight(Index row) const { return weights == nullptr ? 1.0 : weights[row]; }
};

// The output's activation of one row, in place.
template <class T>
void finish_row(Output kind, T* z, Index outputs);

// The weighted loss of one row, whose activations are `a`; `delta` gets weight·(a − y).
template <class T>
double row_loss(Output kind, const T* a, Index outputs, const Targets<T>& targets, Index row,
                T* delta);

}  // namespace stylobate::network
