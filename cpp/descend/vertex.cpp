// The dual simplex method with bound flipping, in the language of the primal: at a vertex `cols`
// residuals are zero. If all their multipliers lie within [low, high] the vertex is optimal; else
// one of them leaves zero, which gives an edge, and an exact line search along the edge (a weighted
// median of the breakpoints) finds the row that enters. Most rows are passed by in one step.
#include "descend/vertex.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "scan/kernels.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double perturbation = 1e-11;  // of the mean |y|: breaks ties, so that no pivot is idle
constexpr double box_tolerance = 1e-9;  // of a row's high − low
constexpr double flat = 1e-10;          // of the steepest row: a residual that does not move
constexpr double level_edge = 1e-9;     // an edge along which no row moves: no row knows it
constexpr Index pivots_between_refreshes = 64;
constexpr Index chunk_entries = Index{1} << 18;  // of a product: fewer do not pay for a thread

// In [−1, −½] ∪ [½, 1], the same for the same row.
double jitter(Index i) {
    std::uint64_t z = static_cast<std::uint64_t>(i) + 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    const double u = 0.5 + 0.5 * static_cast<double>(z >> 12) * 0x1p-52;
    return (z & 1) != 0 ? u : -u;
}

struct Breakpoint {
    double at, rise;  // where on the edge, and by how much the slope grows there
    Index row;
};

class Descent {
 public:
    Descent(const PiecewiseLinear& problem, std::vector<Index> basis)
        : q_(problem.cols),
          m_(problem.rows),
          ld_((q_ + 7) / 8 * 8),
          a_(area(m_ + q_, ld_)),
          y_(m_ + q_),
          low_(m_ + q_),
          high_(m_ + q_),
          r_(m_ + q_),
          move_(m_ + q_),
          inverse_(area(q_, ld_)),
          theta_(ld_),
          direction_(ld_),
          gradient_(ld_),
          multiplier_(q_),
          entries_(q_),
          side_(static_cast<std::size_t>(m_ + q_), 1),
          basis_(std::move(basis)) {
        for (Index i = 0; i < m_; ++i)
            std::copy(problem.a + i * q_, problem.a + (i + 1) * q_, row(i));
        for (Index j = 0; j < q_; ++j) row(m_ + j)[j] = 1.0;
        std::copy(problem.y, problem.y + m_, y_.data());
        std::copy(problem.low, problem.low + m_, low_.data());
        std::copy(problem.high, problem.high + m_, high_.data());
        double size = 0.0;
        for (Index i = 0; i < m_; ++i) size += std::fabs(y_[i]) / static_cast<double>(m_);
        jitter_ = perturbation * (size > 0.0 ? size : 1.0);
    }

    // False where rounding, or the limit, ended the descent before an optimal vertex.
    bool run(Index max_pivots) {
        if (!refresh() || !descend(max_pivots)) return false;
        return !settle() || (refresh() && descend(max_pivots));
    }

    bool descend(Index max_pivots) {
        Index since = 0;
        while (true) {
            const Index leaving = worst();
            if (leaving < 0) {
                if (since == 0) return true;
                if (!refresh()) return false;
                since = 0;
                if (worst() < 0) return true;
                continue;
            }
            if (pivots_ >= max_pivots || !pivot(leaving)) return false;
            ++pivots_;
            if (++since >= pivots_between_refreshes) {
                if (!refresh()) return false;
                since = 0;
            }
        }
    }

    Vertex result(const PiecewiseLinear& problem, bool optimal) {
        Vertex out;
        out.optimal = optimal;
        out.pivots = pivots_;
        out.theta.assign(q_, 0.0);
        for (Index j = 0; j < q_; ++j) {
            const double at = basis_[j] < m_ ? problem.y[basis_[j]] : 0.0;
            for (Index l = 0; l < q_; ++l) out.theta[l] += inverse_[j * ld_ + l] * at;
        }
        out.dual.assign(m_, 0.0);
        for (Index i = 0; i < m_; ++i) out.dual[i] = dual(i);
        for (Index j = 0; j < q_; ++j)
            if (basis_[j] < m_)
                out.dual[basis_[j]] = std::clamp(multiplier_[j], low_[basis_[j]], high_[basis_[j]]);
        out.basis = basis_;
        return out;
    }

