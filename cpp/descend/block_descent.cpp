#include "descend/block_descent.hpp"

#include <algorithm>
#include <cmath>

#include "descend/dense.hpp"
#include "descend/extrapolation.hpp"

namespace stylobate::descend {
namespace {

constexpr Index period = 5;  // sweeps between extrapolations
constexpr int cycles = 4;    // within a block: next to nothing beside the reading of its values
constexpr Index block = WorkingSet::block;

class BlockDescent {
 public:
    BlockDescent(const WorkingSet& set, const ElasticNet& penalty, const Rules& rules,
                 double change_goal, std::vector<double>& w, std::vector<double>& r)
        : set_(set), penalty_(penalty), rules_(rules), goal_(change_goal), w_(w), r_(r) {}

    Index run(const std::vector<Index>& members, Index max_epochs, Checkpoint& checkpoint) {
        Extrapolation past(static_cast<Index>(w_.size()), static_cast<Index>(r_.size()), period);
        past.start(w_, r_);
        Index epoch = 0;
        while (epoch < max_epochs) {
            checkpoint();
            ++epoch;
            if (sweep(members) <= goal_) break;
            past.push(w_, r_);
            if (past.full()) extrapolate(past);
        }
        return epoch;
    }

 private:
    // Twice the largest decrease of the objective by a coordinate.
    double sweep(const std::vector<Index>& members) {
        double largest = 0.0;
        for (auto at = members.begin(); at != members.end();) {
            const Index end = (*at / block + 1) * block;
            const auto next = std::lower_bound(at, members.end(), end);
            largest = std::max(largest, solve({at, next}));
            at = next;
        }
        return largest;
    }

    double solve(const std::vector<Index>& group) {
        const auto count = static_cast<Index>(group.size()), n = static_cast<Index>(r_.size());
        const double* columns[block];
        double found[block], c[block] = {}, steps[block];
        for (Index a = 0; a < count; ++a) columns[a] = set_.values(group[a]), steps[a] = 0.0;
        dense().dots(columns, count, r_.data(), n, found);
        for (Index a = 0; a < count; ++a) c[group[a] % block] = found[a];
        for (int cycle = 0; cycle < cycles; ++cycle)
            if (turn(group, c, steps) <= goal_) break;
        double largest = 0.0;
        Index moved = 0;
        for (Index a = 0; a < count; ++a) {
            if (steps[a] == 0.0) continue;
            largest = std::max(largest, steps[a] * steps[a] * set_.lengths()[group[a]]);
            columns[moved] = columns[a];
            steps[moved++] = -steps[a];
        }
        dense().combine(columns, steps, moved, r_.data(), n);
        return largest;
    }

    // Every coordinate of a block once, to its own minimum.
    double turn(const std::vector<Index>& group, double* c, double* steps) {
        double largest = 0.0;
        for (std::size_t a = 0; a < group.size(); ++a) {
            const Index m = group[a];
            const double length = set_.lengths()[m];
            if (length <= 0.0) continue;
            const double z = c[m % block] + length * w_[m];
            const double now =
                soft_threshold(z, penalty_.l1, rules_.positive) / (length + penalty_.l2);
            const double step = now - w_[m];
            if (step == 0.0) continue;
            w_[m] = now;
            steps[a] += step;
            dense().axpy(-step, set_.block_products(m), c, block);
            largest = std::max(largest, step * step * length);
        }
        return largest;
    }

    void extrapolate(Extrapolation& past) {
        std::vector<double> w, r;
        if (past.combine(w, r)) {
            const bool outside =
                rules_.positive && std::any_of(w.begin(), w.end(), [](double v) { return v < 0; });
            if (!outside && objective(w, r, penalty_) < objective(w_, r_, penalty_))
                w_ = std::move(w), r_ = std::move(r);
        }
        past.start(w_, r_);
    }

    const WorkingSet& set_;
    const ElasticNet& penalty_;
    const Rules& rules_;
    double goal_;
    std::vector<double>& w_;
    std::vector<double>& r_;
};

}  // namespace

double objective(const std::vector<double>& w, const std::vector<double>& r,
                 const ElasticNet& penalty) {
    double norm = 0.0;
    for (const double each : w) norm += std::fabs(each);
    const double squares = dense().dot(w.data(), w.data(), static_cast<Index>(w.size()));
    return 0.5 * dense().dot(r.data(), r.data(), static_cast<Index>(r.size())) + penalty.l1 * norm +
           0.5 * penalty.l2 * squares;
}

Index descend_blocks(const WorkingSet& set, const std::vector<Index>& members,
                     const ElasticNet& penalty, const Rules& rules, double change_goal,
                     Index max_epochs, std::vector<double>& w, std::vector<double>& r,
                     Checkpoint& checkpoint) {
    return BlockDescent(set, penalty, rules, change_goal, w, r)
        .run(members, max_epochs, checkpoint);
}

}  // namespace stylobate::descend
