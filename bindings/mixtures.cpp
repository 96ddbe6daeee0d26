// Mixtures of Gaussians.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_mixtures(nb::module_&) {}

}  // namespace stylobate::bindings
