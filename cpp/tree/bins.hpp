// Columns cut into at most 255 bins and one for missing values: what histograms count in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "stylobate/views.hpp"
#include "tree/memory.hpp"

namespace stylobate::boost {

using Bin = std::uint8_t;

constexpr Index most_bins = 255;  // of values; one more may hold what is missing
constexpr Index bin_slots = 256;
constexpr Index block_features = 32;  // whose histograms a core's caches hold together

// Edges between the bins of a column: x lies in bin b iff edges[b - 1] < x <= edges[b]. Up to
// `max_bins` distinct values are told apart halfway; more are cut at their quantiles (the averaged
// inverse of the distribution function), each value counted `weight` times where weights are given.
// Missing values, and those of weight zero, do not count. Sorts `values` and `weights`.
std::vector<double> bin_edges(std::vector<double>& values, std::vector<double>& weights,
                              Index max_bins);

// How every column is cut. A column of categories has a bin for each code instead.
struct Bins {
    std::vector<std::vector<double>> edges;
    std::vector<std::vector<Bin>> bin_of_code;  // empty for columns of numbers
    Index features() const { return static_cast<Index>(edges.size()); }
    bool categorical(Index f) const { return !bin_of_code[static_cast<std::size_t>(f)].empty(); }
    Index count(Index f) const;  // bins of values; what is missing lies in the bin after them
};

// Which of n rows the edges are found from: one at random of each of `sample` equal stretches.
std::vector<Index> rows_of_sample(Index n, Index sample, std::uint64_t seed);

// Edges of every column of x from `sample` of its rows (none: all), chosen evenly at random.
template <class T>
std::vector<std::vector<double>> find_edges(const MatrixView<T>& x, const double* weights,
                                            const std::vector<bool>& categorical, Index max_bins,
                                            Index sample, std::uint64_t seed);

// Rows as bins, held twice: column after column, and in blocks of up to 32 features row after row.
class BinnedRows {
 public:
    template <class T>
    BinnedRows(const MatrixView<T>& x, const Bins& bins);
    // Room for rows that are to be filled in; in files of `folder` where one is named.
    BinnedRows(Index rows, const Bins& bins, const std::string& folder);
    // The bins of rows first, first + 1, …
    template <class T>
    void fill(const MatrixView<T>& x, const Bins& bins, Index first);

    struct Block {
        Index first, count, stride;  // features; bytes from row to row
        Array<Bin> bins;
    };

    Index rows() const { return rows_; }
    Index features() const { return static_cast<Index>(counts_.size()); }
    Index count(Index f) const { return counts_[static_cast<std::size_t>(f)]; }
    bool missing(Index f) const { return missing_[static_cast<std::size_t>(f)] != 0; }
    bool categorical(Index f) const { return categorical_[static_cast<std::size_t>(f)] != 0; }
    const Bin* column(Index f) const { return columns_.data() + f * rows_; }
    const std::vector<Block>& blocks() const { return blocks_; }
    bool spilled() const { return columns_.spilled(); }
    // Of rows in files: pages that were read make room for the next ones.
    void let_go_column(Index f, Index begin, Index end) const {
        columns_.let_go(f * rows_ + begin, f * rows_ + end);
    }
    void let_go() const {
        columns_.let_go();
        for (const Block& block : blocks_) block.bins.let_go();
    }

 private:
    Index rows_;
    std::vector<Index> counts_;
    std::vector<std::uint8_t> missing_, categorical_;
    Array<Bin> columns_;
    std::vector<Block> blocks_;
};

// Of rows in ascending order those that lie near the first of order[from … to): where the stretch
// ends. Rows of a small node are few and far between, and each brings pages of a file along.
inline Index end_of_stretch(const std::int32_t* order, Index from, Index to) {
    constexpr std::int32_t near = 1 << 19;
    if (order[to - 1] - order[from] < near) return to;
    return std::lower_bound(order + from, order + to, order[from] + near) - order;
}

}  // namespace stylobate::boost
