// Non-negative factors, dictionaries, topics.
#include "bindings.hpp"

namespace stylobate::bindings {

void bind_factorization(nb::module_&) {}

}  // namespace stylobate::bindings
