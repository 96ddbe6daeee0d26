#include "scan/counting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index chunk_rows = Index{1} << 16;
constexpr Index sample_rows = 512;
constexpr Index small_table = 1024;  // cells of which the first-level cache holds several copies
constexpr Index copies = 4;          // rows alike in a row would wait for each other's addition

template <class T>
bool is_whole(T label) {
    if constexpr (std::is_floating_point_v<T>)
        return label == std::floor(label) && std::fabs(label) < T(9e18);
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return label <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    else
        return true;
}

struct Range {
    bool whole = true;
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();

    template <class T>
    void see(T label) {
        if (!is_whole(label)) {
            whole = false;
            return;
        }
        low = std::min(low, static_cast<std::int64_t>(label));
        high = std::max(high, static_cast<std::int64_t>(label));
    }
    void see(const Range& other) {
        whole = whole && other.whole;
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
    // Of a table that would hold the range, or 0 if it is wider than allowed.
    Index width(Index most) const {
        const auto apart = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        return apart < static_cast<std::uint64_t>(most) ? static_cast<Index>(apart) + 1 : 0;
    }
};

Index chunks_of(Index n, Index chunk) {
    return (n + chunk - 1) / chunk;
}

template <class T>
Range sampled_range(const T* a, const T* b, Index n) {
    Range range;
    const Index step = std::max<Index>(1, n / sample_rows);
    for (Index i = 0; i < n; i += step) {
        range.see(a[i]);
        range.see(b[i]);
    }
    return range;
}

template <class T>
Range full_range(const T* a, const T* b, Index n) {
    std::vector<Range> parts(chunks_of(n, chunk_rows));
    parallel_for(static_cast<Index>(parts.size()), [&](Index c, Checkpoint&) {
        Range range;
        for (Index i = c * chunk_rows; i < std::min(n, (c + 1) * chunk_rows); ++i) {
            range.see(a[i]);
            range.see(b[i]);
        }
        parts[c] = range;
    });
    Range range;
    for (const Range& part : parts) range.see(part);
    return range;
}

// The place of a label in the table; width or more if it is outside (or no whole number).
template <class T>
std::uint64_t place(T label, std::int64_t low) {
    if constexpr (std::is_floating_point_v<T>) {
        const T shifted = label - static_cast<T>(low);
        // NaN and what is far outside compare false; a whole number comes back as it went
        if (!(shifted >= T(0) && shifted < T(65536))) return ~std::uint64_t{0};
        const auto whole = static_cast<std::uint64_t>(shifted);
        return static_cast<T>(whole) == shifted ? whole : ~std::uint64_t{0};
    } else {
        return static_cast<std::uint64_t>(label) - static_cast<std::uint64_t>(low);
    }
}

// Adds rows [0, n) to `tables` interleaved copies of a table; false if a label is outside.
template <class T, bool weighted>
bool count_rows(const T* a, const T* b, const double* weights, Index n, std::int64_t low,
                Index width, Index tables, std::uint32_t* rows, double* sums) {
    const auto w = static_cast<std::uint64_t>(width);
    const std::uint64_t size = w * w, mask = static_cast<std::uint64_t>(tables - 1);
    bool inside = true;
    for (Index i = 0; i < n; ++i) {
        const std::uint64_t at = place(a[i], low), bt = place(b[i], low);
        if (at >= w || bt >= w) {
            inside = false;
            break;
        }
        const std::uint64_t cell = at * w + bt + (static_cast<std::uint64_t>(i) & mask) * size;
        ++rows[cell];
        if constexpr (weighted) sums[cell] += weights[i];
    }
    return inside;
}

template <class T>
bool count_in(const T* a, const T* b, const double* weights, Index n, PairCounts& out) {
    const Index size = out.width * out.width, tables = size <= small_table ? copies : 1;
    // a chunk's table is emptied and added up: far less than the rows it counts
    const Index chunk = std::max(chunk_rows, 8 * size), chunks = chunks_of(n, chunk);
    std::vector<std::uint32_t> rows(chunks * size, 0);
    std::vector<double> sums(weights == nullptr ? 0 : chunks * size, 0.0);
    std::vector<char> inside(chunks, 1);
    parallel_for(chunks, [&](Index c, Checkpoint&) {
        const Index first = c * chunk, count = std::min(chunk, n - first);
        std::vector<std::uint32_t> local(tables * size, 0);
        std::vector<double> local_sums(weights == nullptr ? 0 : tables * size, 0.0);
        inside[c] = weights == nullptr
                        ? count_rows<T, false>(a + first, b + first, nullptr, count, out.low,
                                               out.width, tables, local.data(), nullptr)
                        : count_rows<T, true>(a + first, b + first, weights + first, count, out.low,
                                              out.width, tables, local.data(), local_sums.data());
        for (Index t = 0; t < tables; ++t)
            for (Index s = 0; s < size; ++s) {
                rows[c * size + s] += local[t * size + s];
                if (weights != nullptr) sums[c * size + s] += local_sums[t * size + s];
            }
    });
    if (std::find(inside.begin(), inside.end(), 0) != inside.end()) return false;
    out.rows.assign(size, 0);
    out.weights.assign(weights == nullptr ? 0 : size, 0.0);
    for (Index c = 0; c < chunks; ++c)
        for (Index s = 0; s < size; ++s) {
            out.rows[s] += rows[c * size + s];
            if (weights != nullptr) out.weights[s] += sums[c * size + s];
        }
    return true;
}

}  // namespace

