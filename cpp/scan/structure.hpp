// Whether a compressed matrix is one: what the scans rely on and a caller could get wrong.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::scan {

// Offsets from 0, never decreasing, at most `entries`; every index in [0, minor). Throws
// InvalidArgument.
template <class T, class I>
void check_structure(const SparseView<T, I>& x, Index entries);

}  // namespace stylobate::scan
