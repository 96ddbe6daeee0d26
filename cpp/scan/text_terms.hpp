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

// The first bytes of a term as one number, zeros where it is shorter. `term_padding` bytes behind
// the term must be readable, here and below.
inline std::uint64_t term_start(const char* bytes, std::size_t n) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    return n >= 8 ? word : n == 0 ? 0 : word & ~std::uint64_t{0} >> (64 - 8 * n);
}

inline std::uint64_t term_hash(const char* bytes, std::size_t n) {
    constexpr std::uint64_t first = 0x9e3779b97f4a7c15u, second = 0xd6e8feb86659fd93u;
    std::uint64_t hash = folded(first ^ n ^ term_start(bytes, n), second);
    while (n > 8) {
        n -= 8;
        bytes += 8;
        hash = folded(hash ^ term_start(bytes, n), second);
    }
    return hash;
}

// MurmurHash3 (x86, 32 bits) with seed 0.
std::uint32_t murmur3(const char* bytes, std::size_t n);

class Terms {
 public:
    static constexpr std::uint32_t none = 0xffffffffu;

    Terms() : slots_(64, empty) {}

    std::uint32_t size() const { return static_cast<std::uint32_t>(hashes_.size()); }
    std::uint64_t hash(std::uint32_t number) const { return hashes_[number]; }
    std::string_view operator[](std::uint32_t number) const {
        const std::size_t begin = begins_[number], end = begins_[number + 1];
        return {arena_.data() + begin, end - begin};
    }

    // Fetches what finding a term of this hash will read.
    void expect(std::uint64_t hash) const {
        __builtin_prefetch(&slots_[static_cast<std::size_t>(hash >> 20) & (slots_.size() - 1)]);
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
    // Start and length tell short terms apart, so that most questions touch one cache line.
    struct Slot {
        std::uint64_t start;
        std::uint32_t length, number;
    };
    static constexpr Slot empty{0, 0, none};

    std::size_t slot_of(std::string_view term, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        const std::uint64_t start = term_start(term.data(), term.size());
        const auto length = static_cast<std::uint32_t>(term.size());
        std::size_t at = static_cast<std::size_t>(hash >> 20) & mask;
        for (;; at = (at + 1) & mask) {
            const Slot& slot = slots_[at];
            if (slot.number == none) return at;
            if (slot.start == start && slot.length == length &&
                (length <= 8 || (*this)[slot.number] == term))
                return at;
        }
    }
    std::uint32_t add(std::string_view term, std::uint64_t hash, std::size_t slot);
    void grow();

    std::vector<Slot> slots_;  // a power of two, at most two thirds full
    std::vector<std::uint64_t> hashes_;
    std::vector<std::size_t> begins_{0};  // of each term in the arena, and the last one's end
    std::vector<char> arena_ = std::vector<char>(term_padding);
};

}  // namespace stylobate::scan