template <class T>
PairCounts count_pairs(const T* a, const T* b, const double* weights, Index n, Index most_width) {
    PairCounts out;
    if (n == 0) return out;
    for (const bool guess : {true, false}) {
        const Range range = guess ? sampled_range(a, b, n) : full_range(a, b, n);
        out.whole = range.whole;
        if (!range.whole) return out;
        out.low = range.low;
        out.width = range.width(most_width);
        if (out.width == 0) {
            if (std::is_floating_point_v<T> && guess) continue;  // are all of them whole?
            return out;
        }
        out.counted = count_in(a, b, weights, n, out);
        if (out.counted) return out;
    }
    return out;
}

template <class T>
std::optional<std::pair<T, T>> two_values(const T* labels, Index n, std::uint8_t* greater) {
    if (n == 0 || labels[0] != labels[0]) return std::nullopt;
    Index other = 1;
    while (other < n && labels[other] == labels[0]) ++other;
    if (other == n) {
        std::fill(greater, greater + n, std::uint8_t{0});
        return std::pair{labels[0], labels[0]};
    }
    const T low = std::min(labels[0], labels[other]), high = std::max(labels[0], labels[other]);
    std::vector<char> known(chunks_of(n, chunk_rows));
    parallel_for(static_cast<Index>(known.size()), [&](Index c, Checkpoint&) {
        const Index first = c * chunk_rows, count = std::min(chunk_rows, n - first);
        const T* const from = labels + first;
        std::uint8_t* const to = greater + first;
        Index strange = 0;
        for (Index i = 0; i < count; ++i) {
            to[i] = from[i] == high;
            strange += !((from[i] == high) | (from[i] == low));
        }
        known[c] = strange == 0;
    });
    if (std::find(known.begin(), known.end(), 0) != known.end()) return std::nullopt;
    return std::pair{low, high};
}

#define STYLOBATE_LABELS(T)                                                           \
    template PairCounts count_pairs(const T*, const T*, const double*, Index, Index); \
    template std::optional<std::pair<T, T>> two_values(const T*, Index, std::uint8_t*);
STYLOBATE_LABELS(std::int64_t)
STYLOBATE_LABELS(std::int32_t)
STYLOBATE_LABELS(std::int16_t)
STYLOBATE_LABELS(std::int8_t)
STYLOBATE_LABELS(std::uint64_t)
STYLOBATE_LABELS(std::uint32_t)
STYLOBATE_LABELS(std::uint16_t)
STYLOBATE_LABELS(std::uint8_t)
STYLOBATE_LABELS(double)
STYLOBATE_LABELS(float)
#undef STYLOBATE_LABELS

}  // namespace stylobate::scan
