// Local response normalisation: channels held down where their neighbours are strong.
#pragma once

#include "network/batch_norm.hpp"

namespace stylobate::network {

// y_c = x_c (k + α/n Σ_{|j − c| ≤ n/2} x_j²)^−β
struct Response {
    Index reach;            // channels to either side, ⌊n/2⌋
    double share, beta, k;  // α/n
};

// Also gives `base`, what is in the brackets, for the way back.
template <class T>
void response_norm(const Channels& c, const Response& r, const T* x, T* y, T* base);

template <class T>
void response_norm_back(const Channels& c, const Response& r, const T* x, const T* base,
                        const T* dy, T* dx);

}  // namespace stylobate::network
