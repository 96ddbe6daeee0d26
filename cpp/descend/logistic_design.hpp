// The rows of a logistic problem as its solver needs them: products with coefficients and
// residuals, and chosen columns, whatever the layout behind.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/buffer.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

// Chosen columns of a sparse matrix, compressed.
struct ChosenColumns {
    std::vector<Index> offsets{0};
    std::vector<std::int32_t> rows;
    std::vector<double> values;
};

class Design {
 public:
    virtual ~Design() = default;
    virtual Index rows() const = 0;
    virtual Index cols() const = 0;
    virtual bool sparse() const = 0;

    // z[c][i] = Σⱼ x[i][j] w[c][j]; only the columns of `support` have w ≠ 0.
    virtual void margins(const double* w, Index classes, const std::vector<Index>& support,
                         double* z) const = 0;

    // g[c][j] = Σᵢ r[c][i] x[i][j] for the columns of `alive`; the others may be left as they are.
    virtual void gradient(const double* r, Index classes, const std::vector<Index>& alive,
                          double* g) const = 0;

    // Σᵢ sᵢ x[i][j], and Σᵢ sᵢ (x[i][j] − mean)², where mean is Σ s x / Σ s or 0.
    virtual void moments(const double* s, bool centred, double* sums, double* squares) const = 0;

    // Dense only: out[v] = x[row][features[v]] − shift[features[v]] for v < count.
    virtual void pack(Index row, const Index* features, Index count, const double* shift,
                      double* out) const = 0;

    // Sparse only.
    virtual ChosenColumns take(const std::vector<Index>& features) const = 0;
};

template <class T>
class DenseDesign final : public Design {
 public:
    explicit DenseDesign(MatrixView<T> x) : x_(x) {}
    Index rows() const override { return x_.rows; }
    Index cols() const override { return x_.cols; }
    bool sparse() const override { return false; }
    void margins(const double* w, Index classes, const std::vector<Index>& support,
                 double* z) const override;
    void gradient(const double* r, Index classes, const std::vector<Index>& alive,
                  double* g) const override;
    void moments(const double* s, bool centred, double* sums, double* squares) const override;
    void pack(Index row, const Index* features, Index count, const double* shift,
              double* out) const override;
    ChosenColumns take(const std::vector<Index>&) const override { return {}; }

 private:
    void gather(const double* r, Index classes, const std::vector<Index>& alive, double* g) const;

    MatrixView<T> x_;
};

// Compressed columns.
template <class T, class I>
class SparseDesign final : public Design {
 public:
    explicit SparseDesign(SparseView<T, I> x) : x_(x) {}
    Index rows() const override { return x_.minor; }
    Index cols() const override { return x_.major; }
    bool sparse() const override { return true; }
    void margins(const double* w, Index classes, const std::vector<Index>& support,
                 double* z) const override;
    void gradient(const double* r, Index classes, const std::vector<Index>& alive,
                  double* g) const override;
    void moments(const double* s, bool centred, double* sums, double* squares) const override;
    void pack(Index, const Index*, Index, const double*, double*) const override {}
    ChosenColumns take(const std::vector<Index>& features) const override;

 private:
    SparseView<T, I> x_;
};

}  // namespace stylobate::descend
