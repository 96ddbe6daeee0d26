// Everything the core can refuse. The bindings map these to Python in one place (errors.cpp there).
#pragma once

#include <stdexcept>

namespace stylobate {

// The arguments do not fit together; the message says which and what would.
struct InvalidArgument : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The caller asked to stop (Ctrl-C). Thrown from the parallel loop, never from a worker.
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace stylobate
