// The columns coordinate descent works on now: their Gram, and (dense) their centred values.
#pragma once

#include <utility>
#include <vector>

#include "descend/columns.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {

// One regression on shared columns: its target, its row weights, its centre.
struct Regression {
    std::vector<double> y;     // √ω(y − ȳ)
    std::vector<double> root;  // √ω; empty means ones
    double weight = 0.0;       // Σω
    double y_mean = 0.0;
    std::vector<double> x_mean;  // zeros without intercept
    bool intercept = true;

    double root_of(Index i) const { return root.empty() ? 1.0 : root[i]; }
};

class WorkingSet {
 public:
    static constexpr Index block = 64;  // members whose values, and products, lie together

    WorkingSet(const Columns& x, Regression& regression);

    Index size() const { return static_cast<Index>(members_.size()); }
    const std::vector<Index>& members() const { return members_; }
    Index place(Index column) const { return place_[column]; }  // −1 if not a member

    // Bring in columns (sorted, none a member yet) and complete the Gram.
    void add(const std::vector<Index>& columns);

    // Keep only the members at these positions (ascending); the Gram must be kept.
    void keep(const std::vector<Index>& positions);

    // From now on keep only products of members of the same block (dense columns), or none.
    void forget_gram();

    const double* gram() const { return gram_.data(); }
    Index gram_stride() const { return capacity_; }
    const double* lengths() const { return lengths_.data(); }

    // √ω(x − x̄) of a member, on the rows whose weight is not zero, and its products with the
    // members of its block, once the Gram is forgotten.
    const double* values(Index member) const {
        return values_[member / block].data() + member % block * stride_;
    }
    const double* block_products(Index member) const {
        return products_[member / block].data() + member % block * block;
    }

    // A vector over all rows, without those of weight zero; and back.
    std::vector<double> packed(const std::vector<double>& r) const;
    void unpack(const std::vector<double>& packed, std::vector<double>& r) const;

    // r = √ω(y − ȳ − (X − x̄)w) and, of the members, c = (X − x̄)ᵀ√ω r.
    void residual(const std::vector<double>& w, std::vector<double>& r) const;
    void correlations(const std::vector<double>& r, std::vector<double>& c) const;

 private:
    void reserve(Index size);
    void pack(Index first);
    void centre(Index member);
    void products(Index first);
    void products_in_blocks(Index first);
    void sparse_products(Index first);
    void sparse_lengths(Index first);
    void mirror(Index first);
    void turn(Index from, double* out) const;
    void measure(Index member, double squares);

    const Columns& x_;
    Regression& regression_;
    std::vector<Index> members_, place_;
    std::vector<std::pair<Index, Index>> kept_;  // stretches of rows whose weight is not zero
    std::vector<double> root_;                   // √ω of those rows; empty means ones
    Index rows_ = 0;                             // how many they are
    Index capacity_ = 0, stride_ = 0;
    bool whole_ = true;                      // whether the Gram is kept
    Buffer gram_;                            // products of all members, unless forgotten
    std::vector<Buffer> values_, products_;  // by block
    std::vector<double> lengths_;
};

}  // namespace stylobate::descend
