#include "forest_ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::forest {
namespace {

constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t missing_key = ~std::uint64_t{0};
constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

// Numbers as integers of the same order; both zeros are one, and NaN comes last.
std::uint64_t ordered(double value) {
    if (std::isnan(value)) return missing_key;
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return (bits & top_bit) ? ~bits : bits | top_bit;
}

double number(std::uint64_t key) {
    return std::bit_cast<double>((key & top_bit) ? key & ~top_bit : ~key);
}

// Sorts by key, least digit first; digits that all keys share cost nothing.
void radix_sort(std::vector<RankedColumns::Entry>& entries,
                std::vector<RankedColumns::Entry>& spare) {
    std::uint64_t some = 0, all = ~std::uint64_t{0};
    for (const auto& entry : entries) some |= entry.key, all &= entry.key;
    for (int shift = 0; shift < 64; shift += digit_bits) {
        if ((((some ^ all) >> shift) & (digits - 1)) == 0) continue;
        std::array<std::uint32_t, digits> place{};
        for (const auto& entry : entries) ++place[(entry.key >> shift) & (digits - 1)];
        std::uint32_t before = 0;
        for (std::uint32_t& each : place) before += std::exchange(each, before);
        for (const auto& entry : entries) {
            spare[place[(entry.key >> shift) & (digits - 1)]++] = entry;
        }
        entries.swap(spare);
    }
}

}  // namespace

RankedColumns::RankedColumns(Index rows, Index cols)
    : rows_(rows),
      cols_(cols),
      has_missing_(static_cast<std::size_t>(cols)),
      values_(static_cast<std::size_t>(cols)) {
    if (rows < 1 || cols < 1) throw InvalidArgument("a forest needs rows and columns");
    if (static_cast<std::uint64_t>(rows) > std::numeric_limits<std::int32_t>::max()) {
        throw InvalidArgument("a forest takes at most 2147483647 rows");
    }
    ranks_.resize(static_cast<std::size_t>(rows * cols));
    codes_.resize(ranks_.size());
}

template <class T>
RankedColumns::RankedColumns(const MatrixView<T>& x) : RankedColumns(x.rows, x.cols) {
    rank_columns([&](Index col, std::vector<double>& values) {
        for (Index i = 0; i < rows_; ++i) {
            values[static_cast<std::size_t>(i)] = static_cast<double>(x(i, col));
        }
    });
}

RankedColumns::RankedColumns(const SparseView<double, std::int32_t>& x)
    : RankedColumns(x.minor, x.major) {
    rank_columns([&](Index col, std::vector<double>& values) {
        std::fill(values.begin(), values.end(), 0.0);
        for (Index k = x.offsets[col]; k < x.offsets[col + 1]; ++k) {
            values[static_cast<std::size_t>(x.indices[k])] = x.values[k];
        }
    });
}

template <class Read>
void RankedColumns::rank_columns(const Read& read) {
    parallel_for(cols_, [&](Index col, Checkpoint& checkpoint) {
        const auto n = static_cast<std::size_t>(rows_);
        std::vector<double> values(n);
        read(col, values);
        std::vector<Entry> entries(n), spare(n);
        for (std::size_t i = 0; i < n; ++i) {
            entries[i] = {ordered(values[i]), static_cast<std::uint32_t>(i)};
        }
        checkpoint();
        radix_sort(entries, spare);
        set_ranks(col, entries);
    });
}

void RankedColumns::set_ranks(Index col, const std::vector<Entry>& sorted) {
    const auto at = static_cast<std::size_t>(col), cols = static_cast<std::size_t>(cols_);
    auto& values = values_[at];
    std::uint64_t last = missing_key;
    for (const Entry& entry : sorted) {
        if (entry.key != last && entry.key != missing_key) values.push_back(number(entry.key));
        last = entry.key;
    }
    has_missing_[at] = last == missing_key;
    const std::uint64_t divisor = std::max<std::uint64_t>(values.size(), steps);
    std::uint8_t* const codes = codes_.data() + col * rows_;
    std::size_t rank = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        rank += i > 0 && sorted[i].key != sorted[i - 1].key;
        ranks_[sorted[i].row * cols + at] = static_cast<Rank>(rank);
        codes[sorted[i].row] =
            static_cast<std::uint8_t>(std::min<std::uint64_t>(rank * steps / divisor, steps - 1));
    }
}

template RankedColumns::RankedColumns(const MatrixView<double>&);
template RankedColumns::RankedColumns(const MatrixView<float>&);

}  // namespace stylobate::forest
