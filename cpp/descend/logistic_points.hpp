// Points of an l1-penalised logistic problem: coefficients, and what the rows say about them.
#pragma once

#include <vector>

#include "descend/logistic_l1.hpp"
#include "descend/logistic_rows.hpp"

namespace stylobate::descend {

struct LogisticPoint {
    LogisticPoint(Index margins, Index cols, Index rows, bool curves)
        : w(area(margins, cols)),
          b(margins),
          z(area(margins, rows)),
          p(area(margins, rows)),
          r(area(margins, rows)),
          g(area(margins, cols)),
          curved(curves ? cols : 0) {}

    Buffer w, b;     // coefficients, intercepts
    Buffer z, p, r;  // of the rows: margins without intercepts, probabilities, residuals
    Buffer g;        // gradient of the loss, the intercepts eliminated by one Newton step of theirs
    Buffer curved;   // Xᵀd, d = s p(1 − p), after a single pass
    double value = 0.0;
    double shift = 0.0;      // that step: the intercept of two classes should be b − shift
    double curvature = 0.0;  // Σ d
    bool differentiated = false, single_pass = false;
};

// Evaluates points. Two classes of dense rows are read once for value and gradient, the intercept
// being a step of Newton's method behind; else twice, the intercepts optimal.
class LogisticObjective {
 public:
    explicit LogisticObjective(const LogisticProblem& problem);

    const LogisticRows& rows() const { return rows_; }
    LogisticPoint point() const;

    // Columns of `alive` are the only ones whose gradient is wanted.
    void evaluate(LogisticPoint& at, const std::vector<Index>& alive) const;
    void evaluate_margins(LogisticPoint& at) const;  // its value where the margins are known
    void differentiate(LogisticPoint& at, const std::vector<Index>& alive) const;

    // The intercept that the curvature at `from` predicts for the coefficients of `to`.
    void predict_intercept(const LogisticPoint& from, LogisticPoint& to) const;

    std::vector<Index> support(const LogisticPoint& at) const;

 private:
    bool passes_once(const std::vector<Index>& alive) const;
    void pass(LogisticPoint& at) const;
    double penalty(const Buffer& w) const;

    const LogisticProblem& problem_;
    const Design& x_;
    Index k_, p_, n_;
    LogisticRows rows_;
};

}  // namespace stylobate::descend
