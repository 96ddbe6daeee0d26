// Sets of rows that grow together (union by size, paths halved).
#pragma once

#include <numeric>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::cluster {

class DisjointSets {
 public:
    explicit DisjointSets(Index n)
        : parent_(static_cast<std::size_t>(n)), size_(static_cast<std::size_t>(n), 1), sets_(n) {
        std::iota(parent_.begin(), parent_.end(), Index{0});
    }
    Index sets() const { return sets_; }
    Index size(Index root) const { return size_[static_cast<std::size_t>(root)]; }
    Index find(Index i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    // Whether they were apart.
    bool join(Index a, Index b) {
        a = find(a), b = find(b);
        if (a == b) return false;
        if (size_[a] < size_[b]) std::swap(a, b);
        parent_[b] = a;
        size_[a] += size_[b];
        --sets_;
        return true;
    }

 private:
    std::vector<Index> parent_, size_;
    Index sets_;
};

}  // namespace stylobate::cluster
