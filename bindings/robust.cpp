#include "bindings.hpp"

namespace stylobate::bindings {

void bind_robust(nb::module_&) {}

}  // namespace stylobate::bindings
