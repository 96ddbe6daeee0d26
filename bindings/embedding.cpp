// Neighbour embeddings: t-SNE and its like.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_embedding(nb::module_&) {}

}  // namespace stylobate::bindings
