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
#include "tree/flat.hpp"
#include "tree/memory.hpp"
#include "tree/thresholds.hpp"

namespace stylobate::tree {

// Packed trees one after the other, as Forest holds them.
struct PackedTrees {
    const std::vector<PackedNode>& nodes;
    const std::vector<std::uint32_t>& roots;
    const std::vector<Index>& node_counts;
    const std::vector<double>& values;  // of each node
    Index features, width;
};

class CellForest {
 public:
    // Null where 16 bits are too few: 32768 columns split, or 65534 thresholds of one column in a
    // single tree; and where thresholds are NaN. Splits by categories must not be there.
    static std::unique_ptr<const CellForest> of(const PackedTrees& trees);

    // body(tree, first row, count, leaves, base) for trees first … last − 1 in their order and parts
    // of the rows begin … end − 1; the leaf of the row after i others is base + leaves[i].
    template <class T, class Body>
    void walk(const MatrixView<T>& x, Index begin, Index end, Index first, Index last,
              Checkpoint& checkpoint, const Body& body) const;

    // Of one leaf.
    const double* value(Index leaf) const { return values_.data() + leaf * width_; }
    std::uint32_t node(Index leaf) const { return leaf_nodes_[static_cast<std::size_t>(leaf)]; }

    // Columns ranked for a row, at the most.
    Index columns() const;

    static constexpr Index block_rows = 4096;  // their ranks and a tree lie in the second cache
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
        boost::Array<double> numbers;
        bool gaps = false;
    };
    struct Place {
        Index cell, leaf;
    };
    CellForest(const PackedTrees& trees, const std::vector<Index>& ends);
    template <class T>
    static void rank(const MatrixView<T>& x, Index begin, Index end, const Group& group,
                     Ranks& ranks);

    Index width_;
    std::vector<Group> groups_;
    std::vector<Place> places_;  // where each tree starts, and the end
    boost::Array<TreeCell> cells_;
    std::vector<std::uint32_t> leaf_nodes_;
    boost::Array<double> values_;  // of each leaf
};

template <class T, class Body>
void CellForest::walk(const MatrixView<T>& x, Index begin, Index end, Index first, Index last,
                      Checkpoint& checkpoint, const Body& body) const {
    Ranks ranks;
    std::array<std::uint32_t, part_rows> at, active;
    for (const Group& group : groups_) {
        if (group.last <= first || group.first >= last) continue;
        rank(x, begin, end, group, ranks);
        for (Index t = std::max(first, group.first); t < std::min(last, group.last); ++t) {
            checkpoint();
            const Place place = places_[static_cast<std::size_t>(t)];
            const bool single = places_[static_cast<std::size_t>(t + 1)].cell == place.cell;
            for (Index i = begin; i < end; i += part_rows) {
                const Index count = std::min(part_rows, end - i);
                if (single)
                    std::fill_n(at.begin(), count, 0u);
                else
                    kernels().walk_cells(cells_.data() + place.cell, 
                                         ranks.rows.data() + (i - begin) * group.width, group.width,
                                         count, ranks.gaps, at.data(), active.data());
                body(t, i, count, at.data(), place.leaf);
            }
        }
    }
}

}  // namespace stylobate::tree
