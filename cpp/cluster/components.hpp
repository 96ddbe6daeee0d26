// Connected components under unions made by several threads at once.
//
// A root is the smallest number of its component, so what is left when all unions are made does not
// depend on their order.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::cluster {

class Components {
 public:
    explicit Components(Index n) : above_(static_cast<std::size_t>(n)) {
        for (Index i = 0; i < n; ++i) above_[i].store(i, std::memory_order_relaxed);
    }

    Index find(Index i) {
        for (;;) {
            const Index up = at(i);
            if (up == i) return i;
            const Index higher = at(up);
            if (higher == up) return up;
            above_[i].store(higher, std::memory_order_relaxed);  // any ancestor will do
            i = higher;
        }
    }

    void unite(Index a, Index b) {
        for (;;) {
            a = find(a), b = find(b);
            if (a == b) return;
            if (a < b) std::swap(a, b);
            Index expected = a;
            if (above_[a].compare_exchange_strong(expected, b, std::memory_order_relaxed)) return;
        }
    }

    bool together(Index a, Index b) { return find(a) == find(b); }

 private:
    Index at(Index i) const { return above_[i].load(std::memory_order_relaxed); }

    std::vector<std::atomic<Index>> above_;
};

}  // namespace stylobate::cluster
