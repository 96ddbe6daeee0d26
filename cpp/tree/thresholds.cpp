#include "tree/thresholds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "stylobate/errors.hpp"

namespace stylobate::tree {
namespace {

constexpr Index most_buckets = 1 << 16;

// The first step of a search by halving among so many.
Index first_step(Index count) {
    return count < 2 ? 1 : static_cast<Index>(std::bit_floor(static_cast<std::size_t>(count)));
}

}  // namespace

// Buckets of equal width; where outliers would leave most of them empty, those at the ends take
// some more.
Thresholds::Thresholds(std::vector<double> values) : values_(std::move(values)) {
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    count_ = static_cast<Index>(values_.size());
    if (count_ > most_thresholds) throw InvalidArgument("a column has too many thresholds");
    longest_ = std::numeric_limits<Index>::max();
    for (const Index trimmed : {Index{0}, count_ / 256, count_ / 32}) {
        std::vector<std::uint16_t> starts;
        RankTable table{};
        const Index longest = divide(trimmed, starts, table);
        if (longest >= longest_) continue;
        longest_ = longest;
        starts_ = std::move(starts);
        low_ = table.low, high_ = table.high, scale_ = table.scale;
        if (longest_ <= 8) break;
    }
    values_.resize(values_.size() + static_cast<std::size_t>(2 * first_step(longest_) + 8),
                   std::numeric_limits<double>::infinity());
}

// Where the buckets start if the ends are `trimmed` thresholds inside; how many the fullest has.
Index Thresholds::divide(Index trimmed, std::vector<std::uint16_t>& starts,
                         RankTable& table) const {
    auto buckets = std::min(most_buckets, static_cast<Index>(std::bit_ceil(values_.size() + 1)));
    if (count_ > 0) {
        table.low = values_[static_cast<std::size_t>(trimmed)];
        table.high = values_[static_cast<std::size_t>(count_ - 1 - trimmed)];
    }
    table.scale = static_cast<double>(buckets - 1) / (table.high - table.low);
    if (!std::isfinite(table.high - table.low) || !std::isfinite(table.scale)) {
        table.low = table.high = table.scale = 0.0;
        buckets = 1;
    }
    starts.assign(static_cast<std::size_t>(buckets), 0);
    Index longest = 0, next = 0;
    for (Index bucket = 0; bucket < buckets; ++bucket) {
        const Index start = next;
        while (next < count_ && table.bucket(values_[static_cast<std::size_t>(next)]) == bucket)
            ++next;
        starts[static_cast<std::size_t>(bucket)] = static_cast<std::uint16_t>(start);
        longest = std::max(longest, next - start);
    }
    return longest;
}

std::uint16_t Thresholds::rank(double threshold) const {
    const auto first =
        values_.begin() + starts_[static_cast<std::size_t>(table().bucket(threshold))];
    return static_cast<std::uint16_t>(std::lower_bound(first, first + longest_, threshold) -
                                      values_.begin());
}

void Thresholds::fetch() const {
    for (std::size_t k = 0; k < starts_.size(); k += 64 / sizeof starts_[0])
        __builtin_prefetch(starts_.data() + k, 0, 2);
    for (std::size_t k = 0; k < values_.size(); k += 64 / sizeof values_[0])
        __builtin_prefetch(values_.data() + k, 0, 2);
}

RankTable Thresholds::table() const {
    return {values_.data(), starts_.data(), low_, high_, scale_, first_step(longest_)};
}

}  // namespace stylobate::tree
