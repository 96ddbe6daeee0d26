// Hierarchies of clusters.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_linkage(nb::module_&) {}

}  // namespace stylobate::bindings
