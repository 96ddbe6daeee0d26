// The rows of a logistic problem as its solver needs them: products with coefficients and
// residuals, and chosen columns, whatever the layout behind.
#pragma once

#include <cstdint>
#include <vector>

#include "descend/logistic_rows.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

// Chosen columns of a sparse matrix, compressed.
struct ChosenColumns {
    std::vector<Index> offsets{0};
    std::vector<std::int32_t> rows;
    std::vector<double> values;
};

// Where a pass writes about a point of two classes: of every row the margin Xw, probability and
// residual; of every column Xᵀr and Xᵀd with d = s p(1 − p) (null where there is no intercept).
struct PassAt {
    double *z, *p, *r, *g, *curved;
};

struct PassSums {
    double loss = 0.0, residual = 0.0, curvature = 0.0;  // Σ sℓ, Σ r, Σ d
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

    // Dense only, two classes: everything about a point in one reading of the rows.
    virtual PassSums pass(const LogisticRows& rows, const double* w, double intercept,
                          const PassAt& at) const = 0;

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
    PassSums pass(const LogisticRows& rows, const double* w, double intercept,
                  const PassAt& at) const override;
    void moments(const double* s, bool centred, double* sums, double* squares) const override;
    void pack(Index row, const Index* features, Index count, const double* shift,
              double* out) const override;
    ChosenColumns take(const std::vector<Index>&) const override { return {}; }

 private:
    Index chunk_of(Index size) const;
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
    PassSums pass(const LogisticRows&, const double*, double, const PassAt&) const override {
        return {};
    }
    void moments(const double* s, bool centred, double* sums, double* squares) const override;
    void pack(Index, const Index*, Index, const double*, double*) const override {}
    ChosenColumns take(const std::vector<Index>& features) const override;

 private:
    SparseView<T, I> x_;
};

}  // namespace stylobate::descend
