// Monomials of several variables, lowest degrees first.
#pragma once

#include <vector>

#include "tile/kernels.hpp"

namespace stylobate::tile {

class Monomials {
 public:
    static constexpr Index most = 256;  // terms that the kernels have room for

    explicit Monomials(Index variables) {
        parent_ = {0}, axis_ = {0}, scale_ = {1.0}, counts_ = {1};
        std::vector<int> run = {0};  // the power of the last variable of each term
        for (Index begin = 0;;) {
            const Index end = static_cast<Index>(parent_.size());
            for (Index t = begin; t < end; ++t)
                for (int l = t == 0 ? 0 : axis_[t]; l < variables; ++l) {
                    const int power = t > 0 && l == axis_[t] ? run[t] + 1 : 1;
                    parent_.push_back(static_cast<int>(t)), axis_.push_back(l);
                    run.push_back(power), scale_.push_back(scale_[t] / power);
                }
            if (static_cast<Index>(parent_.size()) > most) break;
            counts_.push_back(static_cast<Index>(parent_.size()));
            begin = end;
        }
    }

    Index highest_degree() const { return static_cast<Index>(counts_.size()) - 1; }
    MonomialTerms up_to(Index degree) const {
        return {parent_.data(), axis_.data(), scale_.data(), counts_[degree]};
    }

 private:
    std::vector<int> parent_, axis_;
    std::vector<double> scale_;
    std::vector<Index> counts_;  // terms up to each degree
};

}  // namespace stylobate::tile
