// Sums that keep the processor busy.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate::network {

// Σ f(i) over a run, in four sums side by side: the processor need not wait for the last one
template <class Function>
inline double sum_of(Index n, const Function& f) {
    double s[4] = {0.0, 0.0, 0.0, 0.0};
    Index i = 0;
    for (; i + 4 <= n; i += 4)
        for (Index k = 0; k < 4; ++k) s[k] += f(i + k);
    for (; i < n; ++i) s[0] += f(i);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

}  // namespace stylobate::network
