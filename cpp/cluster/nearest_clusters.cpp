#include "cluster/nearest_clusters.hpp"

#include <algorithm>

#include "cluster/boxed_partition.hpp"
#include "tile/filter.hpp"
#include "tile/kernels.hpp"
#include "tile/measure.hpp"

namespace stylobate::cluster {
namespace {

using tile::Measure;
using tile::Partition;

// Of pairs of equal value the first by an order in which many are first for both their clusters:
// of four equal points 0 takes 1 and 2 takes 3.
void offer(Index i, const Near& now, Near& best) {
    const auto pair = [i](Index j) { return std::pair(i ^ j, std::min(i, j)); };
    if (now.value < best.value || (now.value == best.value && pair(now.slot) < pair(best.slot)))
        best = now;
}

double squared_distance(const PointClusters& clusters, Index i, Index j) {
    const double *a = clusters.centroid(i), *b = clusters.centroid(j);
    double sum = 0.0;
    for (Index l = 0; l < clusters.depth(); ++l) sum += (a[l] - b[l]) * (a[l] - b[l]);
    return sum;
}

// By a tree of boxes around the centroids: for few columns.
class TreeSearch {
 public:
    explicit TreeSearch(const PointClusters& clusters)
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

    void nearest(Index i, Near& best, Room& room) const {
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
            offer(i, {j, value}, best);
        }
    }

    const PointClusters& clusters_;
    BoxedPartition tree_;
    std::vector<double> sizes_, scatters_;  // least of the clusters below a node
};

// By products of all pairs in single precision, which drop those that are surely too far: for many
// columns. Clusters are taken in the order of what else bounds their values, sizes or scatters, so
// that those looked at together have about the same.
class ProductSearch {
 public:
    ProductSearch(const PointClusters& clusters, const std::vector<Index>& asked)
        : clusters_(clusters),
          asked_(asked),
          order_(static_cast<std::size_t>(clusters.count())),
          rows_(gathered(sorted())),
          queries_(gathered(asked)),
          pairs_({queries_.data(), static_cast<Index>(asked.size()), clusters.depth(),
                  clusters.depth(), 1},
                 {rows_.data(), clusters.count(), clusters.depth(), clusters.depth(), 1}, false),
          filter_(pairs_) {}

    void find(std::vector<Near>& found) {
        const Index n = clusters_.count();
        filter_.open_block(0, n);
        constexpr Index step = 64;
        const auto queries = static_cast<Index>(asked_.size());
        parallel_for((queries + step - 1) / step, [&](Index c, Checkpoint& checkpoint) {
            auto chunk = filter_.open_chunk(c * step, std::min(step, queries - c * step));
            std::vector<double> room;
            for (Index first = 0; first < n; first += group()) {
                checkpoint();
                for (Index q = 0; q < chunk.queries; ++q) tighten(chunk, q, first, found);
                const Index last = std::min(n, first + group());
                for (Index row = first; row < last; row += Filter::width())
                    look(chunk, row, std::min(Filter::width(), last - row), found, room);
            }
        });
    }

 private:
    using Filter = tile::Filter<double, float>;

    static Index group() { return 8 * Filter::width(); }

    const std::vector<Index>& sorted() {
        for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<Index>(k);
        std::stable_sort(order_.begin(), order_.end(), [&](Index i, Index j) {
            const auto &a = clusters_.cluster(i), &b = clusters_.cluster(j);
            return std::pair(a.item.size, a.scatter) < std::pair(b.item.size, b.scatter);
        });
        return order_;
    }
    std::vector<double> gathered(const std::vector<Index>& which) const {
        std::vector<double> rows;
        rows.reserve(which.size() * static_cast<std::size_t>(clusters_.depth()));
        for (const Index i : which)
            rows.insert(rows.end(), clusters_.centroid(i),
                        clusters_.centroid(i) + clusters_.depth());
        return rows;
    }

    void tighten(Filter::Chunk& chunk, Index q, Index first, const std::vector<Near>& found) {
        const Index i = asked_[chunk.query0 + q];
        const auto& least = clusters_.cluster(order_[first]);
        filter_.tighten(
            chunk, q, clusters_.reach(clusters_.cluster(i), found[i].value, least.item.size, 0.0));
    }

    void look(Filter::Chunk& chunk, Index row, Index count, std::vector<Near>& found,
              std::vector<double>& room) const {
        const Index hits = filter_.candidates(chunk, row);
        for (Index h = 0; h < hits; ++h) {
            const Index i = asked_[chunk.query0 + chunk.bits[h].row];
            Near& best = found[i];
            for (unsigned long long bits = chunk.bits[h].bits; bits != 0; bits &= bits - 1) {
                const Index k = __builtin_ctzll(bits);
                if (k >= count) break;
                const Index j = order_[row + k];
                if (j == i) continue;
                const double squared = squared_distance(clusters_, i, j);
                if (!clusters_.promising(clusters_.cluster(i), clusters_.cluster(j), squared,
                                         best.value))
                    continue;
                offer(i, {j, clusters_.value(i, j, squared, room)}, best);
            }
        }
    }

    const PointClusters& clusters_;
    const std::vector<Index>& asked_;
    std::vector<Index> order_;
    std::vector<double> rows_, queries_;
    tile::RowPairs<double> pairs_;
    Filter filter_;
};

void search_tree(const PointClusters& clusters, const std::vector<Index>& asked,
                 std::vector<Near>& found) {
    const TreeSearch search(clusters);
    constexpr Index step = 64;
    const auto n = static_cast<Index>(asked.size());
    parallel_for((n + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
        TreeSearch::Room room;
        for (Index k = chunk * step; k < std::min(n, (chunk + 1) * step); ++k) {
            search.nearest(asked[k], found[asked[k]], room);
            checkpoint();
        }
    });
}

}  // namespace

void find_nearest(const PointClusters& clusters, const std::vector<Index>& asked,
                  std::vector<Near>& found) {
    std::vector<double> room;
    for (const Index i : asked) {
        const Index start = found[i].slot;
        found[i] = {};
        if (start >= 0)
            offer(i, {start, clusters.value(i, start, squared_distance(clusters, i, start), room)},
                  found[i]);
    }
    // beyond so many columns a tree looks at most clusters, and looks at each more slowly
    constexpr Index few_columns = 4;
    if (clusters.depth() <= few_columns)
        search_tree(clusters, asked, found);
    else
        ProductSearch(clusters, asked).find(found);
}

}  // namespace stylobate::cluster
