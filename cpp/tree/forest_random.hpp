// Random numbers of the nodes of a forest.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace stylobate::forest {

// Random numbers of a node: SplitMix64 from a key that its path from the root decides.
class NodeRandom {
 public:
    explicit NodeRandom(std::uint64_t key) : state_(key) {}
    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        return mixed(state_);
    }
    // Uniform on 0 … bound − 1.
    std::size_t below(std::size_t bound) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(next()) * bound) >> 64);
    }

    static std::uint64_t child(std::uint64_t key, bool right) {
        return mixed(key ^ (right ? 0xD1B54A32D192ED03u : 0x8CB92BA72F3D8DD7u));
    }

 private:
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

// Columns drawn one after the other, none twice.
class ColumnDraw {
 public:
    explicit ColumnDraw(std::size_t cols) : order_(cols) {
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    }

    // Begins anew for a node: what was exchanged is put back, which is less than all columns.
    void start(std::uint64_t key) {
        for (std::size_t i = exchanged_.size(); i-- > 0;) {
            std::swap(order_[i], order_[exchanged_[i]]);
        }
        exchanged_.clear();
        random_ = NodeRandom(key);
    }
    std::size_t drawn() const { return exchanged_.size(); }
    bool any_left() const { return drawn() < order_.size(); }
    std::uint32_t next() {
        const std::size_t at = drawn(), other = at + random_.below(order_.size() - at);
        std::swap(order_[at], order_[other]);
        exchanged_.push_back(other);
        return order_[at];
    }

 private:
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> exchanged_;
    NodeRandom random_{0};
};

}  // namespace stylobate::forest
