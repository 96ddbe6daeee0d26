// DBSCAN on a kd-tree whose leaves are asked together.
//
// Three walks, each of one leaf against the tree: how many rows its rows see (no further than the
// number that makes them core), which core rows are one component, and the first cluster that each
// other row borders. A node whose core rows are one component is known to be whole: where the leaf
// belongs to the same component, the walk ends there.
#include <algorithm>
#include <atomic>
#include <limits>

#include "cluster/components.hpp"
#include "cluster/dbscan.hpp"
#include "cluster/node_boxes.hpp"
#include "tile/tree_queries.hpp"

namespace stylobate::cluster {
namespace {

using tile::Partition;
using Range = Partition::Range;
constexpr Index width = Partition::width;
constexpr Index leaves_per_task = 16;

class BoxedDbscan {
 public:
    BoxedDbscan(const MatrixView<double>& x, const tile::TreeMetric& metric, const Density& wish)
        : leaves_(x, metric),
          tree_(leaves_.partition()),
          boxes_(tree_, metric),
          wish_(wish),
          reach_(tile::wider(wish.radius)),
          sure_(wish.radius * (1.0 - 1e-12)),
          core_(static_cast<std::size_t>(tree_.leaves()), 0),
          first_(nodes(), -1),
          whole_(nodes()),
          components_(x.rows) {
        if (wish_.weights != nullptr) weigh(tree_.root());
    }

    DensityClusters clusters() {
        over_leaves([&](const Range& leaf) { core_[leaf.leaf] = core_of(leaf); });
        find_first(tree_.root());
        over_leaves([&](const Range& leaf) { join_within(leaf); });
        over_leaves([&](const Range& leaf) {
            if (first_[leaf.node] >= 0) join(leaf, tree_.root());
        });
        DensityClusters out = numbered();
        least_.assign(nodes(), none);
        label_.resize(static_cast<std::size_t>(tree_.leaves() * width));
        for (Index i = 0; i < tree_.rows(); ++i) label_[i] = out.labels[tree_.order()[i]];
        find_least(tree_.root());
        over_leaves([&](const Range& leaf) { border(leaf, out.labels); });
        return out;
    }

 private:
    static constexpr auto none = std::numeric_limits<std::int64_t>::max();

    std::size_t nodes() const { return static_cast<std::size_t>(2 * tree_.leaves() - 1); }

    // body(leaf) for every leaf, with its node.
    template <class Body>
    void over_leaves(const Body& body) {
        if (nodes_of_leaves_.empty()) {
            nodes_of_leaves_.resize(static_cast<std::size_t>(tree_.leaves()));
            list(tree_.root());
        }
        const Index tasks = (tree_.leaves() + leaves_per_task - 1) / leaves_per_task;
        parallel_for(tasks, [&](Index task, Checkpoint& checkpoint) {
            const Index end = std::min(tree_.leaves(), (task + 1) * leaves_per_task);
            for (Index leaf = task * leaves_per_task; leaf < end; ++leaf) {
                body(Range{nodes_of_leaves_[leaf], leaf, 1});
                checkpoint();
            }
        });
    }
    void list(const Range& range) {
        if (range.leaves == 1) {
            nodes_of_leaves_[range.leaf] = range.node;
            return;
        }
        list(range.first());
        list(range.second());
    }

    // --- how many rows each row sees -----------------------------------------------------------

    struct Counting {
        const Range& leaf;
        unsigned open;         // rows that are not known to be core
        double seen[width]{};  // by each row
    };

    void weigh(const Range& range) {
        if (weight_.empty()) weight_.resize(nodes());
        double& sum = weight_[range.node];
        if (range.leaves > 1) {
            weigh(range.first());
            weigh(range.second());
            sum = weight_[range.first().node] + weight_[range.second().node];
            return;
        }
        for (Index j = 0; j < tree_.count(range.leaf); ++j)
            sum += wish_.weights[tree_.order()[range.leaf * width + j]];
    }

    unsigned core_of(const Range& leaf) const {
        Counting counting{leaf, tree_.mask(leaf.leaf)};
        count(counting, tree_.root());
        unsigned core = 0;
        for (Index j = 0; j < tree_.count(leaf.leaf); ++j)
            core |= unsigned{counting.seen[j] >= wish_.least} << j;
        return core;
    }

