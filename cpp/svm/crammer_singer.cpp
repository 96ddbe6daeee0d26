#include <cmath>
#include <functional>
#include <numeric>

#include "svm/linear_active.hpp"
#include "svm/linear_dual.hpp"

namespace stylobate::svm {
namespace {

template <class Rows>
class Descent {
 public:
    Descent(const Rows& rows, const std::int64_t* labels, Index classes, const double* c,
            const DualOptions& options)
        : rows_(rows),
          labels_(labels),
          classes_(classes),
          width_(rows.cols() + 1),
          c_(c),
          options_(options),
          g_(classes),
          b_(classes),
          sorted_(classes) {
        answer_.weights.assign(classes * width_, 0.0);
        answer_.beta.assign(classes * rows.rows(), 0.0);
    }

    DualAnswer run(Checkpoint& checkpoint) {
        ActiveRows active(rows_.rows(), options_.seed);
        measure(checkpoint);
        while (!answer_.converged && answer_.epochs < options_.max_epochs) {
            active.shuffle(answer_.epochs);
            double worst = 0.0;
            Index work = 0;
            for (std::size_t k = 0; k < active.count();) {
                const Index i = active.row(k);
                if ((work += classes_ * (rows_.entries(i) + 16)) > work_between)
                    checkpoint(), work = 0;
                const double violation = visit(i, active.limit());
                if (violation < 0.0) {
                    active.drop(k);
                    continue;
                }
                worst = std::max(worst, violation);
                ++k;
            }
            ++answer_.epochs;
            if (active.settled(worst) || answer_.epochs == options_.max_epochs) {
                measure(checkpoint);
                active.restore();
            }
        }
        return std::move(answer_);
    }

 private:
    double* weights(Index m) { return answer_.weights.data() + m * width_; }
    double* beta(Index i) { return answer_.beta.data() + i * classes_; }
    double upper(Index i, Index m) const { return m == labels_[i] ? c_[i] : 0.0; }

    double score(Index i, Index m) {
        return rows_.dot(i, weights(m)) + options_.scaling * weights(m)[width_ - 1];
    }

    // Moves the block of row i to its best place; the violation before, or −1 for a row that lies
    // firmly at zero.
    double visit(Index i, double limit) {
        double most = -descend::infinity, least = descend::infinity;
        double second = -descend::infinity;  // of the classes other than the row's own
        for (Index m = 0; m < classes_; ++m) {
            g_[m] = score(i, m) + (m == labels_[i] ? 0.0 : 1.0);
            most = std::max(most, g_[m]);
            if (beta(i)[m] < upper(i, m)) least = std::min(least, g_[m]);
            if (m != labels_[i]) second = std::max(second, g_[m]);
        }
        const double violation = most - least;
        if (!(violation > 0.0)) {
            const bool at_zero = beta(i)[labels_[i]] == 0.0;
            return at_zero && g_[labels_[i]] - second > limit ? -1.0 : 0.0;
        }
        const double a = descend::squared_length(rows_, i) + options_.scaling * options_.scaling;
        if (a > 0.0) solve(i, a);
        return violation;
    }

    // min over β ≤ upper, Σβ = 0 of Σ ½ a β² + b β: β = min(upper, (θ − b) / a), θ by sorting.
    void solve(Index i, double a) {
        for (Index m = 0; m < classes_; ++m) {
            b_[m] = g_[m] - a * beta(i)[m];
            sorted_[m] = b_[m] + a * upper(i, m);
        }
        std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
        double sum = sorted_[0] - a * c_[i];
        Index r = 1;
        for (; r < classes_ && sum < static_cast<double>(r) * sorted_[r]; ++r) sum += sorted_[r];
        const double theta = sum / static_cast<double>(r);
        for (Index m = 0; m < classes_; ++m) {
            const double next = std::min(upper(i, m), (theta - b_[m]) / a);
            const double move = next - beta(i)[m];
            if (std::abs(move) < 1e-300) continue;
            beta(i)[m] = next;
            rows_.add(i, move, weights(m));
            weights(m)[width_ - 1] += move * options_.scaling;
        }
    }

    void measure(Checkpoint& checkpoint) {
        std::fill(answer_.weights.begin(), answer_.weights.end(), 0.0);
        double linear = 0.0, losses = 0.0;
        for (Index i = 0; i < rows_.rows(); ++i) {
            if (i % rows_between == 0) checkpoint();
            center(i);
            for (Index m = 0; m < classes_; ++m) {
                const double at = beta(i)[m];
                if (at == 0.0) continue;
                rows_.add(i, at, weights(m));
                weights(m)[width_ - 1] += at * options_.scaling;
                if (m != labels_[i]) linear -= at;
            }
        }
        for (Index i = 0; i < rows_.rows(); ++i) {
            if (i % rows_between == 0) checkpoint();
            double most = 0.0;
            const double own = score(i, labels_[i]);
            for (Index m = 0; m < classes_; ++m)
                if (m != labels_[i]) most = std::max(most, 1.0 + score(i, m) - own);
            losses += c_[i] * most;
        }
        const std::vector<double>& w = answer_.weights;
        const double half = 0.5 * std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
        answer_.primal = half + losses, answer_.dual = linear - half;
        answer_.converged = answer_.primal - answer_.dual <= options_.tol * answer_.primal;
    }

    // The row's own entry balances the others, whatever rounding has left.
    void center(Index i) {
        double others = 0.0;
        for (Index m = 0; m < classes_; ++m)
            if (m != labels_[i]) others += beta(i)[m];
        if (-others > c_[i] && others < 0.0)
            for (Index m = 0; m < classes_; ++m) beta(i)[m] *= c_[i] / -others;
        beta(i)[labels_[i]] = std::min(-others, c_[i]);
    }

    const Rows& rows_;
    const std::int64_t* labels_;
    Index classes_, width_;
    const double* c_;
    const DualOptions options_;
    std::vector<double> g_, b_, sorted_;
    DualAnswer answer_;
};

}  // namespace

template <class Rows>
DualAnswer crammer_singer(const Rows& rows, const std::int64_t* labels, Index classes,
                          const double* c, const DualOptions& options, Checkpoint& checkpoint) {
    return Descent<Rows>(rows, labels, classes, c, options).run(checkpoint);
}

STYLOBATE_FOR_ALL_ROWS(template DualAnswer crammer_singer, const std::int64_t*, Index,
                       const double*, const DualOptions&, Checkpoint&)

}  // namespace stylobate::svm
