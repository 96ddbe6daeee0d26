// Rows' ways down packed nodes.
#pragma once

#include <bit>

#include "tree/packed.hpp"

namespace stylobate::tree {

// Whether a code goes left; codes outside the words and missing ones go where `otherwise` says.
inline bool in_words(const std::uint32_t* words, double code, bool otherwise) {
    const std::uint32_t count = words[0];
    if (!(code >= 0.0 && code < 32.0 * count)) return otherwise;
    const auto place = static_cast<std::uint32_t>(code);
    return (words[1 + place / 32] >> (place % 32) & 1u) != 0;
}

// Inner nodes only: what the walk asks of a leaf is never asked. `gaps`: some value is missing.
template <bool categories, bool gaps>
struct Walk {
    const PackedNode* nodes;
    const std::uint32_t* words;

    // 1 to the right child, 0 to the left.
    [[gnu::always_inline]] std::uint32_t side(const PackedNode& node, double x) const {
        const std::uint32_t kind = node.feature_and_kind;
        if constexpr (categories) {
            if ((kind & category_bit) != 0) {
                const auto start = std::bit_cast<std::uint64_t>(node.threshold);
                return in_words(words + start, x, (kind & missing_left_bit) != 0) ? 0 : 1;
            }
        }
        const auto above = static_cast<std::uint32_t>(x > node.threshold);
        if constexpr (!gaps) return above;
        const bool lost = (x != x) & ((kind & missing_left_bit) == 0);
        return above | static_cast<std::uint32_t>(lost);
    }

    template <class T>
    [[gnu::always_inline]] std::uint32_t right(const PackedNode& node, const T* row,
                                               Index stride) const {
        return side(node,
                    static_cast<double>(
                        row[static_cast<Index>(node.feature_and_kind & feature_mask) * stride]));
    }

    // Leaves of `count` rows of one root. All rows take a step, those that are not at a leaf the
    // next, and so on: the steps of a round do not wait for each other, and none is in vain.
    // `active` is scratch for as many rows.
    template <class T>
    void leaves(std::uint32_t root, const T* first, Index row_stride, Index col_stride,
                std::uint32_t count, std::uint32_t* at, std::uint32_t* active) const {
        for (std::uint32_t i = 0; i < count; ++i) at[i] = root;
        if (nodes[root].child == root) return;
        for (std::uint32_t i = 0; i < count; ++i) active[i] = i;
        while (count > 0) {
            std::uint32_t left_over = 0;
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint32_t i = active[k];
                const PackedNode node = nodes[at[i]];
                const std::uint32_t to_right =
                    right(node, first + static_cast<Index>(i) * row_stride, col_stride);
                at[i] = node.child + to_right;
                active[left_over] = i;
                left_over += ~(node.feature_and_kind >> (left_is_leaf + to_right)) & 1u;
            }
            count = left_over;
        }
    }
};

}  // namespace stylobate::tree