    void count(Counting& counting, const Range& range) const {
        const NodeBoxes::Bounds bounds = boxes_.between(counting.leaf.node, range.node);
        if (counting.open == 0 || bounds.near > reach_) return;
        if (bounds.far <= sure_) return add_all(counting, range);
        if (range.leaves > 1) {
            const auto [near, far] = nearer(counting.leaf, range);
            count(counting, near);
            return count(counting, far);
        }
        for_each(counting.open, counting.leaf.leaf, [&](Index j, const double* row) {
            add(counting, j, weight_of(seen(row, range.leaf), range.leaf));
        });
    }
    double weight_of(unsigned bits, Index leaf) const {
        if (wish_.weights == nullptr) return __builtin_popcount(bits);
        double sum = 0.0;
        for (; bits != 0; bits &= bits - 1)
            sum += wish_.weights[tree_.order()[leaf * width + __builtin_ctz(bits)]];
        return sum;
    }
    void add_all(Counting& counting, const Range& range) const {
        const double all = wish_.weights == nullptr ? static_cast<double>(rows_below(range))
                                                    : weight_[static_cast<std::size_t>(range.node)];
        for (unsigned bits = counting.open; bits != 0; bits &= bits - 1)
            add(counting, __builtin_ctz(bits), all);
    }
    void add(Counting& counting, Index j, double seen) const {
        counting.seen[j] += seen;
        // weights may be negative, so that only the whole sum tells
        if (wish_.weights == nullptr && counting.seen[j] >= wish_.least)
            counting.open &= ~(1u << j);
    }

    // --- components of core rows ---------------------------------------------------------------

    // Some core row below each node, as its place; −1 for none.
    void find_first(const Range& range) {
        if (range.leaves > 1) {
            find_first(range.first());
            find_first(range.second());
            const Index left = first_[range.first().node];
            first_[range.node] = left >= 0 ? left : first_[range.second().node];
        } else if (core_[range.leaf] != 0) {
            first_[range.node] = range.leaf * width + __builtin_ctz(core_[range.leaf]);
        }
    }

    bool is_whole(const Range& range) {
        std::atomic<bool>& flag = whole_[static_cast<std::size_t>(range.node)];
        if (flag.load(std::memory_order_relaxed)) return true;
        if (range.leaves == 1) return false;
        const Index left = first_[range.first().node], right = first_[range.second().node];
        const bool whole =
            (left < 0 || whole_[range.first().node].load(std::memory_order_relaxed)) &&
            (right < 0 || whole_[range.second().node].load(std::memory_order_relaxed)) &&
            (left < 0 || right < 0 || components_.together(left, right));
        if (whole) flag.store(true, std::memory_order_relaxed);
        return whole;
    }

    void join_within(const Range& leaf) {
        if (first_[leaf.node] < 0) return;
        if (boxes_.between(leaf.node, leaf.node).far <= sure_) return join_all(leaf);
        join_rows(leaf, leaf);
        mark_leaf(leaf);
    }

    // Core rows below a node that are one component because some row sees all of them.
    void join_all(const Range& range) {
        const Index first = first_[range.node];
        if (first < 0 || is_whole(range)) return;
        if (range.leaves > 1) {
            join_all(range.first());
            join_all(range.second());
            const Index left = first_[range.first().node], right = first_[range.second().node];
            if (left >= 0 && right >= 0) components_.unite(left, right);
        } else {
            for (unsigned bits = core_[range.leaf]; bits != 0; bits &= bits - 1)
                components_.unite(first, range.leaf * width + __builtin_ctz(bits));
        }
        whole_[range.node].store(true, std::memory_order_relaxed);
    }

    // The core rows of a leaf with those of the leaves after it.
    void join(const Range& leaf, const Range& range) {
        const Index own = first_[leaf.node], other = first_[range.node];
        if (other < 0 || range.leaf + range.leaves <= leaf.leaf) return;
        if (range.leaves == 1 && range.leaf == leaf.leaf) return;
        const NodeBoxes::Bounds bounds = boxes_.between(leaf.node, range.node);
        if (bounds.near > reach_) return;
        if (is_whole(leaf) && is_whole(range) && components_.together(own, other)) return;
        if (bounds.far <= sure_) {
            join_all(leaf);
            join_all(range);
            return components_.unite(own, other);
        }
        if (range.leaves > 1) {
            const auto [near, far] = nearer(leaf, range);
            join(leaf, near);
            return join(leaf, far);
        }
        join_rows(leaf, range);
        mark_leaf(leaf);
        mark_leaf(range);
    }

    void join_rows(const Range& one, const Range& other) {
        const bool enough = one.leaf != other.leaf && is_whole(one) && is_whole(other);
        bool met = false;
        for_each(core_[one.leaf], one.leaf, [&](Index j, const double* row) {
            if (enough && met) return;
            for (unsigned bits = seen(row, other.leaf) & core_[other.leaf]; bits != 0;
                 bits &= bits - 1) {
                components_.unite(one.leaf * width + j, other.leaf * width + __builtin_ctz(bits));
                met = true;
                if (enough) break;
            }
        });
    }

