// Elastic nets at many penalties, each starting from the last: from a Gram, or from the rows.
#pragma once

#include <vector>

#include "descend/column_pass.hpp"
#include "descend/columns.hpp"
#include "descend/elastic_net.hpp"

namespace stylobate::descend {

// Answers of several regressions at several penalties, in that order.
struct Paths {
    std::vector<double> coef;       // regressions × penalties × columns
    std::vector<double> intercept;  // regressions × penalties
    std::vector<double> primal, gap, kkt, epochs, condition;
    std::vector<double> screened;  // columns proved to have coefficient zero before the end
    std::vector<Record> records;   // of each regression, where asked for

    Paths() = default;
    Paths(Index answers, Index cols)
        : coef(area(answers, cols)),
          intercept(answers),
          primal(answers),
          gap(answers),
          kkt(answers),
          epochs(answers),
          condition(answers),
          screened(answers) {}
};

// Regressions of which the moments are known: regression i has Gram number `which[i]`, products
// Xᵀy in row i of `xy`, and yᵀy in `yy[i]`. `start`: coefficients by regression, or null.
struct GramProblems {
    const double* grams = nullptr;  // × cols × cols
    const Index* which = nullptr;
    const double* xy = nullptr;
    const double* yy = nullptr;
    const double* start = nullptr;
    Index count = 0, cols = 0;
};

// Regressions on the same columns: row i of y is regression i's target, row i of `weights` (or
// null) its weights of the rows; a row of weight 0 takes no part.
struct RowProblems {
    const double* y = nullptr;
    const double* weights = nullptr;
    const double* start = nullptr;
    Index count = 0;
    bool intercept = true;
    // Of unweighted or equally weighted regressions, where known: Σω x and Σω x² by column, and
    // Σω x(y − ȳ) by regression and column. Else from a reading of their own.
    const double* sums = nullptr;
    const double* squares = nullptr;
    const double* products = nullptr;
};

// `penalties`: by regression, `n_penalties` each, best from large to small.
Paths gram_paths(const GramProblems& problems, const ElasticNet* penalties, Index n_penalties,
                 const Rules& rules);
Paths row_paths(const Columns& x, const RowProblems& problems, const ElasticNet* penalties,
                Index n_penalties, const Rules& rules);

}  // namespace stylobate::descend
