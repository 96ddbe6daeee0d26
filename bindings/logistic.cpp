#include "bindings.hpp"

namespace stylobate::bindings {

void bind_logistic(nb::module_&) {}

}  // namespace stylobate::bindings
