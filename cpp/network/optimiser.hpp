// What a batch's sums of gradients do: move the weights, or be added up for who asked.
#pragma once

#include <cmath>
#include <cstdint>

#include "network/kernels.hpp"

namespace stylobate::network {

enum class Method : int { adam, momentum, gradient };

// State of all parameters, in their order; `total` is of the method `gradient` alone.
template <class T>
struct Optimiser {
    Method method = Method::adam;
    double rate = 1e-3, first = 0.9, second = 0.999, epsilon = 1e-8;
    bool nesterov = true;
    double decay = 0.0;  // α of the penalty ½α‖W‖²
    std::int64_t steps = 0;
    T *first_moments = nullptr, *second_moments = nullptr;
    double* total = nullptr;

    // The next step, for a batch of this weight.
    Step next(double weight) {
        ++steps;
        Step step{rate, first, second, epsilon, decay, 1.0 / weight, nesterov};
        if (method == Method::adam) {
            const auto t = static_cast<double>(steps);
            step.rate = rate * std::sqrt(1.0 - std::pow(second, t)) / (1.0 - std::pow(first, t));
        }
        return step;
    }

    // Moves parameters `at` … by their sums of gradients; returns Σ w² of before.
    double move(T* parameters, Index at, Index count, const T* sums, const Step& step) const {
        if (method == Method::gradient) {
            double squares = 0.0;
            for (Index i = 0; i < count; ++i) {
                total[at + i] += static_cast<double>(sums[i]);
                const auto w = static_cast<double>(parameters[at + i]);
                squares += w * w;
            }
            return squares;
        }
        const bool is_adam = method == Method::adam;
        const Weights<T> w{parameters + at, first_moments + at,
                           is_adam ? second_moments + at : nullptr, count};
        return is_adam ? adam(w, sums, step) : momentum(w, sums, step);
    }
};

}  // namespace stylobate::network
