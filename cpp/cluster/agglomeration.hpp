// Two ways to join clusters, for any source of their distances.
//
// A Source numbers its clusters from 0 in slots, and has
//   nearest(slot)       the nearest other cluster: {slot, value}
//   nearest_after(slot) the nearest of those in later slots
//   value(a, b)         of a pair; infinite where one is gone
//   join(a, b, seen)    puts both into slot b > a and leaves a empty; seen(slot, value) for others
//   keep(slots)         forgets all slots but these, in order, where it closes_ranks
//   height(value)       the height a value stands for
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "cluster/linkage_kernels.hpp"
#include "cluster/merges.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {

struct Near {
    Index slot = -1;
    double value = std::numeric_limits<double>::infinity();
};

inline void require_finite(double value) {
    if (!(value < std::numeric_limits<double>::infinity()))
        throw InvalidArgument("distances between clusters must be finite");
}

// Slots in use; after a quarter of them is empty the source is asked to close ranks.
class Slots {
 public:
    explicit Slots(std::vector<Item> items)
        : items_(std::move(items)), used_(items_.size(), 1), left_(size()) {}
    Index size() const { return static_cast<Index>(items_.size()); }
    Index left() const { return left_; }
    bool used(Index slot) const { return used_[slot] != 0; }
    Index first() const {
        return static_cast<Index>(std::find(used_.begin(), used_.end(), 1) - used_.begin());
    }

    // Heights never fall on the way up, whatever rounding says.
    Merge join(Index gone, Index kept, double height, bool rising) {
        Item &a = items_[gone], &b = items_[kept];
        if (rising) height = std::max({height, a.height, b.height});
        const Merge merge{b.row, a.row, height};
        b.size += a.size;
        b.height = height;
        used_[gone] = 0;
        --left_;
        return merge;
    }

    bool sparse() const { return size() > 64 && 4 * left_ < 3 * size(); }
    // The slots that stay; `place` becomes the new number of each old one.
    std::vector<Index> close_ranks(std::vector<Index>& place) {
        std::vector<Index> kept;
        place.assign(items_.size(), -1);
        for (Index i = 0; i < size(); ++i)
            if (used_[i]) {
                place[i] = static_cast<Index>(kept.size());
                items_[kept.size()] = items_[i];
                kept.push_back(i);
            }
        items_.resize(kept.size());
        used_.assign(kept.size(), 1);
        return kept;
    }

 private:
    std::vector<Item> items_;
    std::vector<char> used_;
    Index left_;
};

// Nearest-neighbour chain (Benzécri 1982), for linkages under which joining two clusters brings
// neither nearer to a third. Of equally near clusters the one before in the chain is taken, else
// the first.
template <class Source>
std::vector<Merge> chain_linkage(Source& source, std::vector<Item> items, Checkpoint& checkpoint) {
    Slots slots(std::move(items));
    std::vector<Merge> merges;
    std::vector<Index> chain, place;
    while (slots.left() > 1) {
        checkpoint();
        if (chain.empty()) chain.push_back(slots.first());
        const Index x = chain.back();
        Near near = source.nearest(x);
        require_finite(near.value);
        if (chain.size() > 1) {
            const Index before = chain[chain.size() - 2];
            if (source.value(x, before) <= near.value) near.slot = before;
            if (near.slot == before) {
                const Index a = std::min(x, before), b = std::max(x, before);
                merges.push_back(slots.join(a, b, source.height(near.value), true));
                source.join(a, b, [](Index, double) {});
                chain.resize(chain.size() - 2);
                if (!Source::closes_ranks || !slots.sparse()) continue;
                source.keep(slots.close_ranks(place));
                for (Index& slot : chain) slot = place[slot];
                continue;
            }
        }
        chain.push_back(near.slot);
    }
    return merges;
}

// The nearest pair each time (Müllner, Modern hierarchical, agglomerative clustering algorithms,
// 2011): every slot knows the nearest later one, or a bound of how near it is.
template <class Source>
std::vector<Merge> generic_linkage(Source& source, std::vector<Item> items,
                                   Checkpoint& checkpoint) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Slots slots(std::move(items));
    std::vector<Merge> merges;
    std::vector<Index> place;
    std::vector<double> bound(static_cast<std::size_t>(slots.size()), infinity);
    std::vector<Index> nearest(bound.size(), -1);
    const auto look = [&](Index i) {
        const Near near = source.nearest_after(i);
        bound[i] = near.value, nearest[i] = near.slot;
    };
    for (Index i = 0; i < slots.size(); ++i) look(i);
    while (slots.left() > 1) {
        checkpoint();
        const Index a = linkage::kernels().least_entry(bound.data(), slots.size());
        require_finite(bound[a]);
        const Index b = nearest[a];
        if (b < 0 || !slots.used(b) || source.value(a, b) != bound[a]) {
            look(a);
            continue;
        }
        merges.push_back(slots.join(a, b, source.height(bound[a]), false));
        bound[a] = infinity, nearest[a] = -1;
        source.join(a, b, [&](Index i, double value) {
            if (i < b && value < bound[i]) bound[i] = value, nearest[i] = b;
        });
        look(b);
        if (!slots.sparse()) continue;
        const std::vector<Index> kept = slots.close_ranks(place);
        source.keep(kept);
        for (std::size_t k = 0; k < kept.size(); ++k) {
            bound[k] = bound[kept[k]];
            nearest[k] = nearest[kept[k]] < 0 ? -1 : place[nearest[kept[k]]];
        }
        bound.resize(kept.size()), nearest.resize(kept.size());
    }
    return merges;
}

}  // namespace stylobate::cluster
