// Where the first NaN or infinity stands, row by row.
#pragma once

#include <optional>
#include <utility>

#include "stylobate/views.hpp"

namespace stylobate::scan {

template <class T>
std::optional<std::pair<Index, Index>> first_nonfinite(const MatrixView<T>& x);

}  // namespace stylobate::scan
