// A forest for many rows: ranks of 16 bits instead of numbers, three levels of a tree in a step.
//
// A block of rows becomes ranks among the forest's thresholds (thresholds.hpp) once; a row of up to
// 64 columns is then one or two vectors, and a cell of seven splits one cache line. The leaves are
// those of the plain walk (walk.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "stylobate/parallel.hpp"
#include "tree/packed.hpp"
#include "tree/thresholds.hpp"

namespace stylobate::tree {

class CellForest {
 public:
    // Null where 16 bits are too few: 32768 columns split, or 65534 thresholds of one column in a
    // single tree; and where thresholds are NaN. Splits by categories must not be there.
    static std::unique_ptr<const CellForest> of(const PackedTrees& trees);

    // body(tree, first row, count, leaves, base) for trees first … last − 1 in their order and
    // parts of the rows begin … end − 1; the leaf of the row after i others is base + leaves[i].
    template <class T, class Body>
    void walk(const MatrixView<T>& x, Index begin, Index end, Index first, Index last,
              Checkpoint& checkpoint, const Body& body) const;

    // Of one leaf.
    const double* value(Index leaf) const { return values_.data() + leaf * width_; }
    std::uint32_t node(Index leaf) const { return leaf_nodes_[leaf]; }

    static constexpr Index block_rows = 8192;  // their ranks and a tree lie in the second cache
    static constexpr Index part_rows = 256;    // their ranks lie in the first

 private:
    // Trees that share ranks.
    struct Group {
        Index first, last;
        std::vector<Index> columns;         // of the rows, those that are split
        std::vector<std::uint16_t> places;  // of every column, where it is among these
        std::vector<Thresholds> thresholds;
        Index width = 0;  // of a row of ranks

        Group(const PackedTrees& trees, Index first_tree, Index last_tree);
    };
    // One tree; its cells and leaves are numbered within it.
    struct Cells {
        std::vector<TreeCell> cells;  // none: the root is a leaf
        std::vector<std::uint32_t> leaf_nodes;

        Cells() = default;
        Cells(const PackedTrees& trees, const Group& group, Index tree);
        std::uint32_t child(const PackedTrees& trees, const std::array<std::uint32_t, 15>& at,
                            std::size_t way, std::vector<std::uint32_t>& tops);
    };
    struct Ranks {
        boost::Array<std::uint16_t> rows;
        bool gaps = false;
    };
    struct Place {
        Index cell, leaf;
    };
    CellForest(const PackedTrees& trees, const std::vector<Index>& ends);
    const TreeCell* cells_of(Index tree) const {
        return cells_.data() + places_[static_cast<std::size_t>(tree)].cell;
    }
    Index first_leaf(Index tree) const { return places_[static_cast<std::size_t>(tree)].leaf; }
    void fetch(Index tree, Index part, Index parts) const;
    template <class T>
    static void rank(const MatrixView<T>& x, Index begin, Index end, const Group& group,
                     Ranks& ranks);

    Index width_;
    std::vector<Group> groups_;
    std::vector<Place> places_;  // where each tree starts, and the end
    boost::Array<TreeCell> cells_;
    boost::Array<std::uint32_t> leaf_nodes_;
    boost::Array<double> values_;  // of each leaf
};

template <class T, class Body>
void CellForest::walk(const MatrixView<T>& x, Index begin, Index end, Index first, Index last,
                      Checkpoint& checkpoint, const Body& body) const {
    Ranks ranks;
    std::array<std::uint32_t, part_rows> at;
    std::array<std::uint32_t, 2 * part_rows> scratch;
    const Index parts = (end - begin + part_rows - 1) / part_rows;
    for (const Group& group : groups_) {
        if (group.last <= first || group.first >= last) continue;
        rank(x, begin, end, group, ranks);
        for (Index t = std::max(first, group.first); t < std::min(last, group.last); ++t) {
            checkpoint();
            const TreeCell* const cells = cells_of(t);
            for (Index part = 0; part < parts; ++part) {
                if (t + 1 < last) fetch(t + 1, part, parts);
                const Index i = part * part_rows, count = std::min(part_rows, end - begin - i);
                if (cells == cells_of(t + 1))  // the root is a leaf
                    std::fill_n(at.begin(), count, 0u);
                else
                    kernels().walk_cells(cells, ranks.rows.data() + i * group.width, group.width,
                                         count, ranks.gaps, at.data(), scratch.data());
                body(t, begin + i, count, at.data(), first_leaf(t));
            }
        }
    }
}

}  // namespace stylobate::tree
