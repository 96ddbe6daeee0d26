// A row's way down packed nodes.
#pragma once

#include <bit>

#include "tree/flat.hpp"

namespace stylobate::tree {

constexpr std::uint32_t missing_left_bit = 1u << 31;
constexpr std::uint32_t category_bit = 1u << 30;
constexpr std::uint32_t feature_mask = category_bit - 1;

// Whether a code that is no category of the split, or missing, is told apart from one that is.
inline bool in_words(const std::uint32_t* words, double code, bool otherwise) {
    const std::uint32_t count = words[0];
    if (!(code >= 0.0 && code < 32.0 * count)) return otherwise;
    const auto place = static_cast<std::uint32_t>(code);
    return (words[1 + place / 32] >> (place % 32) & 1u) != 0;
}

struct Walk {
    const PackedNode* nodes;
    const std::uint32_t* words;

    // 1 to the right child, 0 to the left; leaves always answer 0.
    [[gnu::always_inline]] std::uint32_t side(const PackedNode& node, double x) const {
        const std::uint32_t kind = node.feature_and_kind;
        if ((kind & category_bit) != 0) [[unlikely]] {
            const auto start = std::bit_cast<std::uint64_t>(node.threshold);
            return in_words(words + start, x, (kind & missing_left_bit) != 0) ? 0 : 1;
        }
        const bool above = x > node.threshold;
        const bool lost = (x != x) & ((kind & missing_left_bit) == 0);
        return static_cast<std::uint32_t>(above | lost);
    }

    template <class T>
    [[gnu::always_inline]] std::uint32_t next(std::uint32_t at, const T* row, Index stride) const {
        const PackedNode& node = nodes[at];
        const auto x = static_cast<double>(
            row[static_cast<Index>(node.feature_and_kind & feature_mask) * stride]);
        return node.child + side(node, x);
    }

    // Leaves of `count` rows that start at one root, `lanes` of them walking at once.
    template <class T>
    void leaves(std::uint32_t root, const T* first, Index row_stride, Index col_stride, Index count,
                std::uint32_t* out) const {
        constexpr Index lanes = 16;
        Index i = 0;
        for (; i + lanes <= count; i += lanes) {
            std::uint32_t at[lanes];
            for (auto& place : at) place = root;
            std::uint32_t moved = 1;
            while (moved != 0) {
                moved = 0;
                for (Index k = 0; k < lanes; ++k) {
                    const std::uint32_t to = next(at[k], first + (i + k) * row_stride, col_stride);
                    moved |= to ^ at[k];
                    at[k] = to;
                }
            }
            for (Index k = 0; k < lanes; ++k) out[i + k] = at[k];
        }
        for (; i < count; ++i) {
            std::uint32_t at = root, to = root;
            do {
                at = to;
                to = next(at, first + i * row_stride, col_stride);
            } while (to != at);
            out[i] = at;
        }
    }
};

}  // namespace stylobate::tree
