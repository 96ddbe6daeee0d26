#include "cluster/k_centers.hpp"

#include <limits>

#include "cluster/candidate_blocks.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::medoids {
namespace {

using tile::panel_rows;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The two largest of some numbers, and whose the largest is.
struct Largest {
    double first = 0.0, second = 0.0;
    Index whose = -1;

    void see(double value, Index who) {
        if (value > first)
            second = first, first = value, whose = who;
        else if (value > second)
            second = value;
    }
    double without(Index who) const { return who == whose ? second : first; }
};

// For every centre m and candidate of a block, the worst measure of m's points if the candidate
// came besides m ([0]) and if it came in place of m ([1]).
class Worst {
 public:
    Worst(Index segments, Index block, Index k)
        : block_(block), k_(k), all_(static_cast<std::size_t>(2 * segments * block * k)) {}
    void clear() { std::fill(all_.begin(), all_.end(), 0.0); }
    double* of(Index segment, Index centre, Index which) {
        return &all_[((segment * k_ + centre) * 2 + which) * block_];
    }

    void see(const tile::Chunk& chunk, const Service& service, Index segment, Index at) {
        const Index width = panel_rows<double>();
        for (Index i = 0; i < chunk.queries; ++i) {
            const Index point = chunk.query0 + i;
            const double near = service.near[point], next = service.next[point];
            const double* const c = chunk.values.data() + i * width;
            const auto centre = static_cast<Index>(service.label[point]);
            double* const beside = of(segment, centre, 0) + at;
            double* const instead = of(segment, centre, 1) + at;
            for (Index j = 0; j < width; ++j) {
                beside[j] = std::max(beside[j], std::min(near, c[j]));
                instead[j] = std::max(instead[j], std::min(next, c[j]));
            }
        }
    }

    void merge(Index segments) {
        const Index size = 2 * k_ * block_;
        for (Index s = 1; s < segments; ++s)
            for (Index a = 0; a < size; ++a) all_[a] = std::max(all_[a], all_[s * size + a]);
    }

 private:
    Index block_, k_;
    std::vector<double> all_;
};

}  // namespace

FarPoints farthest_first(const Costs& costs, Index start, Index k) {
    const Index n = costs.points();
    if (costs.candidates() != n) throw InvalidArgument("points and candidates must be the same");
    if (k < 1 || k > n || start < 0 || start >= n)
        throw InvalidArgument("k must be in [1, number of points], and start one of them");
    Service service(costs);
    FarPoints far;
    for (Index next = start; next >= 0 && static_cast<Index>(far.points.size()) <= k;) {
        far.points.push_back(next);
        service.add(costs, &next, 1);
        Index worst = 0;
        for (Index i = 1; i < n; ++i)
            if (service.near[i] > service.near[worst]) worst = i;
        double radius = 0.0;
        costs.finish(&service.near[worst], 1, &radius);
        far.radii.push_back(radius);
        next = static_cast<Index>(far.points.size()) < n ? worst : -1;
    }
    return far;
}

Replacement best_replacement(const Costs& costs, const Service& service) {
    constexpr Index block = 192;
    const Index n = costs.candidates(), k = service.medoids(), width = panel_rows<double>();
    const Segments segments(costs.points(), 2 * block * k * Index{sizeof(double)});
    Worst worst(segments.count, block, k);
    const auto strips = costs.point_strips();
    Replacement best{infinity, -1, -1};
    for (Index first = 0; first < n; first += block) {
        const Index count = std::min(block, n - first);
        worst.clear();
        over_block(*strips, segments, first, count, [&](Index s, Index p, tile::Chunk& chunk) {
            worst.see(chunk, service, s, p * width);
        });
        worst.merge(segments.count);
        for (Index c = 0; c < count; ++c) {
            Largest beside;
            for (Index m = 0; m < k; ++m) beside.see(worst.of(0, m, 0)[c], m);
            for (Index m = 0; m < k; ++m) {
                const double radius = std::max(beside.without(m), worst.of(0, m, 1)[c]);
                if (radius < best.radius) best = {radius, first + c, m};
            }
        }
    }
    costs.finish(&best.radius, 1, &best.radius);
    return best;
}

}  // namespace stylobate::medoids
