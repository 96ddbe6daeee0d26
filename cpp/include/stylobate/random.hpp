// Counter-based random numbers: Philox4x64-10 (Salmon, Moraes, Dror & Shaw 2011).
//
// The value at (key, counter) is a pure function, so any thread can produce any part of a stream
// and the result does not depend on how the work was cut. NumPy's Philox is the same function.
#pragma once

#include <array>
#include <cstdint>

namespace stylobate {

class Philox {
 public:
    using Word = std::uint64_t;
    using Block = std::array<Word, 4>;

    Philox(Word seed, Word stream) : key_{seed, stream} {}

    // The four words at a counter.
    Block operator()(Block counter) const {
        Word k0 = key_[0], k1 = key_[1];
        for (int round = 0; round < 10; ++round) {
            const auto [hi0, lo0] = multiply(0xD2E7470EE14C6C93u, counter[0]);
            const auto [hi1, lo1] = multiply(0xCA5A826395121157u, counter[2]);
            counter = {hi1 ^ counter[1] ^ k0, lo1, hi0 ^ counter[3] ^ k1, lo0};
            k0 += 0x9E3779B97F4A7C15u;
            k1 += 0xBB67AE8584CAA73Bu;
        }
        return counter;
    }

    // Word number `index` of the stream.
    Word word(Word index) const { return (*this)({index / 4, 0, 0, 0})[index % 4]; }

    // Uniform on [0, 1) with 53 random bits.
    double uniform(Word index) const { return static_cast<double>(word(index) >> 11) * 0x1.0p-53; }

 private:
    struct Pair {
        Word hi, lo;
    };
    __extension__ using Wide = unsigned __int128;
    static Pair multiply(Word a, Word b) {
        const auto product = static_cast<Wide>(a) * b;
        return {static_cast<Word>(product >> 64), static_cast<Word>(product)};
    }
    Word key_[2];
};

}  // namespace stylobate
