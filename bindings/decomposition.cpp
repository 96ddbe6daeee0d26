// Leading directions of rows.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_decomposition(nb::module_&) {}

}  // namespace stylobate::bindings
