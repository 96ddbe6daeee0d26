// Second-order models of the logistic loss in chosen coefficients, the intercepts eliminated.
#pragma once

#include <vector>

#include "descend/logistic_design.hpp"
#include "descend/logistic_rows.hpp"

namespace stylobate::descend {

// Chosen coefficients: of which margin and which column, margin after margin.
struct Variables {
    std::vector<Index> margin, feature;
    Index size() const { return static_cast<Index>(margin.size()); }
};

// The problem's fixed parts, as the models read them.
struct LogisticData {
    const Design& x;
    const LogisticRows& rows;
    const double* shift;  // near the columns' means: what is squared is x − shift
    bool intercept;
};

struct ChosenEntries;  // of a sparse matrix

// How carefully a Hessian is formed: from all rows (step 1) or from each `step`-th after `first`,
// which then stand for all; in single precision or double.
struct GramEffort {
    Index first = 0, step = 1;
    bool single = false;

    Index count(Index n) const { return (n - first + step - 1) / step; }
    Index row(Index k) const { return first + k * step; }
};

// gᵀδ + ½δᵀHδ with the Hessian of all chosen coefficients formed once.
class GramModel {
 public:
    static constexpr bool cheap = true;
    GramModel(const LogisticData& data, const double* probability, Variables variables,
              GramEffort effort);
    // Of dense rows with curvatures d.
    GramModel(const Design& x, const Buffer& d, const std::vector<Index>& features,
              const double* shift, bool intercept);

    const Variables& variables() const { return variables_; }
    void start(std::vector<double> gradient) { g_ = q_ = std::move(gradient); }
    Index size() const { return size_; }
    double curvature(Index k) const { return diagonal_[k]; }
    double gradient(Index k) const { return q_[k]; }
    void move(Index k, double change);
    void place(const std::vector<double>& delta);
    double quadratic(const std::vector<double>& delta) const;

    // Takes in further coefficients of these curvatures, as if they had nothing to do with the
    // others: learning will tell.
    void extend(const Variables& more, const std::vector<double>& curvature);

    // The update of Broyden, Fletcher, Goldfarb and Shanno: makes up for a Hessian that is old, or
    // of a sample. `change` is what the step did to the gradient.
    void learn(const std::vector<double>& step, const std::vector<double>& change);

    // An estimate (by Lanczos) of the condition of H + l2 among some coefficients, scaled to unit
    // diagonal.
    double condition(const std::vector<Index>& chosen, double l2) const;

 private:
    // pack(row, v0, v1, out) writes the chosen columns v0 ≤ v < v1 of a row.
    template <class Pack>
    bool of_rows_single(const LogisticData& data, const double* probability,
                        const GramEffort& effort, const Pack& pack);
    template <class Pack>
    void of_rows(const LogisticData& data, const double* probability, const GramEffort& effort,
                 const Pack& pack);
    void of_sparse(const LogisticData& data, const double* probability, const GramEffort& effort);
    void of_entries(const LogisticData& data, const double* probability, const ChosenEntries& all);
    void eliminate_intercepts(Index margins);
    void complete(bool intercept, Index margins);

    Variables variables_;
    Index size_, width_, ld_;  // chosen coefficients; with the intercepts; distance of rows
    Buffer hessian_;
    std::vector<double> g_, q_, diagonal_;
};

// The same for one margin, through its columns: H is never formed. `d`: the rows' curvatures.
class ColumnModel {
 public:
    static constexpr bool cheap = false;
    ColumnModel(const Design& x, Buffer d, const std::vector<Index>& features, const double* shift,
                bool intercept);
    ColumnModel(const LogisticData& data, const double* probability, Index margin,
                const std::vector<Index>& features);

    void start(std::vector<double> gradient);
    Index size() const { return size_; }
    double curvature(Index k) const { return curvature_[k]; }
    double gradient(Index k) const;
    void move(Index k, double change);
    void place(const std::vector<double>& delta);
    double quadratic(const std::vector<double>& delta) const;

 private:
    template <class Body>
    void over(Index k, const Body& body) const;

    Index n_, size_;
    bool sparse_;
    Buffer d_, image_;       // curvatures of the rows; Xδ
    Buffer dense_;           // columns, one after the other
    ChosenColumns columns_;  // of a sparse matrix
    std::vector<double> g_, curvature_, mean_;
    double total_ = 0.0, offset_ = 0.0;  // Σd; the mean of Xδ under d
};

}  // namespace stylobate::descend
