// One step of parameters whose penalties differ from part to part.
#pragma once

#include <cstdint>

#include "network/optimiser.hpp"

namespace stylobate::network {

// Parameters ends[k − 1] … ends[k] − 1 are pulled to zero by decays[k]; `count` parts in all.
struct Segments {
    const std::int64_t* ends;
    const double* decays;
    Index count;
};

// Moves all parameters along their gradients; returns the penalty ½ Σ decay·w² of before.
template <class T>
double step_segments(bool adaptive, const Weights<T>& w, const T* gradient, Step step,
                     const Segments& segments);

}  // namespace stylobate::network
