// The inverse of the support's Gram, kept up as columns enter and leave.
#pragma once

#include <vector>

#include "descend/elastic_net.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::descend {

// H = (G_SS + l2·I)⁻¹. Columns come and go in groups, each at the cost of one update of rank
// "how many": along a path few do, and a Newton step costs about one epoch of descent.
class SupportInverse {
 public:
    // How many columns would have to enter and leave for this support.
    Index distance(const std::vector<Index>& support) const;

    // Become the inverse for this support. False where a column depends on the others: then
    // `dependent` is it, and `combination` the multiples of members() that give it.
    bool follow(const Gram& gram, double l2, const std::vector<Index>& support,
                Checkpoint& checkpoint);

    const std::vector<Index>& members() const { return members_; }
    Index dependent = -1;
    std::vector<double> combination;

    // d = H·g, both in the order of members()
    void multiply(const std::vector<double>& g, std::vector<double>& d) const;

    // The largest inflation of a coefficient's error by the other columns, as a condition number.
    double condition(const Gram& gram) const;

    void clear() { members_.clear(); }

 private:
    void remove(const std::vector<Index>& positions);
    bool add(const Gram& gram, const std::vector<Index>& columns);
    void reserve(Index size);

    std::vector<Index> members_;  // positions in the Gram
    Buffer h_;
    Index ld_ = 0;
    double l2_ = 0.0;
};

}  // namespace stylobate::descend
