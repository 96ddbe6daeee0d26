// Walking over a graph of links towards a code: best first, the best few kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "tile/hnsw.hpp"
#include "tile/kernels.hpp"

namespace stylobate::tile {

// Distance, number, and whether the number's links were followed; in order of the first two.
using Key = std::uint64_t;

inline Key key_of(std::uint32_t distance, std::uint32_t number) {
    return Key{distance} << 32 | Key{number} << 1;
}
inline std::uint32_t distance_of(Key key) {
    return static_cast<std::uint32_t>(key >> 32);
}
inline std::uint32_t number_of(Key key) {
    return static_cast<std::uint32_t>(key) >> 1;
}

// The nearest so far, nearest first, at most as many as it has room for.
class Pool {
 public:
    void clear(Index room) {
        room_ = room, size_ = 0;
        if (static_cast<Index>(keys_.size()) < room) keys_.resize(static_cast<std::size_t>(room));
    }
    Index size() const { return size_; }
    Key& operator[](Index i) { return keys_[i]; }
    std::span<const Key> keys() const { return {keys_.data(), static_cast<std::size_t>(size_)}; }

    // Its place, or the room there is where it found none.
    Index insert(Key key) {
        if (size_ == room_ && key >= keys_[size_ - 1]) return room_;
        Key* const begin = keys_.data();
        Key* const place = std::lower_bound(begin, begin + size_, key);
        if (size_ < room_) ++size_;
        std::memmove(place + 1, place, static_cast<std::size_t>(begin + size_ - 1 - place) * 8);
        *place = key;
        return place - begin;
    }

 private:
    std::vector<Key> keys_;
    Index room_ = 0, size_ = 0;
};

// What one thread walks with: marks of the numbers it met, and its pool.
class Walker {
 public:
    explicit Walker(const CodeRows& codes)
        : codes_(codes), marks_(static_cast<std::size_t>(codes.rows), 0) {}

    // The number a greedy walk from the first one down the layers above `lowest` ends at.
    std::uint32_t descend(std::span<const Layer> layers, Index lowest, const unsigned char* query);

    // The nearest numbers of one layer.
    const Pool& walk(const Layer& layer, const unsigned char* query, std::uint32_t start,
                     Index room);

    // Of candidates, nearest first: those no chosen one is nearer to than the base is (alg. 4).
    void choose(std::span<const Key> candidates, Index most, std::vector<Key>& chosen);

 private:
    void measure(const unsigned char* query) {
        distances_.resize(fresh_.size());
        kernels().code_distances(static_cast<int>(codes_.measure), query, codes_.data,
                                 codes_.stride, fresh_.data(), static_cast<Index>(fresh_.size()),
                                 distances_.data());
    }
    void forget();

    const CodeRows& codes_;
    std::vector<unsigned char> marks_;
    unsigned char mark_ = 0;
    Pool pool_;
    std::vector<std::uint32_t> fresh_, distances_;
    std::vector<Key> rest_;
};

// Walkers for whichever thread needs one: what they did before leaves no trace in what they do.
class Walkers {
 public:
    explicit Walkers(const CodeRows& codes) : codes_(codes) {}

    template <class Body>
    void with(const Body& body) {
        std::unique_ptr<Walker> walker = take();
        body(*walker);
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(walker));
    }

 private:
    std::unique_ptr<Walker> take() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                std::unique_ptr<Walker> walker = std::move(idle_.back());
                idle_.pop_back();
                return walker;
            }
        }
        return std::make_unique<Walker>(codes_);
    }

    const CodeRows& codes_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Walker>> idle_;
};

}  // namespace stylobate::tile
