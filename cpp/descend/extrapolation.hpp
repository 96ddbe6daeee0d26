// Anderson extrapolation of a sequence of coefficients.
#pragma once

#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::descend {

// Keeps the last iterates of coefficients w and of something affine in w, be it c = Xᵀr or the
// residual r itself: the combination of the w with weights of sum one has the same combination of
// the c.
class Extrapolation {
 public:
    Extrapolation(Index size, Index depth) : Extrapolation(size, size, depth) {}
    Extrapolation(Index size, Index other_size, Index depth);
    void start(const std::vector<double>& w, const std::vector<double>& c);
    void push(const std::vector<double>& w, const std::vector<double>& c);
    bool full() const { return count_ > depth_; }

    // The combination whose differences are smallest; false where they are too alike to tell.
    bool combine(std::vector<double>& w, std::vector<double>& c) const;

 private:
    Index size_, other_size_, depth_, count_ = 0;
    std::vector<double> w_, c_;  // depth + 1 iterates each
};

}  // namespace stylobate::descend
