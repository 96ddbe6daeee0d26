// Silhouettes and other qualities of clusters.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_silhouettes(nb::module_&) {}

}  // namespace stylobate::bindings
