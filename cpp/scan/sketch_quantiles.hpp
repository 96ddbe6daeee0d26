// Quantiles of keys with a proved rank error: compactors of k keys in a binary counter.
//
// 2k keys of one weight are sorted and every second one is kept with twice the weight, beginning
// with the first or the second by a coin. The rank of any key is off by 0 or ± the weight each
// time; the coin serves two such steps with opposite sides, so that two of them together are off
// by at most one weight. The errors are independent and of mean 0, hence (Hoeffding)
// P(|error| > t) ≤ 2 exp(−t² / 2V), V the sum of the squared weights over the coins.
// After Agarwal, Cormode, Huang, Phillips, Wei & Yi (2013), Mergeable summaries.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::scan {

class Quantiles {
 public:
    using Key = std::uint64_t;
    static constexpr Index default_k = 1024;

    explicit Quantiles(Index k = default_k, std::uint64_t seed = 0);

    void absorb(const Key* keys, Index n);
    void merge(const Quantiles& other);

    Index k() const { return k_; }
    std::uint64_t seed() const { return seed_; }
    std::int64_t count() const { return count_; }
    bool is_exact() const { return variance_ == 0.0; }
    // V above; 0 where every rank is exact.
    double variance() const { return variance_; }
    Key low() const;
    Key high() const;

    // Keys in order and the weight of each.
    void sorted(std::vector<Key>& keys, std::vector<std::int64_t>& weights) const;

    // Everything as whole numbers, and back; `restored` refuses what could not have been written.
    std::vector<std::uint64_t> state() const;
    static Quantiles restored(const std::uint64_t* state, Index size);

 private:
    struct Coin {
        std::uint64_t tosses = 0;
        bool waits = false;  // one side was used, the other is next
        bool side = false;
    };
    bool toss(Index level);
    void carry(std::vector<Key>&& run, Index level);  // k sorted keys of weight 2^level, level ≥ 1

    Index k_;
    std::uint64_t seed_;
    std::int64_t count_ = 0;
    double variance_ = 0.0;
    Key low_ = ~Key{0}, high_ = 0;          // of what has left the buffer
    std::vector<Key> buffer_;               // fewer than 2k keys of weight 1, in any order
    std::vector<std::vector<Key>> levels_;  // [h]: none or k sorted keys of weight 2^(h+1)
    std::vector<Coin> coins_;               // [h]: of the steps from weight 2^h to 2^(h+1)
};

}  // namespace stylobate::scan
