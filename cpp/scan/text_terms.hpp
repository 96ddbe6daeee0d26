// Terms numbered as they are added: an open-addressing table over bytes kept in one arena.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace stylobate::scan {

// Bytes that must be readable behind a term that is hashed: words are loaded whole.
constexpr std::size_t term_padding = 8;

__extension__ using Wide = unsigned __int128;

inline std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Of bytes with `term_padding` readable ones behind them.
inline std::uint64_t term_hash(const char* bytes, std::size_t n) {
    constexpr std::uint64_t first = 0x9e3779b97f4a7c15u, second = 0xd6e8feb86659fd93u;
    std::uint64_t hash = first ^ n, word;
    for (; n > 8; n -= 8, bytes += 8) {
        std::memcpy(&word, bytes, 8);
        hash = folded(hash ^ word, second);
    }
    std::memcpy(&word, bytes, 8);
    word &= n == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * n);
    return folded(hash ^ word, second);
}

// MurmurHash3 (x86, 32 bits) with seed 0.
std::uint32_t murmur3(const char* bytes, std::size_t n);

class Terms {
 public:
    static constexpr std::uint32_t none = 0xffffffffu;

    Terms() : slots_(64, Slot{0, none}) {}

    std::uint32_t size() const { return static_cast<std::uint32_t>(hashes_.size()); }
    std::uint64_t hash(std::uint32_t number) const { return hashes_[number]; }
    std::string_view operator[](std::uint32_t number) const {
        const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
        return {arena_.data() + begin, ends_[number] - begin};
    }

    // The number of a term, or none.
    std::uint32_t find(std::string_view term, std::uint64_t hash) const {
        return slots_[slot_of(term, hash)].number;
    }
    // The number of a term, which is added if it is new.
    std::uint32_t number_of(std::string_view term, std::uint64_t hash) {
        const std::size_t slot = slot_of(term, hash);
        return slots_[slot].number != none ? slots_[slot].number : add(term, hash, slot);
    }
    // The same, from bytes that have no padding.
    std::uint32_t number_of(std::string_view term);

 private:
    struct Slot {
        std::uint32_t tag, number;
    };

    std::size_t slot_of(std::string_view term, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        std::size_t slot = static_cast<std::size_t>(hash) & mask;
        while (slots_[slot].number != none &&
               (slots_[slot].tag != tag || (*this)[slots_[slot].number] != term))
            slot = (slot + 1) & mask;
        return slot;
    }
    std::uint32_t add(std::string_view term, std::uint64_t hash, std::size_t slot);
    void grow();

    std::vector<Slot> slots_;  // a power of two, at most half full
    std::vector<std::uint64_t> hashes_;
    std::vector<std::size_t> ends_;
    std::vector<char> arena_;
};

}  // namespace stylobate::scan
