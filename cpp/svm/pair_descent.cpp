#include "svm/pair_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "stylobate/parallel.hpp"
#include "svm/kernels.hpp"

namespace stylobate::svm {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double least_curvature = 1e-12;  // of a pair, relative to the largest diagonal
// of a pair, relative to the largest diagonal: more than the rounding of K's entries explains
template <class T>
constexpr double negative = sizeof(T) == 4 ? 1e-6 : 1e-9;
constexpr Index looks = 1 << 20;               // numbers looked at between questions for Ctrl-C
constexpr std::int64_t hulls_after = 1 << 10;  // iterations between tests of the hulls' distance
constexpr double hulls_touch = 1e-5;           // distance of the hulls, relative to the data's size
constexpr Index shrinks_from = 1024;           // variables
constexpr Index largest_copy = 1 << 25;        // bytes
constexpr int most_shrinks = 2;      // a third time the copy would cost more than it saves
constexpr double roughly = 0.02;     // of the violation, before a shrinking
constexpr double near_margin = 0.3;  // violations off it: variables that stay active

Partner partner_of(const float* row, const double* d, const double* s, const double* lift, Index n,
                   const Riser& riser) {
    return kernels().svm_partner_f32(row, d, s, lift, n, riser);
}
Partner partner_of(const double* row, const double* d, const double* s, const double* lift, Index n,
                   const Riser& riser) {
    return kernels().svm_partner_f64(row, d, s, lift, n, riser);
}
Best move_all(const float* up, const float* down, double step, double* s, const double* lift,
              Index n) {
    return kernels().svm_move_f32(up, down, step, s, lift, n);
}
Best move_all(const double* up, const double* down, double step, double* s, const double* lift,
              Index n) {
    return kernels().svm_move_f64(up, down, step, s, lift, n);
}

void ask_for_interrupt() {
    parallel_for(1, [](Index, Checkpoint& checkpoint) { checkpoint(); });
}

template <class T>
class Descent {
 public:
    Descent(RowSource<T>& source, const double* diagonal, const Variables& variables, double* beta,
            double* residual)
        : source_(source), v_(variables), n_(variables.count), beta_(beta), s_(residual) {
        diagonal_.resize(n_);
        for (Index i = 0; i < n_; ++i) diagonal_[i] = diagonal[row_of(i)];
        for (Index i = 0; i < n_; ++i) largest_ = std::max(largest_, std::abs(diagonal_[i]));
        for (int g = 0; g < groups(); ++g) {
            rise_[g].assign(n_, -infinite);
            fall_[g].assign(n_, infinite);
        }
        if (v_.rows != nullptr)
            for (auto& each : gathered_) each.resize(n_);
        for (Index i = 0; i < n_; ++i) {
            mark(i);
            endless_ = endless_ || !std::isfinite(v_.upper[i] - v_.lower[i]);
        }
        for (Index i = 0; i < n_; ++i) endless_ = endless_ && std::abs(v_.target[i]) == 1.0;
    }

    PairOutcome run(const PairWish& wish) {
        PairOutcome out;
        for (int g = 0; g < groups(); ++g) top_[g] = largest(g);
        const bool may_shrink = n_ >= shrinks_from && source_.at_hand() && !endless_;
        for (int left = may_shrink ? most_shrinks : 0;; --left) {
            const double rough = left > 0 ? roughly * choose().violation : 0.0;
            pairs(wish, std::max(wish.tol, rough), out);
            const bool done = out.end != PairEnd::converged || out.violation <= wish.tol;
            if (done || left <= 0) return out;
            if (!shrink(wish, out)) left = 1;
        }
    }

 private:
    // Pairs until the violation is at most `tol`.
    void pairs(const PairWish& wish, double tol, PairOutcome& out) {
        const auto every = std::max<Index>(looks / std::max<Index>(n_, 1), 1);
        out.end = PairEnd::converged;
        while (true) {
            if (out.iterations % every == 0) ask_for_interrupt();
            const Pair pair = choose();
            out.violation = pair.violation;
            if (pair.violation <= tol || pair.down < 0) return;
            if (wish.max_iter >= 0 && out.iterations >= wish.max_iter) {
                out.end = PairEnd::iterations;
                return;
            }
            if (!step(pair, out)) {
                out.end = PairEnd::unbounded;
                return;
            }
            ++out.iterations;
            if (endless_ && out.iterations % hulls_after == 0 && hulls_meet()) {
                out.end = PairEnd::unbounded;
                return;
            }
        }
    }

