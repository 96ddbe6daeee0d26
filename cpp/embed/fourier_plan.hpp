// Lengths whose Fourier transforms are quick, and the passes that compute them.
#pragma once

#include <vector>

#include "embed/tsne_kernels.hpp"

namespace stylobate::tsne {

// The least n = 2ᵃ3ᵇ5ᶜ, a multiple of 8, that is not below `least`.
Index quick_length(Index least);

class FourierPlan {
 public:
    explicit FourierPlan(Index length);  // of quick_length
    Index length() const { return length_; }
    FourierPasses passes() const { return {passes_.data(), static_cast<Index>(passes_.size())}; }

 private:
    Index length_;
    std::vector<float> twiddles_;
    std::vector<FourierPass> passes_;
};

}  // namespace stylobate::tsne
