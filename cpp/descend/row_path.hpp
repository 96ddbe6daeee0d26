// One regression's way along its penalties: a working set of columns on the rows.
#pragma once

#include <memory>
#include <vector>

#include "descend/block_descent.hpp"
#include "descend/elastic_net_path.hpp"
#include "descend/screening.hpp"
#include "descend/support_inverse.hpp"
#include "descend/working_set.hpp"

namespace stylobate::descend {

class RowPath {
 public:
    RowPath(const Columns& x, const RowProblems& problems, Index i);

    // Once, from Σω x (ignored without intercept), Σω x² and Σω x(y − ȳ) of all columns.
    void begin(const double* sums, const double* squares, const double* products);

    // Other coefficients than zero to start from; their correlations are not known then.
    void start(const double* coef);

    // √ω r, whose products with the columns are the correlations
    void weighted_residual(double* out) const;

    // The correlations of all columns that were read, from raw products.
    void take_products(const double* products, const double* weighted,
                       const std::vector<char>& awake);

    // Whether a reading must give the correlation of column j: members' own are known more exactly,
    // and of dropped columns nothing need be known before the next penalty.
    bool must_read(Index j) const {
        return !screen_.dropped(j) && (by_blocks_ || set_->place(j) < 0);
    }
    bool forgotten(Index j) const { return screen_.dropped(j) && set_->place(j) < 0; }

    // A penalty begins, all correlations being known; a round of work at it; what it led to.
    void begin_penalty(const ElasticNet& penalty, const Rules& rules);
    void advance(const ElasticNet& penalty, const Rules& rules, Index round,
                 Checkpoint& checkpoint);
    void judge(const ElasticNet& penalty, const Rules& rules);

    void recall() { screen_.reset(), done_ = false; }
    bool remembers_all() const { return screen_.count() == 0; }
    bool done() const { return done_; }

    // Keep a record of the epochs from now on.
    void keep(Record* record) { state_.record = record; }

    // Store this penalty's answer.
    void report(Paths& out, Index at) const;

 private:
    double goal(const Rules& rules) const { return rules.goal(proof_.primal, at_zero_); }
    double change_goal(const Rules& rules) const;
    Index support() const;
    double largest(const Rules& rules) const;
    double intercept() const;
    Gram gram() const { return {set_->gram(), set_->gram_stride(), set_->size(), set_->lengths()}; }
    std::vector<Index> newcomers(double threshold, const Rules& rules) const;
    bool violated(double threshold, const Rules& rules) const;
    void enter(const std::vector<Index>& columns);
    std::vector<Index> most_promising(Index room, const Rules& rules) const;
    void make_room(double threshold, const Rules& rules, Index entering);
    void solve(const ElasticNet& penalty, Rules rules, bool rough, Checkpoint& checkpoint);
    void solve_by_blocks(const ElasticNet& penalty, const Rules& rules, double threshold,
                         double ratio, bool first, Checkpoint& checkpoint);
    void foresee(double ratio, const ElasticNet& penalty, const Rules& rules,
                 Checkpoint& checkpoint);
    void prove(const ElasticNet& penalty, const Rules& rules);
    void renew(bool rough);

    const Columns& x_;
    Regression regression_;
    std::unique_ptr<WorkingSet> set_;
    State state_;
    SupportInverse inverse_;
    Screen screen_;
    Proof proof_;
    std::vector<double> residual_, c_, coef_;
    std::vector<double> before_coef_, before_c_,
        before_residual_;   // at the penalty before the last
    double at_zero_ = 0.0;  // the objective at zero coefficients
    double part_ = 0.0;     // of the tolerance the next descent may leave
    double last_l1_ = 0.0;  // of the penalty before
    double step_ = 0.0;     // of l1, up to the penalty before
    Index epochs_ = 0;
    bool done_ = false;
    double most_products_ = 0.0;   // of members, to be kept
    bool without_gram_ = false;    // whether sparse members have too many of them
    bool by_blocks_ = false;       // whether the Gram of the members is no longer kept
    std::vector<char> took_part_;  // members in the last descent by blocks
};

}  // namespace stylobate::descend
