// Where a grower reads the ranks of rows: in the columns, or in a copy that stays in cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "forest_rows.hpp"

namespace stylobate::forest {

struct RankSource {
    const Rank* ranks;  // row by row
    std::size_t cols;
    const std::uint8_t* all_codes;  // column by column
    std::size_t rows;

    Rank rank(std::uint32_t row, std::size_t col) const { return ranks[row * cols + col]; }
    const std::uint8_t* codes(std::size_t col) const { return all_codes + col * rows; }
};

inline RankSource far_source(const RankedColumns& columns) {
    return {columns.ranks(), static_cast<std::size_t>(columns.cols()), columns.codes(0),
            static_cast<std::size_t>(columns.rows())};
}

// A node's rows, and where their ranks are.
struct NodeRows {
    const RankSource& source;
    const TreeRow* members;
    std::size_t count;
};

class NearRanks {
 public:
    static std::size_t most_rows(std::size_t cols) {
        return bytes / (cols * (sizeof(Rank) + sizeof(std::uint8_t)));
    }

    // Copies what is known of rows, which are numbered anew.
    RankSource bring(const RankSource& source, TreeRow* rows, std::size_t count) {
        const std::size_t cols = source.cols;
        ranks_.resize(count * cols);
        codes_.resize(count * cols);
        for (std::size_t j = 0; j < cols; ++j) {
            const std::uint8_t* const from = source.codes(j);
            std::uint8_t* const to = codes_.data() + j * count;
            for (std::size_t i = 0; i < count; ++i) to[i] = from[rows[i].row];
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Rank* const later =
                source.ranks + rows[std::min(i + ahead, count - 1)].row * cols;
            __builtin_prefetch(later);
            __builtin_prefetch(later + cols - 1);
            std::copy_n(source.ranks + rows[i].row * cols, cols, ranks_.data() + i * cols);
            rows[i].row = static_cast<std::uint32_t>(i);
        }
        return {ranks_.data(), cols, codes_.data(), count};
    }

 private:
    static constexpr std::size_t bytes = 512 * 1024;
    static constexpr std::size_t ahead = 8;  // rows asked of the memory before they are needed
    std::vector<Rank> ranks_;
    std::vector<std::uint8_t> codes_;
};

}  // namespace stylobate::forest
