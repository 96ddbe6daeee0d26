// Entries set to zero at random, the others divided by the share that stays.
#pragma once

#include <cstdint>

#include "stylobate/views.hpp"

namespace stylobate::network {

// Which entries go is a function of the seed and their places: the way back drops the same ones,
// and nothing has to be kept but the seed.
template <class T>
void drop(const T* x, Index n, double rate, std::uint64_t seed, T* y);

}  // namespace stylobate::network
