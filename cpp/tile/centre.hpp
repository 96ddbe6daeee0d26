// A point amid the rows: distances do not change if it is subtracted, rounding errors do.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tile {

template <class T>
std::vector<double> centre_rows(const MatrixView<T>& x) {
    constexpr Index most = 4096;  // any point amid the rows will do: no need to read them all
    std::vector<double> centre(static_cast<std::size_t>(x.cols), 0.0);
    const Index step = std::max<Index>(1, x.rows / most);
    Index count = 0;
    for (Index i = 0; i < x.rows; i += step, ++count)
        for (Index l = 0; l < x.cols; ++l) centre[l] += static_cast<double>(x(i, l));
    for (double& mean : centre) {
        mean /= static_cast<double>(std::max<Index>(count, 1));
        if (!std::isfinite(mean)) mean = 0.0;
    }
    return centre;
}

}  // namespace stylobate::tile
