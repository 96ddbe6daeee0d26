#include "tree/bins.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"
#include "tree/kernels.hpp"
#include "tree/sorting.hpp"

namespace stylobate::boost {
namespace {

void sort_together(std::vector<double>& values, std::vector<double>& weights) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> v(values.size()), w(values.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        v[k] = values[order[k]];
        w[k] = weights[order[k]];
    }
    values.swap(v);
    weights.swap(w);
}

// Midpoints of the distinct values, or nothing if there are more than max_bins.
bool midpoints(const std::vector<double>& sorted, Index max_bins, std::vector<double>& edges) {
    Index distinct = 1;
    for (std::size_t k = 1; k < sorted.size(); ++k) distinct += sorted[k] != sorted[k - 1];
    if (distinct > max_bins) return false;
    for (std::size_t k = 1; k < sorted.size(); ++k)
        if (sorted[k] != sorted[k - 1]) {
            // halves first: the sum of two large numbers may overflow
            const double middle = 0.5 * sorted[k - 1] + 0.5 * sorted[k];
            edges.push_back(middle < sorted[k] ? middle : sorted[k - 1]);
        }
    return true;
}

std::vector<double> quantiles(const std::vector<double>& sorted, Index max_bins) {
    const auto n = static_cast<double>(sorted.size());
    std::vector<double> cuts;
    const double step = 100.0 / static_cast<double>(max_bins);
    for (Index k = 1; k < max_bins; ++k) {
        const double place = std::max(n * (static_cast<double>(k) * step / 100.0) - 1.0, 0.0);
        const auto at = static_cast<std::size_t>(place);
        const std::size_t next = std::min(at + 1, sorted.size() - 1);
        const bool between = place == std::floor(place);
        cuts.push_back(between ? 0.5 * sorted[at] + 0.5 * sorted[next] : sorted[next]);
    }
    return cuts;
}

std::vector<double> weighted_quantiles(const std::vector<double>& sorted,
                                       const std::vector<double>& weights, Index max_bins) {
    std::vector<double> height(weights.size());
    std::partial_sum(weights.begin(), weights.end(), height.begin());
    std::vector<double> cuts;
    for (Index k = 1; k < max_bins; ++k) {
        const double rank = height.back() * static_cast<double>(k) / static_cast<double>(max_bins);
        const auto found = std::lower_bound(height.begin(), height.end(), rank);
        const auto at =
            std::min(static_cast<std::size_t>(found - height.begin()), sorted.size() - 1);
        const std::size_t next = std::min(at + 1, sorted.size() - 1);
        const bool between = std::abs(height[at] - rank) <= 1e-12 * height.back();
        cuts.push_back(between ? 0.5 * sorted[at] + 0.5 * sorted[next] : sorted[at]);
    }
    return cuts;
}

}  // namespace

std::vector<double> bin_edges(std::vector<double>& values, std::vector<double>& weights,
                              Index max_bins) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (std::isnan(values[k]) || (!weights.empty() && weights[k] == 0.0)) continue;
        if (!weights.empty()) weights[kept] = weights[k];
        values[kept++] = values[k];
    }
    values.resize(kept);
    if (!weights.empty()) weights.resize(kept);
    std::vector<double> edges;
    if (kept == 0) return edges;
    if (weights.empty())
        sort_numbers(values);
    else
        sort_together(values, weights);
    if (!midpoints(values, max_bins, edges))
        edges = weights.empty() ? quantiles(values, max_bins)
                                : weighted_quantiles(values, weights, max_bins);
    // an infinite edge would put numbers and what is missing on one side
    for (double& edge : edges) edge = std::min(edge, std::numeric_limits<double>::max());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

Index Bins::count(Index f) const {
    const auto& codes = bin_of_code[static_cast<std::size_t>(f)];
    if (codes.empty()) return static_cast<Index>(edges[static_cast<std::size_t>(f)].size()) + 1;
    return *std::max_element(codes.begin(), codes.end()) + 1;
}

std::vector<Index> rows_of_sample(Index n, Index sample, std::uint64_t seed) {
    const Index count = std::min(sample, n);
    std::vector<Index> rows(static_cast<std::size_t>(count));
    const Philox random(seed, 0x62696e73);
    for (Index k = 0; k < count; ++k) {
        const Index from = n / count * k + n % count * k / count;
        const Index to = n / count * (k + 1) + n % count * (k + 1) / count;
        const double u = count == n ? 0.0 : random.uniform(static_cast<std::uint64_t>(k));
        rows[static_cast<std::size_t>(k)] =
            std::min(from + static_cast<Index>(u * static_cast<double>(to - from)), n - 1);
    }
    return rows;
}

