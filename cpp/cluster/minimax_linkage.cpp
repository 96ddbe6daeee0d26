#include "cluster/minimax_linkage.hpp"

#include <algorithm>

#include "cluster/agglomeration.hpp"
#include "cluster/triangle.hpp"
#include "stylobate/buffer.hpp"

namespace stylobate::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Radii {
 public:
    static constexpr bool closes_ranks = false;
    Radii(double* values, Index n)
        : triangle_(values, n),
          farthest_(area(n, n)),
          n_(n),
          members_(static_cast<std::size_t>(n)),
          least_(members_.size()) {
        for (Index i = 0; i < n; ++i) {
            members_[i] = {i};
            slots_.push_back(i);
            for (Index j = 0; j < n; ++j) at(i, j) = i == j ? 0.0 : triangle_.at(i, j);
        }
    }
    std::vector<std::int64_t> prototypes;

    Near nearest(Index i) const {
        Near best;
        for (const Index j : slots_)
            if (j != i && triangle_.at(i, j) < best.value) best = {j, triangle_.at(i, j)};
        return best;
    }
    double value(Index i, Index j) const { return triangle_.at(i, j); }
    double height(double value) const { return value; }

    template <class Seen>
    void join(Index a, Index b, const Seen&) {
        for (Index i = 0; i < n_; ++i) at(i, b) = std::max(at(i, a), at(i, b));
        members_[b].insert(members_[b].end(), members_[a].begin(), members_[a].end());
        std::sort(members_[b].begin(), members_[b].end());
        members_[a].clear();
        slots_.erase(std::find(slots_.begin(), slots_.end(), a));
        prototypes.push_back(
            *std::min_element(members_[b].begin(), members_[b].end(),
                              [&](std::int64_t i, std::int64_t j) { return at(i, b) < at(j, b); }));
        for (const Index k : slots_) least_[k] = infinity;
        for (const std::int64_t i : members_[b])
            for (const Index k : slots_)
                least_[k] = std::min(least_[k], std::max(at(i, b), at(i, k)));
        for (const Index k : slots_) {
            if (k == b) continue;
            for (const std::int64_t i : members_[k])
                least_[k] = std::min(least_[k], std::max(at(i, b), at(i, k)));
            triangle_.at(b, k) = least_[k];
        }
    }
    void keep(const std::vector<Index>&) {}

 private:
    double& at(std::int64_t row, Index slot) { return farthest_[row * n_ + slot]; }

    Triangle triangle_;
    Buffer farthest_;  // of each row and slot: the farthest member
    Index n_;
    std::vector<std::vector<std::int64_t>> members_;
    std::vector<double> least_;
    std::vector<Index> slots_;  // in use
};

}  // namespace

PrototypeMerges minimax_linkage(double* values, Index n, Checkpoint& checkpoint) {
    Radii source(values, n);
    std::vector<Merge> merges = chain_linkage(source, single_rows(n), checkpoint);
    return {std::move(merges), std::move(source.prototypes)};
}

}  // namespace stylobate::cluster
