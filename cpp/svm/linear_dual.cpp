#include "svm/linear_dual.hpp"

#include <cmath>
#include <numeric>

#include "descend/shuffle.hpp"
#include "svm/linear_active.hpp"

namespace stylobate::svm {
namespace {

using descend::infinity;
using descend::LossKind;

// The dual of one row: its box, its share of the diagonal, and the insensitive margin.
struct Coordinate {
    double low, high, diagonal, margin;
};

Coordinate coordinate(const descend::LossChoice& loss, double y, double c) {
    const bool squared =
        loss.kind == LossKind::squared_hinge || loss.kind == LossKind::squared_epsilon_insensitive;
    const bool two_sided = loss.kind == LossKind::epsilon_insensitive ||
                           loss.kind == LossKind::squared_epsilon_insensitive;
    const double most = squared ? infinity : c;
    return {two_sided || y < 0.0 ? -most : 0.0, two_sided || y > 0.0 ? most : 0.0,
            squared ? 0.5 / c : 0.0, two_sided ? loss.first : 0.0};
}

template <class Rows>
class Descent {
 public:
    Descent(const Rows& rows, const descend::LossChoice& loss, const double* y, const double* c,
            const DualOptions& options)
        : rows_(rows), loss_(loss), y_(y), c_(c), options_(options), lengths_(rows.rows()) {
        for (Index i = 0; i < rows.rows(); ++i)
            lengths_[i] = descend::squared_length(rows, i) + options.scaling * options.scaling;
        answer_.weights.assign(rows.cols() + 1, 0.0);
        answer_.beta.assign(rows.rows(), 0.0);
    }

    DualAnswer run(Checkpoint& checkpoint) {
        ActiveRows active(rows_.rows(), options_.seed);
        measure(checkpoint);
        while (!answer_.converged && answer_.epochs < options_.max_epochs) {
            const double worst = epoch(active, checkpoint);
            ++answer_.epochs;
            if (active.settled(worst) || answer_.epochs == options_.max_epochs) {
                measure(checkpoint);
                active.restore();
            }
        }
        return std::move(answer_);
    }

 private:
    // One visit of every active row; the largest violation met.
    double epoch(ActiveRows& active, Checkpoint& checkpoint) {
        active.shuffle(answer_.epochs);
        double worst = 0.0;
        Index work = 0;
        for (std::size_t k = 0; k < active.count();) {
            const Index i = active.row(k);
            if (k + ahead < active.count())
                rows_.template fetch<descend::soon>(active.row(k + ahead));
            if ((work += rows_.entries(i) + 16) > work_between) checkpoint(), work = 0;
            const double violation = visit(i, active.limit());
            if (violation < 0.0) {
                active.drop(k);
                continue;
            }
            worst = std::max(worst, violation);
            ++k;
        }
        return worst;
    }

    double margin(Index i) const {
        return rows_.dot(i, answer_.weights.data()) + options_.scaling * answer_.weights.back();
    }

    // Moves βᵢ to its best place; its violation before, or −1 if it sits so firmly at a corner
    // that it need not be looked at for a while.
    double visit(Index i, double limit) {
        const Coordinate at = coordinate(loss_, y_[i], c_[i]);
        double& beta = answer_.beta[i];
        const double slope = margin(i) - y_[i] + at.diagonal * beta;
        const double h = lengths_[i] + at.diagonal;
        // one-sided slopes: the objective grows by them to the right and, negated, to the left
        const double right = slope + (beta >= 0.0 ? at.margin : -at.margin);
        const double left = slope + (beta > 0.0 ? at.margin : -at.margin);
        const bool up = beta<at.high, down = beta> at.low;
        const double violation = std::max({up ? -right : 0.0, down ? left : 0.0, 0.0});
        if (violation == 0.0) {
            const double firm = std::min(up ? right : infinity, down ? -left : infinity);
            return firm > limit ? -1.0 : 0.0;
        }
        double next;
        if (h > 0.0) {
            const double z = beta - slope / h, t = at.margin / h;
            next = std::clamp(z > t ? z - t : z < -t ? z + t : 0.0, at.low, at.high);
        } else {
            next = -right > 0.0 && up ? at.high : at.low;  // a row of zeros: a linear objective
        }
        const double move = next - beta;
        if (move != 0.0) {
            beta = next;
            rows_.add(i, move, answer_.weights.data());
            answer_.weights.back() += move * options_.scaling;
        }
        return violation;
    }

    // Primal and dual values from β alone: what the updates of w had rounded is forgotten.
    void measure(Checkpoint& checkpoint) {
        std::vector<double>& w = answer_.weights;
        std::fill(w.begin(), w.end(), 0.0);
        double linear = 0.0, losses = 0.0;
        for (Index i = 0; i < rows_.rows(); ++i) {
            if (i % rows_between == 0) checkpoint();
            const double beta = answer_.beta[i];
            if (beta == 0.0) continue;
            const Coordinate at = coordinate(loss_, y_[i], c_[i]);
            rows_.add(i, beta, w.data());
            w.back() += beta * options_.scaling;
            linear += y_[i] * beta - at.margin * std::abs(beta) - 0.5 * at.diagonal * beta * beta;
        }
        descend::with_loss(loss_, [&](const auto& loss) {
            for (Index i = 0; i < rows_.rows(); ++i) {
                if (i % rows_between == 0) checkpoint();
                losses += c_[i] * loss.value(y_[i], margin(i));
            }
        });
        const double half = 0.5 * std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
        answer_.primal = half + losses, answer_.dual = linear - half;
        answer_.converged = answer_.primal - answer_.dual <= options_.tol * answer_.primal;
    }

    const Rows& rows_;
    const descend::LossChoice loss_;
    const double *y_, *c_;
    const DualOptions options_;
    std::vector<double> lengths_;
    DualAnswer answer_;
};

}  // namespace

template <class Rows>
DualAnswer linear_dual(const Rows& rows, const descend::LossChoice& loss, const double* y,
                       const double* c, const DualOptions& options, Checkpoint& checkpoint) {
    return Descent<Rows>(rows, loss, y, c, options).run(checkpoint);
}

STYLOBATE_FOR_ALL_ROWS(template DualAnswer linear_dual, const descend::LossChoice&, const double*,
                       const double*, const DualOptions&, Checkpoint&)

}  // namespace stylobate::svm