 private:
    double* row(Index i) { return a_.data() + i * ld_; }
    double target(Index i) const { return i < m_ ? y_[i] + jitter_ * jitter(i) : 0.0; }
    double dual(Index i) const { return side_[i] > 0 ? high_[i] : side_[i] < 0 ? low_[i] : 0.0; }
    double* edge(Index j) { return inverse_.data() + j * ld_; }  // column j of B⁻¹

    void products(const double* w, double* out) {
        const Index n = m_ + q_, rows = std::max(chunk_entries / ld_, Index{64});
        parallel_for((n + rows - 1) / rows, [&](Index c, Checkpoint&) {
            const Index first = c * rows, count = std::min(rows, n - first);
            scan::kernels().row_products(row(first), count, ld_, ld_, w, out + first);
        });
    }

    // B⁻¹ of the rows of the basis by Gauss–Jordan elimination; false if they are dependent.
    bool invert() {
        Buffer b(area(q_, q_)), c(area(q_, q_));
        for (Index j = 0; j < q_; ++j) {
            std::copy(row(basis_[j]), row(basis_[j]) + q_, b.data() + j * q_);
            c[j * q_ + j] = 1.0;
        }
        for (Index k = 0; k < q_; ++k) {
            Index best = k;
            for (Index i = k + 1; i < q_; ++i)
                if (std::fabs(b[i * q_ + k]) > std::fabs(b[best * q_ + k])) best = i;
            const double head = b[best * q_ + k];
            if (!(std::fabs(head) > 1e-200)) return false;
            if (best != k)
                for (Index l = 0; l < q_; ++l) {
                    std::swap(b[k * q_ + l], b[best * q_ + l]);
                    std::swap(c[k * q_ + l], c[best * q_ + l]);
                }
            for (Index l = 0; l < q_; ++l) b[k * q_ + l] /= head, c[k * q_ + l] /= head;
            for (Index i = 0; i < q_; ++i) {
                const double factor = b[i * q_ + k];
                if (i == k || factor == 0.0) continue;
                for (Index l = k; l < q_; ++l) b[i * q_ + l] -= factor * b[k * q_ + l];
                for (Index l = 0; l < q_; ++l) c[i * q_ + l] -= factor * c[k * q_ + l];
            }
        }
        for (Index j = 0; j < q_; ++j)
            for (Index l = 0; l < q_; ++l) edge(j)[l] = c[l * q_ + j];
        return true;
    }

    // Everything from the rows again: what pivots had rounded is forgotten.
    bool refresh() {
        if (!invert()) return false;
        std::fill(theta_.data(), theta_.data() + ld_, 0.0);
        for (Index round = 0; round < 2; ++round)  // the second one refines
            for (Index j = 0; j < q_; ++j) {
                entries_[j] = target(basis_[j]);
                const double* a = row(basis_[j]);
                for (Index l = 0; l < q_; ++l) entries_[j] -= a[l] * theta_[l];
                if (j + 1 == q_)
                    for (Index i = 0; i < q_; ++i)
                        for (Index l = 0; l < q_; ++l) theta_[l] += entries_[i] * edge(i)[l];
            }
        products(theta_.data(), r_.data());
        for (Index i = 0; i < m_ + q_; ++i) {
            r_[i] = target(i) - r_[i];
            side_[i] = r_[i] > 0.0 ? 1 : r_[i] < 0.0 ? -1 : side_[i] == 0 ? 1 : side_[i];
        }
        for (Index j = 0; j < q_; ++j) side_[basis_[j]] = 0, r_[basis_[j]] = 0.0;
        for (Index i = 0; i < m_; ++i) move_[i] = dual(i);
        std::fill(gradient_.data(), gradient_.data() + ld_, 0.0);
        scan::kernels().add_rows(a_.data(), m_, ld_, ld_, move_.data(), gradient_.data());
        magnitude_ = 0.0;
        for (Index i = 0; i < m_; ++i) {
            double square = 0.0;
            for (Index l = 0; l < q_; ++l) square += row(i)[l] * row(i)[l];
            magnitude_ += move_[i] * move_[i] * square;
        }
        magnitude_ = std::sqrt(magnitude_) + norm(gradient_.data());
        multipliers();
        refine_multipliers();
        return true;
    }

