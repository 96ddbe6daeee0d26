// The elastic net as a quadratic of some columns' coefficients: what all its solvers share.
//
//     ½‖y − Xw‖² + l1·‖w‖₁ + ½·l2·‖w‖²   (and w ≥ 0 where asked)
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "descend/penalties.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

struct Rules {
    bool positive = false;
    bool random_order = false;
    std::uint64_t seed = 0;
    double tol = 1e-4;        // duality gap asked for, as a share of the objective, or
    double floor = 0.0;       // … of this share of the objective at zero coefficients, if larger
    Index max_epochs = 1000;  // per penalty
    bool polish = true;       // finish by the normal equations of the support
    // Where above 0: enough, too, once no coordinate's step lowers the objective by more than this
    // share of that at zero coefficients. Errors of prediction need no more; the gap, which near a
    // saturated model follows only after hundreds of epochs, is then no longer waited for.
    double change = 0.0;
    bool plain = false;   // sweeps and nothing else: no extrapolation, no Newton steps
    bool record = false;  // keep a record of each regression's epochs

    // The gap to reach, given the objective now and at zero coefficients.
    double goal(double primal, double at_zero) const {
        return tol * (primal > floor * at_zero ? primal : floor * at_zero);
    }
};

// What is known of an answer: gap is primal less a dual value of a feasible dual point.
struct Proof {
    double primal = 0.0;
    double gap = 0.0;
    double kkt = 0.0;  // worst violation of a column's condition, in units of l1 (or of ‖x‖‖y‖)
    // Columns' products with the dual point are scale·(c − shrink·w).
    double scale = 1.0, shrink = 0.0;
};

// The objective, and its gap from the residual's correlations c = Xᵀr with all columns.
//
// Two dual points: s·(r, −√l2·w), scaled into |Xᵀr − l2·w| ≤ l1; and for l2 > 0 r itself, whose
// dual value −½‖θ‖² + yᵀθ − Σ (|cⱼ| − l1)₊²/(2·l2) needs no scaling. Written as sums of
// non-negative terms, so that a gap of 1e-14 of the objective is still seen.
Proof prove(const double* w, const double* c, Index p, double residual_squares,
            const ElasticNet& penalty, bool positive);

// What an epoch led to, of the columns that took part in it.
struct Progress {
    double primal, kkt;
    double seconds;  // since the record began
};

// The epochs of one fit, or as many of them as there is room for.
class Record {
 public:
    void add(const Proof& proof);
    const std::vector<Progress>& entries() const { return entries_; }

 private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    std::vector<Progress> entries_;
};

// Coefficients of `size` columns whose Gram is known, and the state of their descent.
struct State {
    std::vector<double> w;          // coefficients
    std::vector<double> c;          // Xᵀr
    double residual_squares = 0.0;  // ‖r‖²
    double condition = 1.0;         // of the support's columns, as far as a factorisation saw it
    Record* record = nullptr;       // of the epochs, where one is kept
};

struct Gram {
    const double* entries = nullptr;  // rows `ld` apart
    Index ld = 0;
    Index size = 0;
    // 0 for columns that may not be used: constant ones
    const double* lengths = nullptr;  // squared
};

class SupportInverse;

// Cyclic coordinate descent with covariance updates, extrapolated every few epochs (Anderson),
// finished by Newton steps on the support; until the gap of these columns is at most `gap_goal`,
// or no coordinate lowers the objective by more than `change_goal`, where that is above 0.
// `inverse` is kept by the caller from one descent to the next on the same columns. Returns the
// number of epochs.
Index descend(const Gram& gram, State& state, SupportInverse& inverse, const ElasticNet& penalty,
              const Rules& rules, double gap_goal, double change_goal, Index max_epochs,
              Checkpoint& checkpoint);

// Go to other coefficients w, with the correlations c they lead to, if the objective is lower
// there.
bool move_if_better(const Gram& gram, State& state, SupportInverse& inverse,
                    const ElasticNet& penalty, const Rules& rules, std::vector<double> w,
                    std::vector<double> c, Checkpoint& checkpoint);

}  // namespace stylobate::descend
