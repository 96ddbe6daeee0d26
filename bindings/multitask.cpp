#include "bindings.hpp"

namespace stylobate::bindings {

void bind_multitask(nb::module_&) {}

}  // namespace stylobate::bindings