    double norm(const double* v) const {
        double square = 0.0;
        for (Index l = 0; l < q_; ++l) square += v[l] * v[l];
        return std::sqrt(square);
    }

    // d with Σ_{basis} dⱼ bⱼ = −gradient
    void multipliers() {
        scan::kernels().row_products(inverse_.data(), q_, ld_, ld_, gradient_.data(),
                                     multiplier_.data());
        for (Index j = 0; j < q_; ++j) multiplier_[j] = -multiplier_[j];
    }

    void refine_multipliers() {
        Buffer rest(ld_);
        std::copy(gradient_.data(), gradient_.data() + q_, rest.data());
        for (Index j = 0; j < q_; ++j)
            for (Index l = 0; l < q_; ++l) rest[l] += multiplier_[j] * row(basis_[j])[l];
        for (Index j = 0; j < q_; ++j)
            for (Index l = 0; l < q_; ++l) multiplier_[j] -= edge(j)[l] * rest[l];
    }

    // The row of the basis whose edge descends most steeply, or −1 at an optimal vertex.
    Index worst() {
        Index best = -1;
        double best_score = 0.0;
        for (Index j = 0; j < q_; ++j) {
            const Index i = basis_[j];
            const double over = multiplier_[j] - high_[i], under = low_[i] - multiplier_[j];
            const double by = std::max(over, under), length = norm(edge(j));
            const double tolerance =
                box_tolerance * (high_[i] - low_[i]) + 64.0 * epsilon * magnitude_ * length;
            if (by > tolerance && by > best_score * length) best = j, best_score = by / length;
        }
        return best;
    }

    // An artificial row in the basis of an optimal vertex: where the objective is level along its
    // edge, go on to the first row there, so that the answer is a vertex of the rows themselves.
    // Returns whether anything changed.
    bool settle() {
        bool changed = false;
        for (Index j = 0; j < q_; ++j) {
            if (basis_[j] < m_) continue;
            Breakpoint stop{0.0, 0.0, -1};
            int side = 1;
            for (; side >= -1 && stop.row < 0; side -= 2) {
                for (Index l = 0; l < q_; ++l) direction_[l] = -side * edge(j)[l];
                products(direction_.data(), move_.data());
                double steepest = 0.0;
                for (Index i = 0; i < m_; ++i) steepest = std::max(steepest, std::fabs(move_[i]));
                if (steepest <= level_edge * norm(direction_.data())) break;
                reach_ = std::numeric_limits<double>::infinity();
                stop = search(0.0);
            }
            if (stop.row < 0) continue;
            step(stop, j, side + 2);
            if (!exchange(j, stop.row)) return true;
            ++pivots_;
            changed = true;
        }
        return changed;
    }

    bool pivot(Index leaving) {
        const Index out = basis_[leaving];
        const bool rises = multiplier_[leaving] > high_[out];  // its residual becomes positive
        const double slope =
            rises ? high_[out] - multiplier_[leaving] : multiplier_[leaving] - low_[out];
        for (Index l = 0; l < q_; ++l) direction_[l] = (rises ? -1.0 : 1.0) * edge(leaving)[l];
        products(direction_.data(), move_.data());
        const Breakpoint stop = search(-slope);
        if (stop.row < 0) return false;
        step(stop, leaving, rises ? 1 : -1);
        return exchange(leaving, stop.row);
    }

    // The breakpoint at which a slope of −fall turns up; `passed_` are those before it.
    Breakpoint search(double fall) {
        double steepest = 0.0;
        for (Index i = 0; i < m_; ++i) steepest = std::max(steepest, std::fabs(move_[i]));
        const double least = flat * steepest;
        for (double limit = reach_;; limit *= 16.0) {
            const double total = collect(least, limit);
            if (total >= fall || !(limit < std::numeric_limits<double>::infinity())) {
                if (!(total >= fall)) {
                    if (breakpoints_.empty()) return {0.0, 0.0, -1};
                    fall = total;  // rounding: the last one it is
                }
                break;
            }
            if (limit == 0.0) limit = std::numeric_limits<double>::min();
            if (limit > 1e300) limit = std::numeric_limits<double>::infinity();
        }
        return select(fall);
    }

