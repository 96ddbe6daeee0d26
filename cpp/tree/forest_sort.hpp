// Sorting the rows of a node by their ranks in a column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::forest {

// Keys in order: a rank above, something about the row in the lower bits.
template <class Word>
struct SortedKeys {
    const Word* keys;
    int shift;
    std::uint32_t rank(std::size_t i) const { return static_cast<std::uint32_t>(keys[i] >> shift); }
    std::uint32_t low(std::size_t i) const {
        return static_cast<std::uint32_t>(keys[i] & ((Word{1} << shift) - 1));
    }
};

// Keys of many rows: a rank in the upper half, something about the row in the lower one.
using RankKey = std::uint64_t;

inline std::uint32_t rank_of(RankKey key) {
    return static_cast<std::uint32_t>(key >> 32);
}

class RankSorter {
 public:
    // Sorts keys whose ranks lie in [low, high]; equal ranks keep their order.
    void sort(RankKey* keys, std::size_t count, std::uint32_t low, std::uint32_t high) {
        if (spare_.size() < count) spare_.resize(count), place_.resize(count + 2);
        if (count <= few) {
            insertion_sort(keys, count);
            return;
        }
        const std::uint64_t range = std::uint64_t{high} - low + 1;
        const std::uint64_t buckets = std::min<std::uint64_t>(range, count);
        // rank − low < range, so the bucket is below `buckets`; one rank each if range == buckets
        const std::uint64_t scale = (buckets << 32) / range;
        std::fill_n(place_.begin(), buckets + 1, 0u);
        std::uint32_t* const place = place_.data();
        for (std::size_t i = 0; i < count; ++i) ++place[bucket(keys[i], low, scale) + 1];
        std::uint32_t largest = 0;
        for (std::uint64_t b = 0; b < buckets; ++b) {
            largest = std::max(largest, place[b + 1]);
            place[b + 1] += place[b];
        }
        RankKey* const spare = spare_.data();
        for (std::size_t i = 0; i < count; ++i) {
            spare[place[bucket(keys[i], low, scale)]++] = keys[i];
        }
        if (buckets != range) settle(buckets, largest);
        std::copy_n(spare, count, keys);
    }

 private:
    static constexpr std::size_t few = 20;
    static constexpr std::uint32_t crowd = 24;  // more in a bucket are sorted otherwise

    static std::uint64_t bucket(RankKey key, std::uint32_t low, std::uint64_t scale) {
        return ((std::uint64_t{rank_of(key)} - low) * scale) >> 32;
    }
    static bool before(RankKey a, RankKey b) { return rank_of(a) < rank_of(b); }

    static void insertion_sort(RankKey* keys, std::size_t count) {
        for (std::size_t i = 1; i < count; ++i) {
            const RankKey key = keys[i];
            std::size_t j = i;
            for (; j > 0 && before(key, keys[j - 1]); --j) keys[j] = keys[j - 1];
            keys[j] = key;
        }
    }

    // place_[b] is now the end of bucket b.
    void settle(std::uint64_t buckets, std::uint32_t largest) {
        if (largest > crowd) {
            std::uint32_t start = 0;
            for (std::uint64_t b = 0; b < buckets; ++b) {
                const std::uint32_t end = place_[b];
                if (end - start > crowd) {
                    std::stable_sort(spare_.begin() + start, spare_.begin() + end, before);
                }
                start = end;
            }
        }
        insertion_sort(spare_.data(), place_[buckets - 1]);
    }

    std::vector<RankKey> spare_;
    std::vector<std::uint32_t> place_;
};

}  // namespace stylobate::forest
