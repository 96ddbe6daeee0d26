#include "scan/moments.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index block_rows = 192;             // rows per packed block: its tiles live in L1 and L2
constexpr Index probe_rows = 64;              // rows whose mean is the provisional centre
constexpr Index small_state_bytes = 1 << 17;  // a state that stays in cache while it is merged
constexpr Index small_unit_rows = 2048;       // a unit: the rows one chunk of the loop absorbs,
constexpr Index large_unit_rows = 8192;       // enough to pay for merging its state
constexpr Index max_units = 256;              // all units' states are kept until merged in order …
constexpr Index max_state_bytes = 1 << 25;    // … within this much memory
constexpr Index wide_columns = 640;           // beyond this, cut the product and not the rows

// Sums of √w[z − s, 1] products about a centre s: everything moments need, before they are centred.
// Row j of `sums` holds Σ w (z − s)ᵢ (z − s)ⱼ for i ≤ j; its last row the plain sums and Σw.
struct Sums {
    explicit Sums(Index cols)
        : q(cols - 1), ld(padded_stride(cols)), sums(area(cols, ld)), center(q), low(q) {}
    Index q, ld;
    Buffer sums;  // first, as the largest: what is too much is refused before memory is touched
    Buffer center, low;  // the centre is center + low: a large mean keeps its digits

    double weight() const { return sums[q * ld + q]; }
    double offset(Index i) const { return weight() > 0.0 ? sums[q * ld + i] / weight() : 0.0; }

    // Move the centre to the mean: S = Σ w(z−s)(z−s)ᵀ − n d dᵀ, d = mean − s.
    void recentre() {
        Buffer& d = low;
        for (Index i = 0; i < q; ++i) d[i] = offset(i);
        constexpr Index group = 64;
        parallel_for((q + group - 1) / group, [&](Index g, Checkpoint&) {
            for (Index j = g * group; j < std::min(q, (g + 1) * group); ++j) {
                const double scale = weight() * d[j];
                for (Index i = 0; i <= j; ++i) sums[j * ld + i] -= scale * d[i];
            }
        });
        for (Index j = 0; j < q; ++j) sums[q * ld + j] = 0.0;
    }

    // Chan, Golub & LeVeque (1979): S = S₁ + S₂ + n₁n₂/(n₁+n₂) δδᵀ; both recentred.
    void merge(Sums& other) {
        const double n1 = weight(), n2 = other.weight(), n = n1 + n2;
        if (n2 == 0.0) return;
        if (n1 == 0.0) return std::swap(*this, other);
        const double cross = n1 * (n2 / n), share = n2 / n;
        Buffer delta(q);
        for (Index j = 0; j < q; ++j)
            delta[j] = (other.center[j] - center[j]) + (other.low[j] - low[j]);
        for (Index j = 0; j < q; ++j) {
            const double scale = cross * delta[j];
            for (Index i = 0; i <= j; ++i)
                sums[j * ld + i] += other.sums[j * ld + i] + scale * delta[i];
            low[j] += share * delta[j];
        }
        sums[q * ld + q] = n;
    }
};

// The mean of the first rows that have a weight: near enough to the true one to keep the digits.
// Taken about the first of them, so that a constant column is centred exactly and its scatter is
// exactly 0.
template <class Features>
void probe(const Rows<Features>& rows, Index first, Index last, double* block, Sums& state) {
    while (first < last && rows.weight(first) == 0.0) ++first;
    if (first == last) return;
    const Index count = std::min(probe_rows, last - first), q = state.q, ld = state.ld;
    rows.values(first, 1, state.center.data(), block, ld);
    std::copy(block, block + q, state.center.data());
    rows.values(first, count, state.center.data(), block, ld);
    double total = 0.0;
    for (Index k = 0; k < count; ++k) total += rows.weight(first + k);
    for (Index j = 0; j < q; ++j) {
        double sum = 0.0;
        for (Index k = 0; k < count; ++k) sum += rows.weight(first + k) * block[k * ld + j];
        state.center[j] += sum / total;
    }
}

template <class Features>
void absorb(const Rows<Features>& rows, Index first, Index last, Sums& state,
            Checkpoint& checkpoint) {
    Buffer block(area(block_rows, state.ld));
    probe(rows, first, last, block.data(), state);
    for (Index at = first; at < last; at += block_rows) {
        checkpoint();
        const Index count = std::min(block_rows, last - at);
        rows.pack(at, count, state.center.data(), block.data(), state.ld);
        const Range next = rows.range(at + count, std::min(block_rows, last - at - count));
        kernels().gram(block.data(), count, state.ld, 0, state.q + 1, state.sums.data(), state.ld,
                       next.at, next.bytes);
    }
    state.recentre();
}

// How rows are cut into units, each with its own sums, that are merged in order.
struct Units {
    Units(Index cols, Index rows) {
        state_bytes = cols * padded_stride(cols) * static_cast<Index>(sizeof(double));
        const Index most = std::clamp(max_state_bytes / state_bytes, Index{8}, max_units);
        const Index even = state_bytes <= small_state_bytes ? small_unit_rows : large_unit_rows;
        size = std::max(even, (rows + most - 1) / most);
        count = (rows + size - 1) / size;
    }
    Index state_bytes, size, count;
};

