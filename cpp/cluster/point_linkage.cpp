#include "cluster/point_linkage.hpp"

#include <algorithm>
#include <numeric>

#include "cluster/agglomeration.hpp"
#include "cluster/nearest_clusters.hpp"
#include "cluster/point_clusters.hpp"
#include "cluster/stored_linkage.hpp"

namespace stylobate::cluster {
namespace {

// Joins rows that are equal, two by two, until each is there once.
void join_equal_rows(PointClusters& clusters, std::vector<Merge>& merges) {
    const Index d = clusters.depth();
    for (;;) {
        std::vector<Index> order(static_cast<std::size_t>(clusters.count()));
        std::iota(order.begin(), order.end(), Index{0});
        const auto row = [&](Index i) { return clusters.centroid(i); };
        std::sort(order.begin(), order.end(), [&](Index i, Index j) {
            const auto [a, b] = std::mismatch(row(i), row(i) + d, row(j));
            return a == row(i) + d ? i < j : *a < *b;
        });
        std::vector<PointClusters::Pair> pairs;
        for (std::size_t k = 1; k < order.size(); ++k) {
            if (!std::equal(row(order[k - 1]), row(order[k - 1]) + d, row(order[k]))) continue;
            pairs.push_back({order[k - 1], order[k], 0.0});
            ++k;
        }
        if (pairs.empty()) return;
        clusters.join(pairs, merges);
    }
}

// Joins pairs that are nearest to each other, many at a time. A cluster whose nearest one was
// joined keeps that one's distance as a bound, for joining brings no cluster nearer, and looks
// again only when its bound is among the lowest.
class Rounds {
 public:
    Rounds(PointClusters& clusters, std::vector<Merge>& merges)
        : clusters_(clusters),
          merges_(merges),
          nearest_(static_cast<std::size_t>(clusters.count()), Near{-1, 0.0}),
          known_(nearest_.size(), 0) {}

    void next() {
        find();
        std::vector<PointClusters::Pair> pairs;
        for (Index i = 0; i < clusters_.count(); ++i) {
            const Index j = nearest_[i].slot;
            if (known_[i] && i < j && known_[j] && nearest_[j].slot == i)
                pairs.push_back({i, j, nearest_[i].value});
        }
        follow(clusters_.join(pairs, merges_), pairs);
    }

 private:
    void find() {
        constexpr Index share = 4,
                        least = 256;  // of the clusters may look, those of the lowest bounds
        std::vector<double> bounds;
        for (const Near& near : nearest_) bounds.push_back(near.value);
        const Index rank = std::min(clusters_.count() - 1, least + clusters_.count() / share);
        std::nth_element(bounds.begin(), bounds.begin() + rank, bounds.end());
        std::vector<Index> asked;
        for (Index i = 0; i < clusters_.count(); ++i)
            if (!known_[i] && nearest_[i].value <= bounds[rank]) asked.push_back(i);
        find_nearest(clusters_, asked, nearest_);
        for (const Index i : asked) {
            require_finite(nearest_[i].value);
            known_[i] = 1;
        }
    }

    void follow(const std::vector<Index>& place, const std::vector<PointClusters::Pair>& pairs) {
        std::vector<char> joined(place.size(), 0);
        for (const auto& pair : pairs) joined[pair.a] = joined[pair.b] = 1;
        for (std::size_t i = 0; i < place.size(); ++i) {
            const Near near = nearest_[i];
            if (joined[i] && i > static_cast<std::size_t>(near.slot)) continue;  // moved already
            known_[place[i]] = known_[i] && !joined[i] && !joined[near.slot];
            // where the nearest one is now is a good place to start from
            const Index now = joined[i] || near.slot < 0 ? Index{-1} : place[near.slot];
            nearest_[place[i]] = {now, near.value};
        }
        known_.resize(static_cast<std::size_t>(clusters_.count()));
        nearest_.resize(known_.size());
    }

    PointClusters& clusters_;
    std::vector<Merge>& merges_;
    std::vector<Near> nearest_;
    std::vector<char> known_;
};

}  // namespace

std::vector<Merge> point_linkage(const MatrixView<double>& x, Linkage linkage, Index rest) {
    const bool rounds = linkage != Linkage::centroid && linkage != Linkage::median;
    if (linkage == Linkage::single || linkage == Linkage::minimax)
        throw InvalidArgument("this linkage is not found from centroids");
    if (rest == 0) rest = linkage == Linkage::ward ? 512 : 4096;
    PointClusters clusters(x, linkage);
    std::vector<Merge> merges;
    if (rounds) join_equal_rows(clusters, merges);
    Rounds round(clusters, merges);
    while (rounds && clusters.count() > rest) round.next();
    const bool by_centroids = !rounds || linkage == Linkage::ward;
    std::vector<double> values;
    if (!by_centroids) values = clusters.triangle();
    std::vector<Merge> last;
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {
        last = by_centroids
                   ? centroid_linkage(clusters.columns(), clusters.items(), linkage, checkpoint)
                   : stored_linkage(values.data(), clusters.items(), linkage, checkpoint);
    });
    merges.insert(merges.end(), last.begin(), last.end());
    return merges;
}

}  // namespace stylobate::cluster
