// The Hessian of a working set of coefficients: which they are, how carefully it is formed, and for
// how long it is kept.
#pragma once

#include <memory>
#include <vector>

#include "descend/logistic_models.hpp"
#include "descend/logistic_points.hpp"

namespace stylobate::descend {

// Where the solver is: what the choice of a model depends on besides the point.
struct Surroundings {
    const LogisticPoint& now;
    const std::vector<Index>& alive;  // columns that may have a coefficient
    double violation;                 // of the optimality conditions
    Index iteration;
};

class WorkingModel {
 public:
    WorkingModel(const LogisticProblem& problem, const LogisticRows& rows, const double* shift);

    GramModel* get() const { return model_.get(); }
    LogisticData data() const { return {x_, rows_, shift_, problem_.intercept}; }

    // Coefficients in use, and the worst of those that should be.
    Variables choose(const Surroundings& at) const;

    // Whether the Hessian will do for a step here; the few coefficients it lacks are taken in.
    bool serves(const Surroundings& at);

    bool can_form(Index size) const;
    void form(Variables chosen, const Surroundings& at);
    void drop() { model_.reset(); }
    void warm() { cold_ = false; }  // the start was near: its curvatures last

    // After a step that failed: whether a better Hessian can be formed.
    bool distrust();

    // After a step from `before` that left a share of the violation and of the gap, which must
    // still fall to `wanted` of itself: the Hessian learns from it, or is given up.
    void review(const LogisticPoint& before, const LogisticPoint& now, double left, double rate,
                double wanted);

    // Of the Hessian, which there is, in the coefficients in use.
    double condition(const LogisticPoint& now) const;

 private:
    GramEffort effort_for(Index size, const Surroundings& at);
    bool next_to_free(Index size) const;
    bool outdated(double left, double rate, double wanted) const;
    std::vector<double> curvatures(const Variables& of, const LogisticPoint& now) const;

    const LogisticProblem& problem_;
    const Design& x_;
    const LogisticRows& rows_;
    const double* shift_;
    Index k_, p_, n_;
    double l1_;
    std::unique_ptr<GramModel> model_;
    bool stale_ = false, exact_ = false;  // exact_: formed here, of all rows in double precision
    bool single_ = true, sampled_ = true, cold_ = true;  // what may still be tried
};

}  // namespace stylobate::descend
