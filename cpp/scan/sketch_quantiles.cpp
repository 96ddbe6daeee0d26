#include "scan/sketch_quantiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "scan/keys.hpp"
#include "scan/sketch_hash.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

constexpr Index least_k = 8, most_k = 1 << 16, most_levels = 45;

}  // namespace

Quantiles::Quantiles(Index k, std::uint64_t seed) : k_(k), seed_(seed) {
    if (k < least_k || k > most_k)
        throw InvalidArgument("the size k of a quantile sketch must be in [8, 65536]");
}

void Quantiles::absorb(const Key* keys, Index n) {
    const auto full = static_cast<std::size_t>(2 * k_);
    for (Index i = 0; i < n; ++i) {
        low_ = std::min(low_, keys[i]);
        high_ = std::max(high_, keys[i]);
    }
    count_ += n;
    std::vector<Plain<Key>> scratch;
    while (n > 0) {
        const Index room = std::min(n, static_cast<Index>(full - buffer_.size()));
        buffer_.insert(buffer_.end(), keys, keys + room);
        keys += room;
        n -= room;
        if (buffer_.size() < full) return;
        scratch.resize(full);
        static_assert(sizeof(Plain<Key>) == sizeof(Key));
        sort_by_key(reinterpret_cast<Plain<Key>*>(buffer_.data()), scratch.data(), 2 * k_);
        carry(compacted(buffer_.data(), 0), 1);
        buffer_.clear();
    }
}

bool Quantiles::toss(Index level) {
    if (static_cast<Index>(coins_.size()) <= level) coins_.resize(level + 1);
    Coin& coin = coins_[level];
    coin.waits = !coin.waits;
    if (!coin.waits) return !coin.side;
    const auto place = static_cast<std::uint64_t>(level) << 56 ^ coin.tosses++;
    coin.side = (mixed(mixed(seed_ + golden) ^ mixed(place)) & 1) != 0;
    variance_ += std::ldexp(1.0, static_cast<int>(2 * level));
    return coin.side;
}

std::vector<Quantiles::Key> Quantiles::compacted(const Key* sorted, Index level) {
    std::vector<Key> run(k_);
    sorted += toss(level);
    for (Index i = 0; i < k_; ++i) run[i] = sorted[2 * i];
    return run;
}

void Quantiles::carry(std::vector<Key>&& run, Index level) {
    std::vector<Key> both;
    for (;; ++level) {
        if (level > most_levels) throw InvalidArgument("a quantile sketch holds too many values");
        if (static_cast<Index>(levels_.size()) < level) levels_.resize(level);
        std::vector<Key>& place = levels_[level - 1];
        if (place.empty()) {
            place = std::move(run);
            return;
        }
        both.resize(2 * k_);
        std::merge(place.begin(), place.end(), run.begin(), run.end(), both.begin());
        place.clear();
        run = compacted(both.data(), level);
    }
}

void Quantiles::merge(const Quantiles& other) {
    if (k_ != other.k_) throw InvalidArgument("quantile sketches of different sizes k do not merge");
    if (&other == this) return merge(Quantiles(other));
    const double theirs = other.variance_, ours = variance_;
    const std::int64_t count = count_ + other.count_;
    variance_ = 0.0;
    for (std::size_t h = 0; h < other.levels_.size(); ++h)
        if (!other.levels_[h].empty())
            carry(std::vector<Key>(other.levels_[h]), static_cast<Index>(h) + 1);
    absorb(other.buffer_.data(), static_cast<Index>(other.buffer_.size()));
    count_ = count;
    low_ = std::min(low_, other.low_);
    high_ = std::max(high_, other.high_);
    // the coins of the two may be the same ones: their errors add up at worst
    const double sum = std::sqrt(ours) + std::sqrt(theirs) + std::sqrt(variance_);
    variance_ = sum * sum;
}

void Quantiles::sorted(std::vector<Key>& keys, std::vector<std::int64_t>& weights) const {
    std::vector<std::pair<Key, std::int64_t>> all;
    for (const Key key : buffer_) all.emplace_back(key, 1);
    for (std::size_t h = 0; h < levels_.size(); ++h)
        for (const Key key : levels_[h]) all.emplace_back(key, std::int64_t{1} << (h + 1));
    std::sort(all.begin(), all.end());
    keys.clear();
    weights.clear();
    for (const auto& [key, weight] : all) {
        if (!keys.empty() && keys.back() == key) {
            weights.back() += weight;
        } else {
            keys.push_back(key);
            weights.push_back(weight);
        }
    }
}

std::vector<std::uint64_t> Quantiles::state() const {
    std::vector<std::uint64_t> out = {static_cast<std::uint64_t>(k_),
                                      seed_,
                                      static_cast<std::uint64_t>(count_),
                                      std::bit_cast<std::uint64_t>(variance_),
                                      low_,
                                      high_,
                                      coins_.size(),
                                      levels_.size(),
                                      buffer_.size()};
    for (const Coin& coin : coins_)
        out.push_back(coin.tosses << 2 | std::uint64_t{coin.waits} << 1 | std::uint64_t{coin.side});
    for (const auto& level : levels_) out.push_back(level.size());
    for (const auto& level : levels_) out.insert(out.end(), level.begin(), level.end());
    out.insert(out.end(), buffer_.begin(), buffer_.end());
    return out;
}

Quantiles Quantiles::restored(const std::uint64_t* state, Index size) {
    const auto require = [](bool condition) {
        if (!condition) throw InvalidArgument("these are not the numbers of a quantile sketch");
    };
    require(size >= 9 && state[0] <= most_k && state[6] <= most_levels + 1 &&
            state[7] <= most_levels && state[8] < 2 * state[0]);
    Quantiles out(static_cast<Index>(state[0]), state[1]);
    out.count_ = static_cast<std::int64_t>(state[2]);
    out.variance_ = std::bit_cast<double>(state[3]);
    require(out.count_ >= 0 && out.variance_ >= 0.0);
    out.low_ = state[4];
    out.high_ = state[5];
    const std::uint64_t *at = state + 9, *const end = state + size;
    require(static_cast<std::uint64_t>(end - at) >= state[6] + state[7]);
    for (std::uint64_t c = 0; c < state[6]; ++c, ++at)
        out.coins_.push_back({*at >> 2, (*at >> 1 & 1) != 0, (*at & 1) != 0});
    out.levels_.resize(state[7]);
    const std::uint64_t* sizes = at;
    at += state[7];
    std::int64_t weight = static_cast<std::int64_t>(state[8]);
    for (std::uint64_t h = 0; h < state[7]; ++h) {
        require(sizes[h] == 0 || sizes[h] == state[0]);
        require(static_cast<std::uint64_t>(end - at) >= sizes[h]);
        out.levels_[h].assign(at, at + sizes[h]);
        require(std::is_sorted(out.levels_[h].begin(), out.levels_[h].end()));
        at += sizes[h];
        if (sizes[h] > 0) weight += static_cast<std::int64_t>(sizes[h]) << (h + 1);
    }
    require(static_cast<std::uint64_t>(end - at) == state[8] && weight == out.count_);
    out.buffer_.assign(at, end);
    return out;
}

}  // namespace stylobate::scan
