// Clusters of dense rows.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_density_clusters(nb::module_&) {}

}  // namespace stylobate::bindings
