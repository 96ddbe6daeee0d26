// Multidimensional scaling.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_scaling(nb::module_&) {}

}  // namespace stylobate::bindings
