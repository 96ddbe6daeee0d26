// k-medoids and k-centres.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_medoids(nb::module_&) {}

}  // namespace stylobate::bindings
