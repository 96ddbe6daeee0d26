// t-SNE, a part of the bindings of neighbour embeddings.
#pragma once

#include "bindings.hpp"

namespace stylobate::bindings {

void bind_tsne(nb::module_& module);

}  // namespace stylobate::bindings
