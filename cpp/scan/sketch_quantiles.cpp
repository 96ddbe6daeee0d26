#include "scan/sketch_quantiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "scan/sketch_hash.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

using Key = Quantiles::Key;

// Moves keys that are nearly in place; false after more moves than that is worth.
bool insert_in_order(Key* keys, Index n) {
    Index moves = 16 * n;
    for (Index i = 1; i < n; ++i) {
        const Key key = keys[i];
        Index j = i;
        for (; j > 0 && key < keys[j - 1]; --j) keys[j] = keys[j - 1];
        keys[j] = key;
        moves -= i - j;
        if (moves < 0) return false;
    }
    return true;
}

// By the 32 leading bits among those that vary, a byte at a time; what these do not tell apart is
// put in order afterwards.
void sort_keys(Key* keys, Key* scratch, Index n) {
    constexpr int digits = 4;
    Key varies = 0;
    bool in_order = true;
    for (Index i = 1; i < n; ++i) {
        varies |= keys[i] ^ keys[0];
        in_order &= keys[i - 1] <= keys[i];
    }
    if (in_order) return;
    const int shift = std::max(0, static_cast<int>(std::bit_width(varies)) - 8 * digits);
    std::uint32_t counts[digits][256] = {};
    for (Index i = 0; i < n; ++i)
        for (int d = 0; d < digits; ++d) ++counts[d][keys[i] >> (shift + 8 * d) & 255];
    Key *from = keys, *to = scratch;
    for (int d = 0; d < digits; ++d) {
        if ((varies >> (shift + 8 * d) & 255) == 0) continue;
        std::uint32_t sum = 0;
        for (std::uint32_t& count : counts[d]) sum += std::exchange(count, sum);
        for (Index i = 0; i < n; ++i) to[counts[d][from[i] >> (shift + 8 * d) & 255]++] = from[i];
        std::swap(from, to);
    }
    if (from != keys) std::copy(from, from + n, keys);
    if (shift > 0 && !insert_in_order(keys, n)) std::sort(keys, keys + n);
}

// Every second of two sorted runs of k keys merged, without branches that cannot be foreseen.
void merge_every_second(const Key* a, const Key* b, Index k, bool second, Key* out) {
    Index i = 0, j = 0, written = 0;
    const auto step = [&] {
        const Key x = a[i], y = b[j];
        const bool first = x <= y;
        i += first;
        j += !first;
        return first ? x : y;
    };
    for (; i + 1 < k && j + 1 < k; ++written) {
        const Key one = step(), two = step();
        out[written] = second ? two : one;
    }
    for (Index rank = 2 * written; i < k || j < k; ++rank) {
        const bool first = j == k || (i < k && a[i] <= b[j]);
        const Key key = first ? a[i++] : b[j++];
        if ((rank & 1) == static_cast<Index>(second)) out[written++] = key;
    }
}

constexpr Index least_k = 8, most_k = 1 << 16, most_levels = 45;

}  // namespace

Quantiles::Quantiles(Index k, std::uint64_t seed) : k_(k), seed_(seed) {
    if (k < least_k || k > most_k)
        throw InvalidArgument("the size k of a quantile sketch must be in [8, 65536]");
}

void Quantiles::absorb(const Key* keys, Index n) {
    const auto full = static_cast<std::size_t>(2 * k_);
    count_ += n;
    std::vector<Key> scratch;
    while (n > 0) {
        const Index room = std::min(n, static_cast<Index>(full - buffer_.size()));
        buffer_.insert(buffer_.end(), keys, keys + room);
        keys += room;
        n -= room;
        if (buffer_.size() < full) return;
        scratch.resize(full);
        sort_keys(buffer_.data(), scratch.data(), 2 * k_);
        low_ = std::min(low_, buffer_.front());
        high_ = std::max(high_, buffer_.back());
        std::vector<Key> run(k_);
        const Key* const from = buffer_.data() + toss(0);
        for (Index i = 0; i < k_; ++i) run[i] = from[2 * i];
        carry(std::move(run), 1);
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

Quantiles::Key Quantiles::low() const {
    Key out = low_;
    for (const Key key : buffer_) out = std::min(out, key);
    return out;
}

Quantiles::Key Quantiles::high() const {
    Key out = high_;
    for (const Key key : buffer_) out = std::max(out, key);
    return out;
}

void Quantiles::carry(std::vector<Key>&& run, Index level) {
    for (;; ++level) {
        if (level > most_levels) throw InvalidArgument("a quantile sketch holds too many values");
        if (static_cast<Index>(levels_.size()) < level) levels_.resize(level);
        std::vector<Key>& place = levels_[level - 1];
        if (place.empty()) {
            place = std::move(run);
            return;
        }
        std::vector<Key> half(k_);
        merge_every_second(place.data(), run.data(), k_, toss(level), half.data());
        place.clear();
        run = std::move(half);
    }
}

void Quantiles::merge(const Quantiles& other) {
    if (k_ != other.k_)
        throw InvalidArgument("quantile sketches of different sizes k do not merge");
    if (&other == this) return merge(Quantiles(other));
    const std::int64_t count = count_ + other.count_;
    for (std::size_t h = 0; h < other.levels_.size(); ++h)
        if (!other.levels_[h].empty())
            carry(std::vector<Key>(other.levels_[h]), static_cast<Index>(h) + 1);
    absorb(other.buffer_.data(), static_cast<Index>(other.buffer_.size()));
    count_ = count;
    low_ = std::min(low_, other.low_);
    high_ = std::max(high_, other.high_);  // those of the buffer are there
    // the other's coins may be the same as ours: at worst the errors of the two add up
    const double sum = std::sqrt(variance_) + std::sqrt(other.variance_);
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