    // Breakpoints up to a limit; returns the sum of their rises.
    double collect(double least, double limit) {
        breakpoints_.clear();
        double total = 0.0;
        for (Index i = 0; i < m_; ++i) {
            const double speed = side_[i] * move_[i];  // r = r₀ − t·move: positive where it shrinks
            if (!(speed > least)) continue;
            const double distance = std::max(side_[i] * r_[i], 0.0);
            if (distance > limit * speed) continue;
            const double rise = (high_[i] - low_[i]) * speed;
            if (rise <= 0.0) continue;
            breakpoints_.push_back({distance / speed, rise, i});
            total += rise;
        }
        return total;
    }

    Breakpoint select(double fall) {
        auto first = breakpoints_.begin(), last = breakpoints_.end();
        while (last - first > 1) {
            const auto middle = first + (last - first) / 2;
            std::nth_element(first, middle, last, [](const Breakpoint& l, const Breakpoint& r) {
                return l.at < r.at || (l.at == r.at && l.row < r.row);
            });
            double left = 0.0;
            for (auto b = first; b != middle; ++b) left += b->rise;
            if (left >= fall) {
                last = middle;
            } else {
                fall -= left;
                first = middle;
            }
        }
        passed_ = first - breakpoints_.begin();
        reach_ = 4.0 * first->at;
        return *first;
    }

    // Move along the edge, let the rows passed by change sides, and the two rows change places.
    void step(const Breakpoint& stop, Index leaving, int side) {
        for (Index b = 0; b < passed_; ++b) {
            const Index i = breakpoints_[b].row;
            const double before = dual(i);
            side_[i] = static_cast<signed char>(-side_[i]);
            add(i, dual(i) - before);
        }
        for (Index i = 0; i < m_ + q_; ++i) r_[i] -= stop.at * move_[i];
        for (Index l = 0; l < q_; ++l) theta_[l] += stop.at * direction_[l];
        add(stop.row, -dual(stop.row));
        side_[stop.row] = 0, r_[stop.row] = 0.0;
        const Index out = basis_[leaving];
        side_[out] = static_cast<signed char>(side), r_[out] = side * stop.at;
        add(out, dual(out));
    }

    void add(Index i, double factor) {
        for (Index l = 0; l < q_; ++l) gradient_[l] += factor * row(i)[l];
    }

    bool exchange(Index leaving, Index entering) {
        scan::kernels().row_products(inverse_.data(), q_, ld_, ld_, row(entering), entries_.data());
        const double head = entries_[leaving];
        if (head == 0.0) return false;
        basis_[leaving] = entering;
        double* own = edge(leaving);
        for (Index l = 0; l < q_; ++l) own[l] /= head;
        for (Index j = 0; j < q_; ++j) {
            if (j == leaving || entries_[j] == 0.0) continue;
            double* other = edge(j);
            for (Index l = 0; l < q_; ++l) other[l] -= entries_[j] * own[l];
        }
        multipliers();
        return true;
    }

    Index q_, m_, ld_;
    Buffer a_, y_, low_, high_, r_, move_, inverse_, theta_, direction_, gradient_;
    Buffer multiplier_, entries_;
    std::vector<signed char> side_;  // of zero: +1 and −1, or 0 in the basis
    std::vector<Index> basis_;
    std::vector<Breakpoint> breakpoints_;
    Index passed_ = 0, pivots_ = 0;
    double jitter_ = 0.0, magnitude_ = 0.0;
    double reach_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Vertex descend_by_vertices(const PiecewiseLinear& problem, std::vector<Index> basis,
                           Index max_pivots) {
    if (static_cast<Index>(basis.size()) != problem.cols)
        throw InvalidArgument("a vertex is held by as many rows as there are columns");
    for (const Index i : basis)
        if (i < 0 || i >= problem.rows + problem.cols)
            throw InvalidArgument("the basis names a row that is not there");
    Descent descent(problem, std::move(basis));
    const bool optimal = descent.run(max_pivots);
    return descent.result(problem, optimal);
}

}  // namespace stylobate::descend
