// The columns coordinate descent works on now: their Gram, and (dense) their centred values.
#pragma once

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
    WorkingSet(const Columns& x, Regression& regression);

    Index size() const { return static_cast<Index>(members_.size()); }
    const std::vector<Index>& members() const { return members_; }
    Index place(Index column) const { return place_[column]; }  // −1 if not a member

    // Bring in columns (sorted, none a member yet) and complete the Gram.
    void add(const std::vector<Index>& columns);
    void clear();

    const double* gram() const { return gram_.data(); }
    Index gram_stride() const { return capacity_; }
    const double* lengths() const { return lengths_.data(); }

    // r = √ω(y − ȳ − (X − x̄)w) and, of the members, c = (X − x̄)ᵀ√ω r.
    void residual(const std::vector<double>& w, std::vector<double>& r) const;
    void correlations(const std::vector<double>& r, std::vector<double>& c) const;

 private:
    void reserve(Index size);
    void pack(Index first);
    void products(Index first);
    void sparse_products(Index first);
    void mirror(Index first);
    void turn(Index from, double* out) const;

    const Columns& x_;
    Regression& regression_;
    std::vector<Index> members_, place_;
    Index capacity_ = 0, stride_;
    Buffer gram_, values_;  // values: √ω(x − x̄) by column, for dense columns
    std::vector<double> lengths_;
};

}  // namespace stylobate::descend
