// Hashes of cells: 64 bits, the same on every machine that stores numbers lowest byte first.
#pragma once

#include <cstdint>
#include <cstring>

#include "stylobate/views.hpp"

namespace stylobate::scan {

// A bijection that spreads every bit over all (the finaliser of splitmix64: Steele et al. 2014).
inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
inline constexpr std::uint64_t missing_hash = 0x6a09e667f3bcc909u;  // of a cell that is not there

namespace detail {
__extension__ using Wide = unsigned __int128;
inline std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
inline std::uint64_t word(const char* at) {
    std::uint64_t out;
    std::memcpy(&out, at, 8);
    return out;
}
// Up to eight bytes, for texts of that length.
inline std::uint64_t few(const char* at, Index size) {
    if (size >= 4) {
        std::uint32_t a, b;
        std::memcpy(&a, at, 4);
        std::memcpy(&b, at + size - 4, 4);
        return static_cast<std::uint64_t>(a) << 32 | b;
    }
    if (size == 0) return 0;
    const auto byte = [&](Index i) { return std::uint64_t{static_cast<unsigned char>(at[i])}; };
    return byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
}
}  // namespace detail

// Products of 64 by 64 bits folded together, as in wyhash (Wang Yi 2019).
inline std::uint64_t text_hash(const char* data, Index size) {
    using namespace detail;
    constexpr std::uint64_t s0 = 0xa0761d6478bd642fu, s1 = 0xe7037ed1a0b428dbu;
    std::uint64_t state = s0 ^ static_cast<std::uint64_t>(size) * golden;
    if (size <= 8) return mixed(folded(few(data, size) ^ s1, state));
    Index i = 0;
    for (; i + 16 < size; i += 16) state = folded(word(data + i) ^ s1, word(data + i + 8) ^ state);
    if (size - i > 8) state = folded(word(data + i) ^ s1, state ^ golden);
    return mixed(folded(word(data + size - 8) ^ s1, state));
}

}  // namespace stylobate::scan
