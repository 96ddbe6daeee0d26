// Random orders and draws of rows: pure functions of a seed, whatever the threads.
#pragma once

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
inline void shuffle(std::vector<RowNumber>& order, const Philox& random, std::uint64_t epoch) {
    EpochWords words(random, epoch);
    for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[below(left, words.next())]);
}

}  // namespace stylobate::descend
