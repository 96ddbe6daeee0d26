// Arrays of any number, and maps of the core with their numbers.
#pragma once

#include <string>

#include "bindings.hpp"
#include "tile/names.hpp"

namespace stylobate::bindings {

template <class T>
using Array = nb::ndarray<nb::numpy, T>;

}  // namespace stylobate::bindings
