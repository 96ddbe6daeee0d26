#include "tree/grow.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stylobate/random.hpp"

namespace stylobate::boost {
namespace {

constexpr std::size_t histogram_memory = std::size_t{1} << 28;  // bytes, before some are dropped
constexpr std::size_t least_held = 64;

}  // namespace

Growth::Growth(const BinnedRows& bins, const GrowthRules& rules)
    : bins_(bins),
      rules_(rules),
      order_(bins.rows()),
      lefts_(bins.rows()),
      rights_(bins.rows()),
      most_held_(std::max(least_held, histogram_memory / static_cast<std::size_t>(
                                                             20 * bin_slots * bins.features()))) {}

std::vector<GrownNode> Growth::grow(const PackedPairs& pairs, std::uint64_t tree) {
    tree_ = tree;
    objective_ = {pairs.gradient_unit(), pairs.hessian_unit(), rules_.l2};
    nodes_.clear();
    frontier_.clear();
    plant(pairs);
    push(0);
    const Index most =
        std::min(rules_.max_leaves > 0 ? rules_.max_leaves : most_leaves, most_leaves);
    std::vector<std::uint8_t> inner(1, 0);
    for (Index splits = 0; splits + 1 < most && !frontier_.empty(); ++splits) {
        const std::int32_t best = pop();
        if (!node(best).parted)
            expand(next_batch(best, most - 1 - splits), pairs, splits + 2 == most);
        inner.resize(nodes_.size(), 0);
        inner[static_cast<std::size_t>(best)] = 1;
        push(node(best).left);
        push(node(best).right);
    }
    if (whole_) std::iota(order_.data(), order_.data() + bins_.rows(), 0);
    for (GrownNode& each : nodes_) recycle(each.histogram);
    return in_order(inner);
}

bool Growth::before(std::int32_t a, std::int32_t b) const {
    const GrownNode &x = node(a), &y = node(b);
    if (rules_.depth_wise && x.depth != y.depth) return x.depth < y.depth;
    if (x.split.gain != y.split.gain) return x.split.gain > y.split.gain;
    return x.key < y.key;
}

void Growth::push(std::int32_t i) {
    if (!(node(i).split.gain > 0.0)) return;
    frontier_.push_back(i);
    std::push_heap(frontier_.begin(), frontier_.end(),
                   [&](std::int32_t a, std::int32_t b) { return before(b, a); });
}

std::int32_t Growth::pop() {
    std::pop_heap(frontier_.begin(), frontier_.end(),
                  [&](std::int32_t a, std::int32_t b) { return before(b, a); });
    const std::int32_t best = frontier_.back();
    frontier_.pop_back();
    return best;
}

// Half as many as may still be split: most of the best now are among the best at the end.
Growth::Nodes Growth::next_batch(std::int32_t first, Index remaining) const {
    Nodes waiting;
    for (const std::int32_t i : frontier_)
        if (!node(i).parted) waiting.push_back(i);
    const auto more =
        std::min<std::size_t>({static_cast<std::size_t>(std::max<Index>(remaining / 2, 1)) - 1,
                               waiting.size(), most_held_ / 4});
    std::partial_sort(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(more),
                      waiting.end(), [&](std::int32_t a, std::int32_t b) { return before(a, b); });
    waiting.resize(more);
    waiting.insert(waiting.begin(), first);
    return waiting;
}

void Growth::make_children(std::int32_t parent) {
    const auto left = static_cast<std::int32_t>(nodes_.size());
    nodes_.resize(nodes_.size() + 2);
    GrownNode& from = node(parent);
    from.left = left;
    from.right = left + 1;
    from.parted = true;
    const Index middle = from.rows.begin + from.split.left.count;
    const auto f = static_cast<std::size_t>(from.split.feature);
    for (const bool right : {false, true}) {
        GrownNode& child = node(left + (right ? 1 : 0));
        child.rows = right ? Range{middle, from.rows.end} : Range{from.rows.begin, middle};
        child.depth = from.depth + 1;
        child.key = 2 * from.key + (right ? 1 : 0);
        for (const std::uint32_t set : from.sets)
            if (rules_.together[set][f] != 0) child.sets.push_back(set);
        child.known.sums = right ? from.known.sums - from.split.left : from.split.left;
        child.known.low = from.known.low;
        child.known.high = from.known.high;
        child.known.value = objective_.value(child.known.sums, child.known.low, child.known.high);
    }
    const int direction = rules_.monotone.empty() ? 0 : rules_.monotone[f];
    if (direction == 0) return;
    // all below one child stay on its side of the middle of the two
    NodeSums &a = node(left).known, &b = node(left + 1).known;
    const double border = 0.5 * (a.value + b.value);
    (direction > 0 ? a.high : a.low) = border;
    (direction > 0 ? b.low : b.high) = border;
}

bool Growth::may_split(const GrownNode& each) const {
    return each.rows.size() >= 2 * rules_.min_samples_leaf && each.rows.size() >= 2 &&
           (rules_.max_depth <= 0 || each.depth < rules_.max_depth) &&
           each.known.sums.hessian * objective_.hessian_unit >= rules_.min_hessian;
}

// Masks the features a node may look at; empty for all.
std::vector<std::uint8_t> Growth::features_for(const GrownNode& each) const {
    const auto features = static_cast<std::size_t>(bins_.features());
    if (rules_.together.empty() && rules_.feature_share >= 1.0) return {};
    std::vector<std::uint8_t> mask(features, rules_.together.empty() ? 1 : 0);
    for (const std::uint32_t set : each.sets)
        for (std::size_t f = 0; f < features; ++f) mask[f] |= rules_.together[set][f];
    if (rules_.feature_share >= 1.0) return mask;
    std::vector<std::size_t> allowed;
    for (std::size_t f = 0; f < features; ++f)
        if (mask[f] != 0) allowed.push_back(f);
    const auto share = std::ceil(rules_.feature_share * static_cast<double>(allowed.size()));
    const auto take = std::max<std::size_t>(static_cast<std::size_t>(share), 1);
    const Philox random(rules_.seed, tree_);
    std::fill(mask.begin(), mask.end(), std::uint8_t{0});
    for (std::size_t k = 0; k < std::min(take, allowed.size()); ++k) {
        const std::uint64_t word = random({k, each.key, 0x6665617475726573, 0})[0];
        std::swap(allowed[k], allowed[k + word % (allowed.size() - k)]);
        mask[allowed[k]] = 1;
    }
    return mask;
}

std::vector<GrownNode> Growth::in_order(const std::vector<std::uint8_t>& inner) {
    std::vector<GrownNode> tree;
    struct Visit {
        std::int32_t node, parent;
        bool right;
    };
    std::vector<Visit> waiting{{0, -1, false}};
    while (!waiting.empty()) {
        const Visit visit = waiting.back();
        waiting.pop_back();
        const auto place = static_cast<std::int32_t>(tree.size());
        if (visit.parent >= 0) {
            GrownNode& parent = tree[static_cast<std::size_t>(visit.parent)];
            (visit.right ? parent.right : parent.left) = place;
        }
        const bool splits = inner[static_cast<std::size_t>(visit.node)] != 0;
        const std::int32_t left = node(visit.node).left, right = node(visit.node).right;
        tree.push_back(std::move(node(visit.node)));
        tree.back().left = tree.back().right = -1;
        if (!splits) continue;
        waiting.push_back({right, place, true});
        waiting.push_back({left, place, false});
    }
    return tree;
}

}  // namespace stylobate::boost
