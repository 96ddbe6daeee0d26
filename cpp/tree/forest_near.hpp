// Where a grower reads the ranks of rows: in the columns, or in a copy that stays in cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "forest_rows.hpp"

namespace stylobate::forest {

struct RankSource {
    const RankedColumns* columns;
    const Rank* ranks;  // row by row, of a copy only those of columns that are not narrow
    std::size_t width;
    const std::uint32_t* places;    // of the columns in a row of ranks
    const std::uint8_t* all_codes;  // column by column
    std::size_t rows;

    std::size_t cols() const { return static_cast<std::size_t>(columns->cols()); }
    Rank rank(std::uint32_t row, std::size_t col) const { return ranks[row * width + places[col]]; }
    const std::uint8_t* codes(std::size_t col) const { return all_codes + col * rows; }
};

// Calls `then` with what tells the rank of a row in a column.
template <class Then>
auto with_ranks(const RankSource& source, std::size_t col, const Then& then) {
    if (source.columns->narrow(static_cast<Index>(col))) {
        const std::uint8_t* const codes = source.codes(col);
        return then([codes](std::uint32_t row) { return Rank{codes[row]}; });
    }
    const Rank* const ranks = source.ranks + source.places[col];
    const std::size_t width = source.width;
    return then([ranks, width](std::uint32_t row) { return ranks[row * width]; });
}

// A node's rows, and where their ranks are.
struct NodeRows {
    const RankSource& source;
    const TreeRow* members;
    std::size_t count;
};

class NearRanks {
 public:
    explicit NearRanks(const RankedColumns& columns) : columns_(columns) {
        for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(columns.cols()); ++j) {
            all_.push_back(j);
            places_.push_back(static_cast<std::uint32_t>(wide_.size()));
            if (!columns.narrow(j)) wide_.push_back(j);
        }
    }

    // What all nodes may read.
    RankSource far() const {
        return {&columns_,   columns_.ranks(),  all_.size(),
                all_.data(), columns_.codes(0), static_cast<std::size_t>(columns_.rows())};
    }
    std::size_t most_rows() const { return bytes / (wide_.size() * sizeof(Rank) + all_.size()); }

    // Copies what is known of rows, which are numbered anew.
    RankSource bring(TreeRow* rows, std::size_t count) {
        const std::size_t width = wide_.size();
        ranks_.resize(count * width);
        codes_.resize(count * all_.size());
        if (width > 0) bring_ranks(rows, count);
        std::size_t col = 0;
        for (; col + 4 <= all_.size(); col += 4) bring_codes<4>(col, rows, count);
        for (; col < all_.size(); ++col) bring_codes<1>(col, rows, count);
        for (std::size_t i = 0; i < count; ++i) rows[i].row = static_cast<std::uint32_t>(i);
        return {&columns_, ranks_.data(), width, places_.data(), codes_.data(), count};
    }

 private:
    void bring_ranks(const TreeRow* rows, std::size_t count) {
        const std::size_t cols = all_.size(), width = wide_.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Rank* const later =
                columns_.ranks() + rows[std::min(i + ahead, count - 1)].row * cols;
            __builtin_prefetch(later + wide_.front());
            __builtin_prefetch(later + wide_.back());
            const Rank* const from = columns_.ranks() + rows[i].row * cols;
            Rank* const to = ranks_.data() + i * width;
            if (width == cols) {
                std::copy_n(from, width, to);
            } else {
                for (std::size_t j = 0; j < width; ++j) to[j] = from[wide_[j]];
            }
        }
    }

    // Several columns in one pass: a row's number is read once for all.
    template <std::size_t some>
    void bring_codes(std::size_t first, const TreeRow* rows, std::size_t count) {
        std::array<const std::uint8_t*, some> from;
        std::array<std::uint8_t*, some> to;
        for (std::size_t j = 0; j < some; ++j) {
            from[j] = columns_.codes(static_cast<Index>(first + j));
            to[j] = codes_.data() + (first + j) * count;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t row = rows[i].row;
            for (std::size_t j = 0; j < some; ++j) to[j][i] = from[j][row];
        }
    }

    static constexpr std::size_t bytes = 512 * 1024;
    static constexpr std::size_t ahead = 8;  // rows asked of the memory before they are needed
    const RankedColumns& columns_;
    std::vector<std::uint32_t> all_, wide_;  // columns
    std::vector<std::uint32_t> places_;      // of columns among the wide ones
    std::vector<Rank> ranks_;
    std::vector<std::uint8_t> codes_;
};

}  // namespace stylobate::forest
