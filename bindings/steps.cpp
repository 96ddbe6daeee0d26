#include "bindings.hpp"

namespace stylobate::bindings {

void bind_steps(nb::module_&) {}

}  // namespace stylobate::bindings