    void mark_leaf(const Range& leaf) {
        if (whole_[leaf.node].load(std::memory_order_relaxed)) return;
        const Index first = first_[leaf.node];
        for (unsigned bits = core_[leaf.leaf]; bits != 0; bits &= bits - 1)
            if (!components_.together(first, leaf.leaf * width + __builtin_ctz(bits))) return;
        whole_[leaf.node].store(true, std::memory_order_relaxed);
    }

    DensityClusters numbered() {
        const auto n = static_cast<std::size_t>(tree_.rows());
        DensityClusters out{std::vector<std::int64_t>(n), std::vector<std::uint8_t>(n)};
        for (Index i = 0; i < tree_.rows(); ++i) {
            const std::int64_t row = tree_.order()[i];
            out.core[row] = core_[i / width] >> (i % width) & 1u;
            out.labels[row] = out.core[row] ? components_.find(i) : -1;
        }
        std::vector<std::int64_t> numbers(n, -1);
        std::int64_t next = 0;
        for (std::int64_t& label : out.labels) {
            if (label < 0) continue;
            if (numbers[label] < 0) numbers[label] = next++;
            label = numbers[label];
        }
        return out;
    }

    // --- rows that are not core ----------------------------------------------------------------

    void find_least(const Range& range) {
        std::int64_t& least = least_[range.node];
        if (range.leaves > 1) {
            find_least(range.first());
            find_least(range.second());
            least = std::min(least_[range.first().node], least_[range.second().node]);
            return;
        }
        for (unsigned bits = core_[range.leaf]; bits != 0; bits &= bits - 1)
            least = std::min(least, label_[range.leaf * width + __builtin_ctz(bits)]);
    }

    void border(const Range& leaf, std::vector<std::int64_t>& labels) const {
        const unsigned open = tree_.mask(leaf.leaf) & ~core_[leaf.leaf];
        std::int64_t best[width];
        std::fill_n(best, width, none);
        if (open != 0) border(leaf, open, tree_.root(), best);
        for (unsigned bits = open; bits != 0; bits &= bits - 1) {
            const Index j = __builtin_ctz(bits);
            if (best[j] != none) labels[tree_.order()[leaf.leaf * width + j]] = best[j];
        }
    }
    void border(const Range& leaf, unsigned open, const Range& range, std::int64_t* best) const {
        unsigned wanting = 0;
        for (unsigned bits = open; bits != 0; bits &= bits - 1)
            if (const Index j = __builtin_ctz(bits); least_[range.node] < best[j])
                wanting |= 1u << j;
        if (wanting == 0 || boxes_.between(leaf.node, range.node).near > reach_) return;
        if (range.leaves > 1) {
            border(leaf, wanting, range.first(), best);
            return border(leaf, wanting, range.second(), best);
        }
        for_each(wanting, leaf.leaf, [&](Index j, const double* row) {
            for (unsigned bits = seen(row, range.leaf) & core_[range.leaf]; bits != 0;
                 bits &= bits - 1)
                best[j] = std::min(best[j], label_[range.leaf * width + __builtin_ctz(bits)]);
        });
    }

    // --- what the walks share ------------------------------------------------------------------

    Index rows_below(const Range& range) const {
        return std::min(tree_.rows(), (range.leaf + range.leaves) * width) - range.leaf * width;
    }
    std::pair<Range, Range> nearer(const Range& leaf, const Range& range) const {
        const Range a = range.first(), b = range.second();
        const bool swap =
            boxes_.between(leaf.node, b.node).near < boxes_.between(leaf.node, a.node).near;
        return swap ? std::pair{b, a} : std::pair{a, b};
    }

    // Which rows of a leaf lie within the radius.
    unsigned seen(const double* row, Index leaf) const {
        return leaves_.within(row, leaf, wish_.radius);
    }

    template <class Body>
    void for_each(unsigned bits, Index leaf, const Body& body) const {
        constexpr Index few = 32;
        double small[few];
        std::vector<double> large;
        if (tree_.cols() > few) large.resize(static_cast<std::size_t>(tree_.cols()));
        double* const row = large.empty() ? small : large.data();
        for (; bits != 0; bits &= bits - 1) {
            const Index j = __builtin_ctz(bits);
            tree_.gather(leaf * width + j, row);
            body(j, row);
        }
    }

    tile::Leaves leaves_;
    const Partition& tree_;
    NodeBoxes boxes_;
    Density wish_;
    double reach_, sure_;
    std::vector<unsigned> core_;  // of each leaf, a bit for each row
    std::vector<Index> first_;
    std::vector<std::atomic<bool>> whole_;
    Components components_;
    std::vector<double> weight_;
    std::vector<Index> nodes_of_leaves_;
    std::vector<std::int64_t> least_, label_;
};

}  // namespace

DensityClusters dbscan_boxes(const MatrixView<double>& x, const tile::TreeMetric& metric,
                             const Density& wish) {
    return BoxedDbscan(x, metric, wish).clusters();
}

}  // namespace stylobate::cluster
