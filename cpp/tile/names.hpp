// Measures and maps by name: what the world outside calls them.
#pragma once

#include <string>

#include "tile/kernel_strips.hpp"
#include "tile/measure.hpp"
#include "tile/nearest.hpp"

namespace stylobate::tile {

// All throw InvalidArgument for a name they do not know.
Measure measure_named(const std::string& name);
Map map_named(const std::string& name);
Codes codes_named(const std::string& name);
KernelStep::Kind kernel_step_named(const std::string& name);

}  // namespace stylobate::tile
