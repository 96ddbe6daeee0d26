#include "bindings.hpp"

namespace stylobate::bindings {

void bind_lasso(nb::module_&) {}

}  // namespace stylobate::bindings
