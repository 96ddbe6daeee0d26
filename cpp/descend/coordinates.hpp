// Coordinate descent for a quadratic plus a penalty of each coordinate, with Anderson's
// extrapolation.
//
// A model has `size()`, `curvature(k)`, `gradient(k)` at the present δ, `move(k, change)` of δₖ,
// `place(δ)` and `quadratic(δ)` = gᵀδ + ½δᵀHδ at the present δ; `cheap` says whether a gradient
// costs nothing, so that unused coordinates need not be left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "descend/logistic_rows.hpp"
#include "descend/penalties.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

template <class Model, class Penalty>
class CoordinateDescent {
 public:
    static constexpr std::size_t depth = 5;  // iterates an extrapolation combines
    static constexpr int most_sweeps = 2000;

    // Minimises q(u − w) + Σ pen(uₖ) over u, from u = w.
    CoordinateDescent(Model& model, const std::vector<double>& w, Penalty penalty)
        : model_(model), w_(w), u_(w), penalty_(penalty) {}

    // Sweeps until no coordinate's slope was more than `enough` off; returns the decrease.
    double run(double enough) {
        parallel_for(1, [&](Index, Checkpoint& checkpoint) {
            for (int count = 0; count < most_sweeps; ++count) {
                checkpoint();
                bool full = Model::cheap || count % 8 == 0;
                double worst = sweep(full);
                if (!full && worst <= enough) worst = sweep(full = true);
                if (full && worst <= enough) break;
                extrapolate();
            }
        });
        return -value(u_);
    }

    const std::vector<double>& solution() const { return u_; }

 private:
    double sweep(bool full) {
        double worst = 0.0;
        for (Index k = 0; k < model_.size(); ++k) {
            if (!full && u_[k] == 0.0) continue;
            const double h = model_.curvature(k), bend = h + penalty_.ridge();
            double target = 0.0;  // of a column that does nothing
            if (bend > 0.0) target = penalty_.minimiser(u_[k], model_.gradient(k), h);
            const double change = target - u_[k];
            if (change == 0.0) continue;
            model_.move(k, change);
            u_[k] = target;
            worst = std::max(worst, bend * std::fabs(change));
        }
        return worst;
    }

    // Of the model at u, where it has been placed, less its value at w.
    double value(const std::vector<double>& u) const {
        return model_.quadratic(difference(u)) + penalty_.change(w_, u);
    }

    std::vector<double> difference(const std::vector<double>& u) const {
        std::vector<double> delta(u.size());
        for (std::size_t k = 0; k < u.size(); ++k) delta[k] = u[k] - w_[k];
        return delta;
    }

    // Walker & Ni (2011): the combination of iterates whose steps cancel most.
    void extrapolate() {
        iterates_.push_back(u_);
        if (iterates_.size() <= depth) return;
        std::vector<double> gram(depth * depth), c(depth, 1.0);
        double trace = 0.0;
        for (std::size_t a = 0; a < depth; ++a)
            for (std::size_t b = 0; b <= a; ++b) {
                double dot = 0.0;
                for (std::size_t k = 0; k < u_.size(); ++k)
                    dot += (iterates_[a + 1][k] - iterates_[a][k]) *
                           (iterates_[b + 1][k] - iterates_[b][k]) *
                           model_.curvature(static_cast<Index>(k));
                gram[a * depth + b] = gram[b * depth + a] = dot;
                if (a == b) trace += dot;
            }
        for (std::size_t a = 0; a < depth; ++a) gram[a * depth + a] += 1e-12 * trace;
        const bool solved = solve_small(gram, c);
        double total = 0.0;
        for (const double each : c) total += each;
        if (solved && total != 0.0 && std::isfinite(total)) try_combination(c, total);
        iterates_.clear();
        iterates_.push_back(u_);
    }

    void try_combination(const std::vector<double>& c, double total) {
        std::vector<double> trial(u_.size(), 0.0);
        for (std::size_t a = 0; a < depth; ++a)
            for (std::size_t k = 0; k < u_.size(); ++k)
                trial[k] += c[a] / total * iterates_[a + 1][k];
        const double before = value(u_);
        model_.place(difference(trial));
        if (value(trial) < before)
            u_ = trial;
        else
            model_.place(difference(u_));
    }

    Model& model_;
    const std::vector<double>& w_;
    std::vector<double> u_;
    Penalty penalty_;
    std::vector<std::vector<double>> iterates_;
};

}  // namespace stylobate::descend
