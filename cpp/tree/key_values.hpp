// The values of a column's keys, and which key a threshold lies at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tree {

// Ascending values. Buckets of equal width say where to look: a threshold is found among the few
// values of its bucket, not by halving all of them, each half a guess of the processor.
class KeyValues {
 public:
    KeyValues() = default;
    explicit KeyValues(std::vector<double> values) : values_(std::move(values)) {
        const Index n = static_cast<Index>(values_.size()), buckets = n / 2 + 1;
        if (n > 0) low_ = values_.front();
        if (n > 1 && values_.back() > low_)
            scale_ = static_cast<double>(buckets) / (values_.back() - low_);
        last_ = buckets - 1;
        starts_.assign(static_cast<std::size_t>(buckets) + 1, static_cast<std::uint32_t>(n));
        for (Index key = n; key-- > 0;)
            starts_[bucket(values_[static_cast<std::size_t>(key)])] =
                static_cast<std::uint32_t>(key);
        for (std::size_t b = static_cast<std::size_t>(buckets); b-- > 0;)
            starts_[b] = std::min(starts_[b], starts_[b + 1]);
    }

    double operator[](std::size_t key) const { return values_[key]; }

    // The largest key from `low` on whose value is not above a threshold; that of `low` is not,
    // that of `high` is.
    std::size_t last_up_to(std::size_t low, std::size_t high, double threshold) const {
        const std::size_t here = bucket(threshold);
        std::size_t begin = std::max<std::size_t>(low, starts_[here]);
        std::size_t end = std::min<std::size_t>(high, starts_[here + 1]);
        while (end > begin + few) {
            const std::size_t middle = begin + (end - begin) / 2;
            if (values_[middle] <= threshold)
                begin = middle + 1;
            else
                end = middle;
        }
        while (begin < end && values_[begin] <= threshold) ++begin;
        return begin - 1;
    }

 private:
    static constexpr std::size_t few = 8;

    // Never less for a larger value, which is all that finding one needs of it.
    std::size_t bucket(double value) const {
        const double place = (value - low_) * scale_;
        if (!(place > 0.0)) return 0;  // not a number, too, where values are infinitely far apart
        return place < static_cast<double>(last_) ? static_cast<std::size_t>(place)
                                                  : static_cast<std::size_t>(last_);
    }

    std::vector<double> values_;
    std::vector<std::uint32_t> starts_;  // of each bucket, the first key in it or after it
    double low_ = 0.0, scale_ = 0.0;
    Index last_ = 0;
};

}  // namespace stylobate::tree