// The sums of some parts; all their units are handed out together.
template <class Features>
std::vector<Sums> tall(const Rows<Features>& rows, const Part* parts, Index n_parts) {
    struct Unit {
        Index part, first, last;
    };
    std::vector<Unit> units;
    std::vector<Index> firsts{0};  // units of each part
    for (Index k = 0; k < n_parts; ++k) {
        const Part part = parts[k];
        const Units cut(rows.cols(), part.last - part.first);
        for (Index at = part.first; at < part.last; at += cut.size)
            units.push_back({k, at, std::min(part.last, at + cut.size)});
        firsts.push_back(static_cast<Index>(units.size()));
    }
    std::vector<Sums> states;
    states.reserve(units.size());
    for (std::size_t u = 0; u < units.size(); ++u) states.emplace_back(rows.cols());
    parallel_for(static_cast<Index>(units.size()), [&](Index u, Checkpoint& checkpoint) {
        absorb(rows, units[u].first, units[u].last, states[u], checkpoint);
    });
    for (Index k = 0; k < n_parts; ++k)
        for (Index u = firsts[k] + 1; u < firsts[k + 1]; ++u) states[firsts[k]].merge(states[u]);
    std::vector<Sums> merged;
    merged.reserve(n_parts);
    for (Index k = 0; k < n_parts; ++k) merged.push_back(std::move(states[firsts[k]]));
    return merged;
}

// Many columns: one state, block after block; its column groups are computed side by side.
template <class Features>
Sums wide(const Rows<Features>& rows, Part part) {
    const Index cols = rows.cols();
    constexpr Index group = 64;
    const Index n_groups = (cols + group - 1) / group;
    Sums state(cols);
    Buffer block(area(block_rows, state.ld));
    probe(rows, part.first, part.last, block.data(), state);
    for (Index at = part.first; at < part.last; at += block_rows) {
        const Index count = std::min(block_rows, part.last - at);
        constexpr Index slice = 16;
        parallel_for((count + slice - 1) / slice, [&](Index s, Checkpoint&) {
            rows.pack(at + s * slice, std::min(slice, count - s * slice), state.center.data(),
                      block.data() + s * slice * state.ld, state.ld);
        });
        parallel_for(n_groups, [&](Index g, Checkpoint& checkpoint) {
            checkpoint();
            const Index j0 = (n_groups - 1 - g) * group;  // the longest first
            kernels().gram(block.data(), count, state.ld, j0, std::min(cols, j0 + group),
                           state.sums.data(), state.ld, nullptr, 0);
        });
    }
    state.recentre();
    return state;
}

// Both halves of the square from the lower one, in blocks: whole columns would miss the cache.
void mirror(const Sums& state, double* out) {
    constexpr Index side = 64;
    const Index q = state.q;
    parallel_for((q + side - 1) / side, [&](Index g, Checkpoint& checkpoint) {
        const Index j0 = g * side, j1 = std::min(q, j0 + side);
        for (Index i0 = 0; i0 < j1; i0 += side) {
            checkpoint();
            for (Index j = j0; j < j1; ++j)
                for (Index i = i0; i < std::min(i0 + side, j + 1); ++i)
                    out[i * q + j] = out[j * q + i] = state.sums[j * state.ld + i];
        }
    });
}

template <class Features>
Moments finished(const Rows<Features>& rows, Part part, const Sums& sums) {
    Moments result;
    const Index q = sums.q;
    result.n_rows = rows.count_positive(part.first, part.last);
    result.weight = sums.weight();
    result.mean.resize(q);
    for (Index j = 0; j < q; ++j) result.mean[j] = sums.center[j] + sums.low[j];
    result.scatter.resize(area(q, q));
    mirror(sums, result.scatter.data());
    return result;
}

}  // namespace

template <class Features>
std::vector<Moments> moments_of_parts(const Rows<Features>& rows, const std::vector<Part>& parts) {
    std::vector<Moments> results(parts.size());
    const auto count = static_cast<Index>(parts.size());
    const Index q = rows.cols() - 1;
    for (Index k = 0; k < count;) {
        if (parts[k].first == parts[k].last) {
            results[k].scatter.assign(area(q, q), 0.0);
            results[k++].mean.assign(q, 0.0);
            continue;
        }
        if (rows.cols() > wide_columns) {
            results[k] = finished(rows, parts[k], wide(rows, parts[k]));
            ++k;
            continue;
        }
        // as many parts at once as keep the states of their units within the memory they may take
        Index end = k, bytes = 0;
        for (; end < count && parts[end].first < parts[end].last; ++end) {
            const Units units(rows.cols(), parts[end].last - parts[end].first);
            bytes += units.count * units.state_bytes;
            if (end > k && bytes > max_state_bytes) break;
        }
        const std::vector<Sums> sums = tall(rows, parts.data() + k, end - k);
        for (Index i = k; i < end; ++i) results[i] = finished(rows, parts[i], sums[i - k]);
        k = end;
    }
    return results;
}

template <class Features>
Moments moments(const Rows<Features>& rows) {
    return std::move(moments_of_parts(rows, {{0, rows.count()}})[0]);
}

#define STYLOBATE_INSTANTIATE(...)                                           \
    template Moments moments(const Rows<__VA_ARGS__>&);                      \
    template std::vector<Moments> moments_of_parts(const Rows<__VA_ARGS__>&, \
                                                   const std::vector<Part>&);
STYLOBATE_INSTANTIATE(DenseFeatures<double>)
STYLOBATE_INSTANTIATE(DenseFeatures<float>)
STYLOBATE_INSTANTIATE(SparseFeatures<double, std::int32_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<double, std::int64_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<float, std::int32_t>)
STYLOBATE_INSTANTIATE(SparseFeatures<float, std::int64_t>)
#undef STYLOBATE_INSTANTIATE

}  // namespace stylobate::scan