template <class T>
std::vector<std::vector<double>> find_edges(const MatrixView<T>& x, const double* weights,
                                            const std::vector<bool>& categorical, Index max_bins,
                                            Index sample, std::uint64_t seed) {
    const std::vector<Index> rows = rows_of_sample(x.rows, sample, seed);
    const auto count = static_cast<Index>(rows.size());
    std::vector<double> chosen;
    if (weights != nullptr)
        for (const Index row : rows) chosen.push_back(weights[row]);
    std::vector<std::vector<double>> edges(static_cast<std::size_t>(x.cols));
    // a row's entries lie side by side: it is read once for many columns
    for (Index first = 0; first < x.cols; first += block_features) {
        const Index width = std::min(block_features, x.cols - first);
        std::vector<std::vector<double>> columns(static_cast<std::size_t>(width));
        for (auto& column : columns) column.resize(rows.size());
        parallel_for(chunks_of(count, chunk_rows), [&](Index chunk, Checkpoint& checkpoint) {
            checkpoint();
            const Range range = chunk_of(chunk, count, chunk_rows);
            for (Index k = range.begin; k < range.end; ++k)
                for (Index f = 0; f < width; ++f)
                    columns[static_cast<std::size_t>(f)][static_cast<std::size_t>(k)] =
                        static_cast<double>(x(rows[static_cast<std::size_t>(k)], first + f));
        });
        parallel_for(width, [&](Index f, Checkpoint& checkpoint) {
            checkpoint();
            const auto at = static_cast<std::size_t>(first + f);
            std::vector<double> w = chosen;
            if (!categorical[at])
                edges[at] = bin_edges(columns[static_cast<std::size_t>(f)], w, max_bins);
        });
    }
    return edges;
}

namespace {

// One column's search: its edges padded to a power of two less one, or the table of its codes.
class ColumnSearch {
 public:
    ColumnSearch(const Bins& bins, Index f)
        : codes_(bins.bin_of_code[static_cast<std::size_t>(f)]),
          edges_(bins.edges[static_cast<std::size_t>(f)]),
          missing_(static_cast<Bin>(bins.count(f))) {
        step_ = static_cast<Index>(std::bit_ceil(edges_.size() + 1)) / 2;
        edges_.resize(static_cast<std::size_t>(2 * step_), std::numeric_limits<double>::infinity());
    }
    Bin missing() const { return missing_; }
    void operator()(const double* x, Index n, Bin* out) const {
        if (codes_.empty()) {
            tree::kernels().find_bins(x, n, edges_.data(), step_, missing_, out);
            return;
        }
        const auto known = static_cast<double>(codes_.size());
        for (Index i = 0; i < n; ++i)  // other codes, and NaN, are missing
            out[i] =
                x[i] >= 0.0 && x[i] < known ? codes_[static_cast<std::size_t>(x[i])] : missing_;
    }

 private:
    std::vector<Bin> codes_;
    std::vector<double> edges_;
    Bin missing_;
    Index step_;
};

}  // namespace

BinnedRows::BinnedRows(Index rows, const Bins& bins, const std::string& folder)
    : rows_(rows), columns_(area(rows, bins.features()) + 16, folder) {
    const Index cols = bins.features();
    for (Index f = 0; f < cols; ++f) {
        counts_.push_back(bins.count(f));
        categorical_.push_back(bins.categorical(f));
    }
    missing_.assign(static_cast<std::size_t>(cols), 0);
    for (Index first = 0; first < cols; first += block_features) {
        const Index count = std::min(block_features, cols - first);
        const Index stride = count == 1 ? 1 : (count + 7) / 8 * 8;
        blocks_.push_back({first, count, stride, Array<Bin>(area(rows_, stride), folder)});
    }
}

template <class T>
BinnedRows::BinnedRows(const MatrixView<T>& x, const Bins& bins) : BinnedRows(x.rows, bins, {}) {
    fill(x, bins, 0);
}

template <class T>
void BinnedRows::fill(const MatrixView<T>& x, const Bins& bins, Index first) {
    std::vector<ColumnSearch> searches;
    for (Index f = 0; f < x.cols; ++f) searches.emplace_back(bins, f);
    constexpr Index length = 1024;  // rows whose numbers stay in the cache while columns are read
    const Index chunks = chunks_of(x.rows, length);
    std::vector<std::vector<std::uint8_t>> seen(static_cast<std::size_t>(chunks));
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        checkpoint();
        const Range range = chunk_of(chunk, x.rows, length);
        auto& lost = seen[static_cast<std::size_t>(chunk)];
        lost.assign(counts_.size(), 0);
        double values[length];
        for (Block& block : blocks_)
            for (Index k = 0; k < block.count; ++k) {
                const Index f = block.first + k;
                for (Index i = 0; i < range.size(); ++i)
                    values[i] = static_cast<double>(x(range.begin + i, f));
                Bin* const out = columns_.data() + f * rows_ + first + range.begin;
                const ColumnSearch& search = searches[static_cast<std::size_t>(f)];
                search(values, range.size(), out);
                Bin* const row = block.bins.data() + (first + range.begin) * block.stride + k;
                Bin any = 0;
                for (Index i = 0; i < range.size(); ++i) {
                    row[i * block.stride] = out[i];
                    any |= static_cast<Bin>(out[i] == search.missing());
                }
                lost[static_cast<std::size_t>(f)] = any;
            }
    });
    for (const auto& lost : seen)
        for (std::size_t f = 0; f < lost.size(); ++f) missing_[f] |= lost[f];
    let_go();
}

template std::vector<std::vector<double>> find_edges(const MatrixView<double>&, const double*,
                                                     const std::vector<bool>&, Index, Index,
                                                     std::uint64_t);
template std::vector<std::vector<double>> find_edges(const MatrixView<float>&, const double*,
                                                     const std::vector<bool>&, Index, Index,
                                                     std::uint64_t);
template BinnedRows::BinnedRows(const MatrixView<double>&, const Bins&);
template BinnedRows::BinnedRows(const MatrixView<float>&, const Bins&);
template void BinnedRows::fill(const MatrixView<double>&, const Bins&, Index);
template void BinnedRows::fill(const MatrixView<float>&, const Bins&, Index);

}  // namespace stylobate::boost