    // Variables that are free, or whose residual says that they may soon be.
    std::vector<Index> active(double violation) const {
        const double slack = near_margin * violation;
        std::vector<Index> found;
        for (Index i = 0; i < n_; ++i) {
            const int g = group(i);
            const bool rises = rise_[g][i] == 0.0, falls = fall_[g][i] == 0.0;
            const bool near =
                rises ? s_[i] >= top_[g].value - violation - slack : s_[i] <= top_[g].value + slack;
            if ((rises && falls) || ((rises || falls) && near)) found.push_back(i);
        }
        return found;
    }

    // Solves for the active variables, the others held; false where too many are active.
    bool shrink(const PairWish& wish, PairOutcome& out) {
        const std::vector<Index> chosen = active(out.violation);
        const auto m = static_cast<Index>(chosen.size());
        if (10 * m > 7 * n_ || m * m * static_cast<Index>(sizeof(T)) > largest_copy) return false;
        Part part(m);
        for (Index k = 0; k < m; ++k) {
            const Index i = chosen[k];
            const T* const row = source_.row(row_of(i));
            for (Index l = 0; l < m; ++l) part.matrix[k * m + l] = row[row_of(chosen[l])];
            part.diagonal[k] = diagonal_[i], part.target[k] = v_.target[i];
            part.lower[k] = v_.lower[i], part.upper[k] = v_.upper[i];
            part.beta[k] = beta_[i], part.residual[k] = s_[i];
            part.group[k] = static_cast<std::uint8_t>(group(i));
        }
        StoredRows<T> rows(part.matrix.get(), m);
        const Variables few{m,
                            nullptr,
                            part.target.data(),
                            part.lower.data(),
                            part.upper.data(),
                            groups() == 2 ? part.group.data() : nullptr};
        const auto left = wish.max_iter < 0 ? wish.max_iter : wish.max_iter - out.iterations;
        const PairOutcome went =
            Descent(rows, part.diagonal.data(), few, part.beta.data(), part.residual.data())
                .run({wish.tol, left});
        out.iterations += went.iterations;
        out.clipped = out.clipped || went.clipped;
        take(chosen, part.beta);
        return true;
    }

    // New values of some variables.
    void take(const std::vector<Index>& chosen, const std::vector<double>& beta) {
        const std::vector<T> nothing(static_cast<std::size_t>(n_));
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            const Index i = chosen[k];
            const double change = beta[k] - beta_[i];
            if (change == 0.0) continue;
            beta_[i] = beta[k];
            mark(i);
            move_all(expanded(i, 0), nothing.data(), change, s_, rise_[0].data(), n_);
        }
        for (int g = 0; g < groups(); ++g) top_[g] = largest(g);
    }

    // A copy of what some variables need.
    struct Part {
        explicit Part(Index m)
            : matrix(new T[static_cast<std::size_t>(m) * static_cast<std::size_t>(m)]),
              diagonal(m),
              target(m),
              lower(m),
              upper(m),
              beta(m),
              residual(m),
              group(m) {}
        std::unique_ptr<T[]> matrix;
        std::vector<double> diagonal, target, lower, upper, beta, residual;
        std::vector<std::uint8_t> group;
    };

    struct Pair {
        Index up = -1, down = -1;
        double gain = -infinite, violation = 0.0;
        const T* row = nullptr;  // of `up`, if it was looked at last
    };

    int groups() const { return v_.group == nullptr ? 1 : 2; }
    int group(Index i) const { return v_.group == nullptr ? 0 : v_.group[i]; }
    Index row_of(Index i) const { return v_.rows == nullptr ? i : v_.rows[i]; }
    Best largest(int g) const { return kernels().svm_largest(s_, rise_[g].data(), n_); }

    void mark(Index i) {
        const int g = group(i);
        rise_[g][i] = beta_[i] < v_.upper[i] ? 0.0 : -infinite;
        fall_[g][i] = beta_[i] > v_.lower[i] ? 0.0 : infinite;
    }

