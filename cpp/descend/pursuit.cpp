#include "descend/pursuit.hpp"

#include <algorithm>
#include <cmath>

#include "descend/dense.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::descend {
namespace {

constexpr double exhausted = 1.5e-8;  // of the first correlation: what is left is rounding
constexpr double dependent = 1e-14;   // of an atom's squared length: the others give the rest
constexpr Index chunk_codes = 64;     // codes that share one scratch

// The Cholesky factor of the Gram of the atoms in use, which grows by a row with each.
class Support {
 public:
    Support(const double* gram, Index atoms, Index most)
        : gram_(gram), atoms_(atoms), most_(most), factor_(area(most, most)) {}

    void clear() { members_.clear(); }
    Index size() const { return static_cast<Index>(members_.size()); }
    Index operator[](Index i) const { return members_[i]; }

    // False where the atom is a combination of those in use.
    bool add(Index atom) {
        const Index m = size();
        double* const row = factor_.data() + m * most_;
        for (Index i = 0; i < m; ++i) row[i] = gram_[atom * atoms_ + members_[i]];
        forward(row, m);
        const double length = gram_[atom * atoms_ + atom];
        const double left = length - dense().dot(row, row, m);
        if (!(left > dependent * length)) return false;
        row[m] = std::sqrt(left);
        members_.push_back(atom);
        return true;
    }

    // x = G⁻¹x
    void solve(double* x) const {
        const Index m = size();
        forward(x, m);
        for (Index i = m - 1; i >= 0; --i) {
            x[i] /= factor_[i * most_ + i];
            dense().axpy(-x[i], factor_.data() + i * most_, x, i);
        }
    }

    // c −= step · G[·, members] · d
    void follow(const double* d, double step, double* c) const {
        for (Index i = 0; i < size(); ++i)
            dense().axpy(-step * d[i], gram_ + members_[i] * atoms_, c, atoms_);
    }

 private:
    void forward(double* x, Index m) const {
        for (Index i = 0; i < m; ++i) {
            const double* const row = factor_.data() + i * most_;
            x[i] = (x[i] - dense().dot(row, x, i)) / row[i];
        }
    }

    const double* gram_;
    Index atoms_, most_;
    Buffer factor_;
    std::vector<Index> members_;
};

class Pursuit {
 public:
    Pursuit(const Pursuits& problems, Index most)
        : problems_(problems),
          most_(most),
          support_(problems.gram, problems.atoms, most),
          c_(problems.atoms),
          turns_(problems.atoms),
          state_(problems.atoms),
          d_(most) {}

    void run(Greedy way, Index which, double* code) {
        const double* const xy = problems_.xy + which * problems_.atoms;
        std::copy(xy, xy + problems_.atoms, c_.begin());
        std::fill(state_.begin(), state_.end(), free);
        support_.clear();
        double size = 0.0;
        Index atom = strongest(size);
        enough_ = exhausted * size;
        while (atom >= 0 && size > enough_ && support_.size() < most_) {
            const bool added = support_.add(atom);
            state_[atom] = added ? used : refused;
            if (way == Greedy::least_angle && support_.size() > 0)
                move(code);  // where the atom was refused, on from where it stopped the others
            else if (added)
                match(xy, code);
            atom = strongest(size);
        }
    }

 private:
    enum State : char { free, used, refused };

    // The free atom that is most correlated with what is left.
    Index strongest(double& size) const {
        Index best = -1;
        size = 0.0;
        for (Index j = 0; j < problems_.atoms; ++j) {
            if (state_[j] != free || !(std::fabs(c_[j]) > size)) continue;
            size = std::fabs(c_[j]), best = j;
        }
        return best;
    }

    void match(const double* xy, double* code) {
        const Index m = support_.size();
        for (Index i = 0; i < m; ++i) d_[i] = xy[support_[i]];
        support_.solve(d_.data());
        for (Index i = 0; i < m; ++i) code[support_[i]] = d_[i];
        std::copy(xy, xy + problems_.atoms, c_.begin());
        support_.follow(d_.data(), 1.0, c_.data());
    }

    // All correlations of the support, of one size, fall at one speed along G⁻¹·sign(c), until a
    // free atom's is as large, or to zero where there is none.
    void move(double* code) {
        const Index m = support_.size();
        double size = 0.0;
        for (Index i = 0; i < m; ++i) size = std::max(size, std::fabs(c_[support_[i]]));
        for (Index i = 0; i < m; ++i) d_[i] = std::copysign(1.0, c_[support_[i]]);
        support_.solve(d_.data());
        std::fill(turns_.begin(), turns_.end(), 0.0);
        support_.follow(d_.data(), -1.0, turns_.data());
        double step = size;
        for (Index j = 0; j < problems_.atoms; ++j) {
            if (state_[j] != free) continue;
            for (const double sign : {1.0, -1.0}) {
                const double slower = 1.0 - sign * turns_[j];
                const double reach = std::max(size - sign * c_[j], 0.0) / slower;
                if (slower > 0.0 && reach < step) step = reach;
            }
        }
        for (Index i = 0; i < m; ++i) code[support_[i]] += step * d_[i];
        dense().axpy(-step, turns_.data(), c_.data(), problems_.atoms);
    }

    const Pursuits& problems_;
    Index most_;
    Support support_;
    std::vector<double> c_, turns_;
    std::vector<State> state_;
    std::vector<double> d_;
    double enough_ = 0.0;
};

}  // namespace

std::vector<double> pursue(const Pursuits& problems, Greedy way, Index most) {
    most = std::min(most, problems.atoms);
    std::vector<double> codes(area(problems.count, problems.atoms), 0.0);
    const Index chunks = (problems.count + chunk_codes - 1) / chunk_codes;
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        Pursuit pursuit(problems, most);
        const Index end = std::min((chunk + 1) * chunk_codes, problems.count);
        for (Index i = chunk * chunk_codes; i < end; ++i) {
            checkpoint();
            pursuit.run(way, i, codes.data() + i * problems.atoms);
        }
    });
    return codes;
}

}  // namespace stylobate::descend
