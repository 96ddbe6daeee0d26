#include "bindings.hpp"

namespace stylobate::bindings {

void bind_stochastic(nb::module_&) {}

}  // namespace stylobate::bindings