    // Row of a variable, one number for each variable.
    const T* expanded(Index i, int place) {
        const T* const row = source_.row(row_of(i));
        if (v_.rows == nullptr) return row;
        T* const to = gathered_[place].data();
        for (Index k = 0; k < n_; ++k) to[k] = row[v_.rows[k]];
        return to;
    }

    double floor() const { return std::max(least_curvature * largest_, 1e-300); }

    Pair choose() {
        Pair best;
        for (int g = 0; g < groups(); ++g) {
            const Index up = top_[g].place;
            if (up < 0) continue;
            const T* const row = expanded(up, g);
            const Partner found = partner_of(row, diagonal_.data(), s_, fall_[g].data(), n_,
                                             {top_[g].value, diagonal_[up], floor()});
            best.violation = std::max(best.violation, top_[g].value - found.least);
            if (found.place >= 0 && found.gain > best.gain) {
                best.up = up, best.down = found.place, best.gain = found.gain;
                best.row = g == groups() - 1 ? row : nullptr;
            }
        }
        return best;
    }

    // False where the objective falls without end.
    bool step(const Pair& pair, PairOutcome& out) {
        const Index i = pair.up, j = pair.down;
        const T* const up = pair.row != nullptr ? pair.row : expanded(i, 0);
        // the rows of both groups may be in use: the one that is not is overwritten
        const T* const down = expanded(j, pair.row != nullptr && groups() == 2 ? 0 : 1);
        const double curve = diagonal_[i] + diagonal_[j] - 2.0 * static_cast<double>(up[j]);
        out.clipped = out.clipped || curve < -negative<T> * largest_;
        const double room = std::min(v_.upper[i] - beta_[i], beta_[j] - v_.lower[j]);
        const double free = (s_[i] - s_[j]) / std::max(curve, floor());
        if (curve <= floor() && !std::isfinite(room)) return false;
        const double size = std::min(room, free);
        shift(i, size, room);
        shift(j, -size, room);
        top_[0] = move_all(up, down, size, s_, rise_[0].data(), n_);
        if (groups() == 2) top_[1] = largest(1);
        return true;
    }

    // Bounds are met exactly, so that variables at them are known by comparison.
    void shift(Index i, double size, double room) {
        const double before = beta_[i];
        beta_[i] += size;
        if (std::abs(size) == room) {
            if (size > 0.0 && v_.upper[i] - before <= room) beta_[i] = v_.upper[i];
            if (size < 0.0 && before - v_.lower[i] <= room) beta_[i] = v_.lower[i];
        }
        beta_[i] = std::clamp(beta_[i], v_.lower[i], v_.upper[i]);
        mark(i);
    }

    // Without upper bounds the sums grow for ever where the convex hulls of the sides meet: 2‖w‖ /
    // Σ|β| bounds their distance, where w·w = Σ β (t − s) and every target is ±1.
    bool hulls_meet() const {
        double total = 0.0, square = 0.0;
        for (Index i = 0; i < n_; ++i) {
            total += std::abs(beta_[i]);
            square += beta_[i] * (v_.target[i] - s_[i]);
        }
        return square <= hulls_touch * hulls_touch * largest_ * total * total / 4.0;
    }

    RowSource<T>& source_;
    const Variables& v_;
    Index n_;
    double *beta_, *s_;
    double largest_ = 0.0;
    bool endless_ = false;  // targets are ±1 and a bound is infinite
    std::vector<double> diagonal_, rise_[2], fall_[2];
    std::vector<T> gathered_[2];
    Best top_[2] = {{-infinite, -1}, {-infinite, -1}};
};

}  // namespace

template <class T>
PairOutcome descend_pairs(RowSource<T>& source, const double* diagonal, const Variables& variables,
                          const PairWish& wish, double* beta, double* residual) {
    return Descent<T>(source, diagonal, variables, beta, residual).run(wish);
}

template PairOutcome descend_pairs(RowSource<float>&, const double*, const Variables&,
                                   const PairWish&, double*, double*);
template PairOutcome descend_pairs(RowSource<double>&, const double*, const Variables&,
                                   const PairWish&, double*, double*);

}  // namespace stylobate::svm
