#include "cluster/optics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/node_boxes.hpp"
#include "tile/tree_queries.hpp"

namespace stylobate::cluster {
namespace {

using tile::Measure;
using tile::Partition;
using Range = Partition::Range;
constexpr Index width = Partition::width;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Each node knows the soonest of its unseen rows, which says where to go next, and the latest,
// beyond which a row need not be looked at from a new place.
class Walk {
 public:
    Walk(const MatrixView<double>& x, const tile::TreeMetric& metric, const double* core,
         double radius)
        : leaves_(x, metric),
          tree_(leaves_.partition()),
          boxes_(tree_, metric),
          core_(core),
          radius_(radius),
          unseen_(static_cast<std::size_t>(tree_.leaves())),
          nodes_(static_cast<std::size_t>(2 * tree_.leaves() - 1)),
          reach_(static_cast<std::size_t>(tree_.leaves() * width), infinity),
          from_(reach_.size(), -1),
          row_(static_cast<std::size_t>(x.cols)) {
        for (Index leaf = 0; leaf < tree_.leaves(); ++leaf) unseen_[leaf] = tree_.mask(leaf);
        start(tree_.root());
    }

    Reachabilities run() {
        const auto n = static_cast<std::size_t>(tree_.rows());
        Reachabilities out{{}, std::vector<std::int64_t>(n), std::vector<double>(n)};
        out.order.reserve(n);
        parallel_for(1, [&](Index, Checkpoint& checkpoint) {
            for (Index step = 0; step < tree_.rows(); ++step) {
                place_ = nodes_[0].place;
                const std::int64_t point = tree_.order()[place_];
                out.order.push_back(point);
                unseen_[place_ / width] &= ~(1u << (place_ % width));
                forget(tree_.root());
                if (core_[point] != infinity) {
                    from_here_ = {point, core_[point]};
                    tree_.gather(place_, row_.data());
                    look(tree_.root());
                }
                checkpoint();
            }
        });
        for (Index i = 0; i < tree_.rows(); ++i) {
            out.reach[tree_.order()[i]] = reach_[i];
            out.predecessor[tree_.order()[i]] = from_[i];
        }
        return out;
    }

 private:
    struct Node {
        double soonest = infinity, latest = -infinity;
        Index place = -1;  // of the soonest, the first row of several
    };

    void start(const Range& range) {
        if (range.leaves > 1) start(range.first()), start(range.second());
        refresh(range);
    }

    // What a node knows, from its rows or halves.
    void refresh(const Range& range) {
        Node& node = nodes_[range.node];
        if (range.leaves > 1) {
            const Node &a = nodes_[range.first().node], &b = nodes_[range.second().node];
            node = sooner(a, b) ? a : b;
            node.latest = std::max(a.latest, b.latest);
            return;
        }
        node = {};
        for (unsigned bits = unseen_[range.leaf]; bits != 0; bits &= bits - 1) {
            const Index place = range.leaf * width + __builtin_ctz(bits);
            const Node own{reach_[place], reach_[place], place};
            const double latest = std::max(node.latest, own.latest);
            if (sooner(own, node)) node = own;
            node.latest = latest;
        }
    }
    bool sooner(const Node& a, const Node& b) const {
        if (a.place < 0 || b.place < 0) return a.place >= 0;
        if (a.soonest != b.soonest) return a.soonest < b.soonest;
        return tree_.order()[a.place] < tree_.order()[b.place];
    }

    // The nodes above the row that was just seen.
    void forget(const Range& range) {
        if (range.leaves > 1) {
            const bool left = place_ / width < range.second().leaf;
            forget(left ? range.first() : range.second());
        }
        refresh(range);
    }

    void look(const Range& range) {
        const Node& node = nodes_[range.node];
        if (node.place < 0 || from_here_.core >= node.latest) return;
        const double near = boxes_.near(row_.data(), range.node);
        if (near > tile::wider(radius_)) return;
        // less than any row below has, although both were rounded
        if (distance(near) * (1.0 - 1e-12) - 1e-14 >= node.latest) return;
        if (range.leaves > 1) {
            look(range.first());
            look(range.second());
        } else {
            leaf_ = range.leaf;
            leaves_.scan(row_.data(), range.leaf, -1, *this);
        }
        refresh(range);
    }

 public:
    // What a scanned leaf shows: places in it, by row.
    double reach() const { return tile::wider(radius_); }
    void take(double value, std::int64_t row) {
        if (!(value <= radius_)) return;
        const std::int64_t* const rows = tree_.order().data() + leaf_ * width;
        const Index j = std::find(rows, rows + width, row) - rows;
        if (!(unseen_[leaf_] >> j & 1u)) return;
        const double reached =
            std::nearbyint(std::max(distance(value), from_here_.core) * 1e15) / 1e15;
        if (reached < reach_[leaf_ * width + j]) {
            reach_[leaf_ * width + j] = reached;
            from_[leaf_ * width + j] = from_here_.point;
        }
    }

 private:
    double distance(double value) const {
        const tile::TreeMetric& metric = leaves_.metric();
        if (metric.measure == Measure::squared) return std::sqrt(value);
        if (metric.measure == Measure::power) return std::pow(value, 1.0 / metric.p);
        return value;
    }

    tile::Leaves leaves_;
    const Partition& tree_;
    NodeBoxes boxes_;
    const double* core_;
    double radius_;
    std::vector<unsigned> unseen_;
    std::vector<Node> nodes_;
    std::vector<double> reach_;       // by place
    std::vector<std::int64_t> from_;  // by place, a row
    std::vector<double> row_;         // at hand
    struct {
        std::int64_t point;
        double core;
    } from_here_{};
    Index place_ = 0, leaf_ = 0;
};

}  // namespace

Reachabilities optics(const MatrixView<double>& x, const tile::TreeMetric& metric,
                      const double* core, double radius) {
    return Walk(x, metric, core, radius).run();
}

}  // namespace stylobate::cluster
