#include <algorithm>
#include <cmath>

#include "descend/dense.hpp"
#include "descend/elastic_net_path.hpp"
#include "descend/support_inverse.hpp"

namespace stylobate::descend {
namespace {

constexpr double share = 0.3;  // of the tolerance that a descent may leave
constexpr int attempts = 4;    // descents from a recomputed gradient

class GramPath {
 public:
    GramPath(const double* gram, const double* xy, double yy, const double* start, Index p,
             Record* record)
        : gram_(gram), xy_(xy), yy_(yy), p_(p), lengths_(p) {
        state_.record = record;
        for (Index j = 0; j < p; ++j) lengths_[j] = gram[j * p + j];
        state_.w.assign(p, 0.0);
        if (start != nullptr) std::copy(start, start + p, state_.w.begin());
        renew();
    }

    // Xᵀr and ‖r‖² from the coefficients, free of what the updates have gathered of rounding
    void renew() {
        state_.c.assign(xy_, xy_ + p_);
        double fitted = 0.0;
        for (Index j = 0; j < p_; ++j)
            if (state_.w[j] != 0.0) dense().axpy(-state_.w[j], gram_ + j * p_, state_.c.data(), p_);
        for (Index j = 0; j < p_; ++j) fitted += state_.w[j] * (xy_[j] + state_.c[j]);
        state_.residual_squares = std::max(yy_ - fitted, 0.0);
    }

    Proof solve(const ElasticNet& penalty, const Rules& rules, Index& epochs,
                Checkpoint& checkpoint) {
        const Gram gram{gram_, p_, p_, lengths_.data()};
        Proof proof = prove(penalty, rules);
        double part = share;
        for (int attempt = 0; attempt < attempts && epochs < rules.max_epochs; ++attempt) {
            epochs += descend(gram, state_, inverse_, penalty, rules,
                              part * rules.goal(proof.primal, 0.5 * yy_), 0.0,
                              rules.max_epochs - epochs, checkpoint);
            renew();
            proof = prove(penalty, rules);
            if (state_.record != nullptr) state_.record->add(proof);
            if (proof.gap <= rules.goal(proof.primal, 0.5 * yy_)) break;
            part *= 0.1;
        }
        return proof;
    }

    const std::vector<double>& coef() const { return state_.w; }
    double condition() const { return state_.condition; }

 private:
    Proof prove(const ElasticNet& penalty, const Rules& rules) const {
        return descend::prove(state_.w.data(), state_.c.data(), p_, state_.residual_squares,
                              penalty, rules.positive);
    }

    const double* gram_;
    const double* xy_;
    double yy_;
    Index p_;
    std::vector<double> lengths_;
    State state_;
    SupportInverse inverse_;
};

}  // namespace

Paths gram_paths(const GramProblems& problems, const ElasticNet* penalties, Index n_penalties,
                 const Rules& rules) {
    const Index p = problems.cols, answers = problems.count * n_penalties;
    Paths paths(answers, p);
    if (rules.record) paths.records.resize(problems.count);
    parallel_for(problems.count, [&](Index i, Checkpoint& checkpoint) {
        GramPath path(problems.grams + problems.which[i] * p * p, problems.xy + i * p,
                      problems.yy[i], problems.start ? problems.start + i * p : nullptr, p,
                      rules.record ? &paths.records[i] : nullptr);
        for (Index a = i * n_penalties; a < (i + 1) * n_penalties; ++a) {
            checkpoint();
            Index epochs = 0;
            const Proof proof = path.solve(penalties[a], rules, epochs, checkpoint);
            std::copy(path.coef().begin(), path.coef().end(), paths.coef.begin() + a * p);
            paths.primal[a] = proof.primal, paths.gap[a] = proof.gap, paths.kkt[a] = proof.kkt;
            paths.epochs[a] = static_cast<double>(epochs);
            paths.condition[a] = path.condition();
        }
    });
    return paths;
}

}  // namespace stylobate::descend
