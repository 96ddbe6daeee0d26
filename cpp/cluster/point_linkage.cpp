#include "cluster/point_linkage.hpp"

#include <algorithm>

#include "cluster/agglomeration.hpp"
#include "cluster/boxed_partition.hpp"
#include "cluster/point_clusters.hpp"
#include "cluster/stored_linkage.hpp"
#include "tile/kernels.hpp"
#include "tile/measure.hpp"

namespace stylobate::cluster {
namespace {

using tile::Measure;
using tile::Partition;

// The nearest cluster of each, by a tree of boxes around the centroids.
class NearestClusters {
 public:
    explicit NearestClusters(const PointClusters& clusters)
        : clusters_(clusters), tree_(clusters.centroids()) {
        std::vector<double> sizes, scatters;
        for (Index i = 0; i < clusters.count(); ++i) {
            sizes.push_back(clusters.cluster(i).item.size);
            scatters.push_back(clusters.cluster(i).scatter);
        }
        sizes_ = tree_.lowest(sizes.data());
        scatters_ = tree_.lowest(scatters.data());
    }
    const Partition& part() const { return tree_.part(); }

    struct Step {
        Partition::Range range;
        double bound;
    };
    struct Room {
        std::vector<Step> steps;
        std::vector<double> numbers;
    };

    Near nearest(Index i, Room& room) const {
        Near best;
        room.steps.assign(1, {tree_.part().root(), 0.0});
        while (!room.steps.empty()) {
            const Step step = room.steps.back();
            room.steps.pop_back();
            if (step.bound > best.value) continue;
            if (step.range.leaves == 1) {
                scan(i, step.range, best, room);
                continue;
            }
            const Step one = at(i, step.range.first()), other = at(i, step.range.second());
            const bool ordered = one.bound <= other.bound;
            room.steps.push_back(ordered ? other : one);
            room.steps.push_back(ordered ? one : other);
        }
        return best;
    }

 private:
    Step at(Index i, const Partition::Range& range) const {
        return {range, clusters_.bound(clusters_.cluster(i),
                                       tree_.squared_distance(clusters_.centroid(i), range.node),
                                       sizes_[range.node], scatters_[range.node])};
    }

    void scan(Index i, const Partition::Range& range, Near& best, Room& room) const {
        alignas(64) double squared[Partition::width];
        const auto& own = clusters_.cluster(i);
        const double reach =
            clusters_.reach(own, best.value, sizes_[range.node], scatters_[range.node]);
        unsigned bits = tile::kernels().leaf_values(static_cast<int>(Measure::squared),
                                                    clusters_.centroid(i), part().block(range.leaf),
                                                    part().cols(), nullptr, 2.0, reach, squared);
        for (bits &= part().mask(range.leaf); bits != 0; bits &= bits - 1) {
            const int k = __builtin_ctz(bits);
            const Index j = part().order()[range.leaf * Partition::width + k];
            if (j == i || !clusters_.promising(own, clusters_.cluster(j), squared[k], best.value))
                continue;
            const double value = clusters_.value(i, j, squared[k], room.numbers);
            if (value < best.value || (value == best.value && before(i, j, best.slot)))
                best = {j, value};
        }
    }

    // An order of pairs of equal value in which the first of all is first for both its clusters.
    static bool before(Index i, Index j, Index other) {
        return std::pair(std::min(i, j), std::max(i, j)) <
               std::pair(std::min(i, other), std::max(i, other));
    }

    const PointClusters& clusters_;
    BoxedPartition tree_;
    std::vector<double> sizes_, scatters_;  // least of the clusters below a node
};

class Rounds {
 public:
    Rounds(PointClusters& clusters, std::vector<Merge>& merges)
        : clusters_(clusters),
          merges_(merges),
          nearest_(static_cast<std::size_t>(clusters.count())),
          known_(nearest_.size(), 0) {}

    // Joins what is nearest to each other; false where that was too little to go on so.
    bool next() {
        const Index before = clusters_.count();
        find();
        std::vector<PointClusters::Pair> pairs;
        for (Index i = 0; i < before; ++i) {
            const Index j = nearest_[i].slot;
            require_finite(nearest_[i].value);
            if (i < j && nearest_[j].slot == i) pairs.push_back({i, j, nearest_[i].value});
        }
        follow(clusters_.join(pairs, merges_), pairs);
        constexpr Index few = 20;  // rounds that join fewer than one in so many cost more than they
                                   // save
        return static_cast<Index>(pairs.size()) * few >= before;
    }

 private:
    void find() {
        const NearestClusters search(clusters_);
        std::vector<Index> asked;
        for (const std::int64_t i : search.part().order())
            if (!known_[i]) asked.push_back(i);
        constexpr Index step = 64;
        const auto n = static_cast<Index>(asked.size());
        parallel_for((n + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
            NearestClusters::Room room;
            for (Index k = chunk * step; k < std::min(n, (chunk + 1) * step); ++k) {
                nearest_[asked[k]] = search.nearest(asked[k], room);
                checkpoint();
            }
        });
    }

    // A cluster whose nearest one was joined has to look again.
    void follow(const std::vector<Index>& place, const std::vector<PointClusters::Pair>& pairs) {
        std::vector<char> joined(place.size(), 0);
        for (const auto& pair : pairs) joined[pair.a] = joined[pair.b] = 1;
        for (std::size_t i = 0; i < place.size(); ++i) {
            const Near near = nearest_[i];
            const bool known = !joined[i] && !joined[near.slot];
            if (joined[i] && i > static_cast<std::size_t>(near.slot)) continue;  // moved already
            known_[place[i]] = known;
            nearest_[place[i]] = {known ? place[near.slot] : Index{-1}, near.value};
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
    Rounds round(clusters, merges);
    while (rounds && clusters.count() > rest && round.next()) {
    }
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
