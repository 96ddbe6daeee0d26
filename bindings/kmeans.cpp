// k-means: bounds, starts, one dimension.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_kmeans(nb::module_&) {}

}  // namespace stylobate::bindings
