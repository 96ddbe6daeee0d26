// Random orders and draws of rows: pure functions of a seed, whatever the threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "stylobate/random.hpp"
#include "stylobate/views.hpp"

namespace stylobate::descend {

using RowNumber = std::uint32_t;

// ⌊word · n / 2⁶⁴⌋: uniform on 0 … n − 1 up to n / 2⁶⁴.
inline std::uint64_t below(std::uint64_t n, Philox::Word word) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(word) * n) >> 64);
}

// The words of one epoch, four at a time.
class EpochWords {
 public:
    EpochWords(const Philox& random, std::uint64_t epoch) : random_(random), epoch_(epoch) {}
    Philox::Word next() {
        if (at_ % 4 == 0) block_ = random_({at_ / 4, epoch_, 0, 0});
        return block_[at_++ % 4];
    }

 private:
    const Philox& random_;
    std::uint64_t epoch_, at_ = 0;
    Philox::Block block_{};
};

// Fisher & Yates: every order is equally likely.
template <class Iterator>
void shuffle(Iterator first, std::size_t count, EpochWords& words) {
    for (std::size_t left = count; left > 1; --left)
        std::swap(first[left - 1], first[below(left, words.next())]);
}

// The order in which an epoch takes the rows.
//
// Rows that fit in the cache are shuffled as a whole. Of larger data a row far from the last one
// costs several times its arithmetic, so there blocks of a few neighbouring rows come in random
// order, and the rows of a window of many such blocks are shuffled: each row has neighbours from
// all over the data, and memory is read in long runs, one window ahead.
class RowOrder {
 public:
    RowOrder(const std::vector<RowNumber>& rows, Index row_bytes) : rows_(rows) {
        const Index bytes = std::max<Index>(row_bytes, 1);
        const Index fits = std::max<Index>(block_bytes / bytes, 1);
        if (static_cast<Index>(rows.size()) > cache_bytes / bytes && fits > 1) {
            block_ = static_cast<std::size_t>(std::min(fits, most_in_block));
            window_ = block_ * static_cast<std::size_t>(window_bytes / (bytes * block_) + 1);
        }
    }

    void plain() { order_ = rows_; }

    void shuffled(const Philox& random, std::uint64_t epoch) {
        EpochWords words(random, epoch);
        order_ = rows_;
        if (window_ == 0) return shuffle(order_.begin(), order_.size(), words);
        arrange_blocks(words);
        order_ = stored_;
        for (std::size_t at = 0; at < order_.size(); at += window_)
            shuffle(order_.begin() + at, std::min(window_, order_.size() - at), words);
    }

    const std::vector<RowNumber>& rows() const { return order_; }

    // The row to fetch while the one at this place is used, a window ahead; −1: none.
    Index fetched_at(std::size_t place) const {
        const std::size_t then = place + window_;
        return window_ > 0 && then < stored_.size() ? static_cast<Index>(stored_[then]) : -1;
    }

 private:
    static constexpr Index cache_bytes = 1 << 22, window_bytes = 1 << 18;
    static constexpr Index block_bytes = 1 << 14, most_in_block = 16;

    void arrange_blocks(EpochWords& words) {
        const std::size_t n = rows_.size();
        std::vector<RowNumber> blocks((n + block_ - 1) / block_);
        for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b] = static_cast<RowNumber>(b);
        shuffle(blocks.begin(), blocks.size(), words);
        stored_.clear();
        stored_.reserve(n);
        for (const RowNumber b : blocks)
            for (std::size_t k = b * block_; k < std::min(n, (b + 1) * block_); ++k)
                stored_.push_back(rows_[k]);
    }

    const std::vector<RowNumber>& rows_;
    std::vector<RowNumber> order_, stored_;  // as taken; as read from memory
    std::size_t block_ = 1, window_ = 0;
};

}  // namespace stylobate::descend
