// Swaps of medoids and candidates (E. Schubert, P. Rousseeuw, Fast and eager k-medoids clustering,
// Information Systems 101, 2021).
//
// Were medoid m given up for candidate c, a point would pay min(d, nearest) or, if m served it,
// min(d, second). So the change of the total is
//     removal(m) + Σ w min(d − nearest, 0) + Σ over m's points w (min(max(d, nearest), second) −
//     second),
// where removal(m) is what m's points lose by going to their second; one look at d serves all m.
#include <limits>

#include "cluster/candidate_blocks.hpp"
#include "cluster/medoid_kernels.hpp"
#include "cluster/medoids.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::medoids {
namespace {

using tile::panel_rows;

struct Swap {
    double change = 0.0;
    Index candidate = -1, medoid = -1;
};

// Candidates of a block: enough for several threads, few enough that many swaps fit in a pass;
// whole panels of every instruction set.
constexpr Index block = 192;

class Search {
 public:
    Search(const Costs& costs, std::vector<Index> medoids, const double* weights)
        : costs_(costs),
          weights_(weights),
          medoids_(std::move(medoids)),
          k_(static_cast<Index>(medoids_.size())),
          segments_(costs.points(), block * (k_ + 1) * Index{sizeof(double)}),
          chosen_(static_cast<std::size_t>(costs.candidates()), false),
          sums_(static_cast<std::size_t>(segments_.count * block * (k_ + 1))),
          removal_(static_cast<std::size_t>(k_)),
          strips_(costs.point_strips()),
          service_(served(medoids_)) {
        for (const Index m : medoids_) chosen_[m] = true;
        price();
    }

    const std::vector<Index>& medoids() const { return medoids_; }
    double total() const { return service_.total(); }

    // The best swap with one of the candidates first … first + count − 1.
    Swap best(Index first, Index count) {
        const Index width = panel_rows<double>(), panels = (count + width - 1) / width;
        std::fill(sums_.begin(), sums_.end(), 0.0);
        over_block(*strips_, segments_, first, count, [&](Index s, Index p, tile::Chunk& chunk) {
            const Index i = chunk.query0;
            const ServedPoints points{&service_.next[i], &service_.nearest[i], &service_.second[i],
                                      weights_ + i, &service_.label[i]};
            double* const gains = part(s, p);
            kernels().medoid_swaps(chunk.values.data(), chunk.queries, costs_.root(), points, gains,
                                   gains + width);
        });
        std::vector<Swap> found(static_cast<std::size_t>(panels));
        parallel_for(panels, [&](Index p, Checkpoint&) {
            found[p] = best_of_panel(p, first + p * width, std::min(width, count - p * width));
        });
        Swap best;
        for (const Swap& each : found)
            if (each.change < best.change) best = each;
        return best;
    }

    // Whether the swap lowers the total; then it is done.
    bool apply(const Swap& swap) {
        if (!(swap.change < -1e-13 * total())) return false;
        std::vector<Index> medoids = medoids_;
        medoids[swap.medoid] = swap.candidate;
        Service service = served(medoids);
        if (!(service.total() < total())) return false;
        chosen_[medoids_[swap.medoid]] = false, chosen_[swap.candidate] = true;
        medoids_ = std::move(medoids), service_ = std::move(service);
        price();
        return true;
    }

 private:
    // Gains of a panel's candidates, then what each medoid's points save: (k + 1) × panel.
    double* part(Index segment, Index panel) {
        return &sums_[(segment * block + panel * panel_rows<double>()) * (k_ + 1)];
    }

    Service served(const std::vector<Index>& medoids) const {
        Service service(costs_);
        service.add(costs_, medoids.data(), k_);
        service.settle(costs_, weights_);
        return service;
    }

    void price() {
        std::fill(removal_.begin(), removal_.end(), 0.0);
        for (Index i = 0; i < costs_.points(); ++i)
            if (weights_[i] > 0.0)
                removal_[static_cast<Index>(service_.label[i])] +=
                    weights_[i] * (service_.second[i] - service_.nearest[i]);
    }

    Swap best_of_panel(Index panel, Index first, Index count) {
        const Index width = panel_rows<double>(), size = (k_ + 1) * width;
        double* const all = part(0, panel);
        for (Index s = 1; s < segments_.count; ++s) {
            const double* const more = part(s, panel);
            for (Index a = 0; a < size; ++a) all[a] += more[a];
        }
        Swap best;
        for (Index c = 0; c < count; ++c) {
            if (chosen_[first + c]) continue;
            for (Index m = 0; m < k_; ++m) {
                const double change = removal_[m] + (all[c] + all[(m + 1) * width + c]);
                if (change < best.change) best = {change, first + c, m};
            }
        }
        return best;
    }

    const Costs& costs_;
    const double* weights_;
    std::vector<Index> medoids_;
    Index k_;
    Segments segments_;
    std::vector<bool> chosen_;
    std::vector<double> sums_, removal_;
    std::unique_ptr<tile::Strips> strips_;
    Service service_;
};

// Of one medoid the best is known after one pass.
Found best_alone(const Costs& costs, const std::vector<Index>& medoids, const double* weights) {
    Search start(costs, medoids, weights);
    Found found{medoids, {start.total()}, 1, true};
    const Search other(costs, build(costs, 1, weights), weights);
    if (other.total() < start.total()) {
        found.medoids = other.medoids();
        found.totals.push_back(other.total());
    }
    return found;
}

void check(const Costs& costs, const std::vector<Index>& medoids) {
    if (medoids.empty()) throw InvalidArgument("there must be at least one medoid");
    for (const Index m : medoids)
        if (m < 0 || m >= costs.candidates())
            throw InvalidArgument("medoids must be numbers of candidates");
}

}  // namespace

Found swap_medoids(const Costs& costs, std::vector<Index> medoids, const double* weights,
                   const SwapRules& rules) {
    check(costs, medoids);
    if (medoids.size() == 1 && rules.most_passes > 0) return best_alone(costs, medoids, weights);
    Search search(costs, std::move(medoids), weights);
    Found found{{}, {search.total()}, 0, false};
    const Index n = costs.candidates();
    Index first = 0, since_swap = 0;
    Swap kept;  // the best of a pass, where swaps are not eager
    while (since_swap < n) {
        if (first == 0 && found.passes == rules.most_passes) break;
        if (first == 0) ++found.passes;
        const Index count = std::min(block, n - first);
        const Swap swap = search.best(first, count);
        if (swap.change < kept.change) kept = swap;
        first = first + count == n ? 0 : first + count;
        since_swap += count;
        if (!rules.eager && first != 0) continue;
        if (search.apply(kept)) {
            found.totals.push_back(search.total());
            since_swap = 0;
        }
        kept = {};
    }
    found.settled = since_swap >= n;
    found.medoids = search.medoids();
    return found;
}

}  // namespace stylobate::medoids
