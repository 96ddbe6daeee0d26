// Neighbour embeddings: t-SNE and its like.
#include "bindings.hpp"
#include "tsne.hpp"

namespace stylobate::bindings {

void bind_embedding(nb::module_& module) {
    bind_tsne(module);
}

}  // namespace stylobate::bindings
