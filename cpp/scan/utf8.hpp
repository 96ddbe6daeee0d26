// Characters of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stylobate::scan {

// Length of the character of two bytes or more at the front of n bytes; 0 if there is none.
inline std::size_t letter_length(const std::uint8_t* b, std::size_t n) {
    const auto follows = [&](std::size_t k, std::uint8_t low, std::uint8_t top) {
        return k < n && b[k] >= low && b[k] <= top;
    };
    const std::uint8_t first = b[0];
    if (first >= 0xC2 && first <= 0xDF) return follows(1, 0x80, 0xBF) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const std::uint8_t low = first == 0xE0 ? 0xA0 : 0x80, top = first == 0xED ? 0x9F : 0xBF;
        return follows(1, low, top) && follows(2, 0x80, 0xBF) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const std::uint8_t low = first == 0xF0 ? 0x90 : 0x80, top = first == 0xF4 ? 0x8F : 0xBF;
        return follows(1, low, top) && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
    }
    return 0;
}

}  // namespace stylobate::scan
