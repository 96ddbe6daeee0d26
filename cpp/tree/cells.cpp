#include "tree/cells.hpp"

#include <cmath>
#include <optional>

namespace stylobate::tree {
namespace {

constexpr Index most_columns = 1 << 15;
constexpr std::uint16_t all_left = 0xffff;  // a threshold no rank is above
constexpr std::uint16_t missing_left = 1u << 15;
constexpr std::uint32_t leaf_bit = 1u << 31;

bool is_leaf(const PackedTrees& trees, std::uint32_t node) {
    return trees.nodes[node].child == node;
}

Index column_of(const PackedNode& node) {
    return static_cast<Index>(node.feature_and_kind & feature_mask);
}

// visit(node) for the splits of one tree.
template <class Visit>
void for_splits(const PackedTrees& trees, Index tree, const Visit& visit) {
    const std::uint32_t root = trees.roots[static_cast<std::size_t>(tree)];
    const auto count =
        static_cast<std::uint32_t>(trees.node_counts[static_cast<std::size_t>(tree)]);
    for (std::uint32_t node = root; node < root + count; ++node)
        if (!is_leaf(trees, node)) visit(trees.nodes[node]);
}

// Adds a tree's splits to those of each column; whether all can still be ranked.
bool count_splits(const PackedTrees& trees, Index tree, std::vector<Index>& counts) {
    bool rankable = true;
    for_splits(trees, tree, [&](const PackedNode& node) {
        Index& count = counts[static_cast<std::size_t>(column_of(node))];
        rankable &= ++count <= most_thresholds && !std::isnan(node.threshold);
    });
    return rankable;
}

// Where the groups of trees that share ranks end; nothing if some tree cannot be ranked.
std::optional<std::vector<Index>> group_ends(const PackedTrees& trees) {
    std::vector<Index> counts(static_cast<std::size_t>(trees.features), 0);
    std::vector<Index> ends;
    const auto count = static_cast<Index>(trees.roots.size());
    for (Index tree = 0, first = 0; tree < count; ++tree) {
        if (count_splits(trees, tree, counts)) continue;
        if (tree > first) ends.push_back(tree);
        first = tree;
        std::fill(counts.begin(), counts.end(), 0);
        if (!count_splits(trees, tree, counts)) return std::nullopt;
    }
    ends.push_back(count);
    return ends;
}

// Asks the second cache for one of `parts` parts of an array.
template <class T>
void fetch_part(const T* begin, const T* end, Index part, Index parts) {
    constexpr Index line = 64;
    const char* const bytes = reinterpret_cast<const char*>(begin);
    const Index lines = ((end - begin) * static_cast<Index>(sizeof(T)) + line - 1) / line;
    for (Index k = lines * part / parts; k < lines * (part + 1) / parts; ++k)
        __builtin_prefetch(bytes + k * line, 0, 2);
}

// Whole vectors of ranks where a row has few.
Index row_width(std::size_t columns) {
    return static_cast<Index>(columns <= 32 ? 32 : columns <= 64 ? 64 : columns);
}

}  // namespace

CellForest::Group::Group(const PackedTrees& trees, Index first_tree, Index last_tree)
    : first(first_tree), last(last_tree), places(static_cast<std::size_t>(trees.features), 0) {
    std::vector<std::vector<double>> values(places.size());
    for (Index tree = first; tree < last; ++tree)
        for_splits(trees, tree, [&](const PackedNode& node) {
            values[static_cast<std::size_t>(column_of(node))].push_back(node.threshold);
        });
    for (std::size_t column = 0; column < values.size(); ++column) {
        if (values[column].empty()) continue;
        places[column] = static_cast<std::uint16_t>(columns.size());
        columns.push_back(static_cast<Index>(column));
    }
    width = row_width(columns.size());
    thresholds.resize(columns.size());
    parallel_for(static_cast<Index>(columns.size()), [&](Index k, Checkpoint&) {
        const auto at = static_cast<std::size_t>(k);
        thresholds[at] = Thresholds(std::move(values[static_cast<std::size_t>(columns[at])]));
    });
}

// Level by level of cells: those every row passes lie together.
CellForest::Cells::Cells(const PackedTrees& trees, const Group& group, Index tree) {
    std::vector<std::uint32_t> tops{trees.roots[static_cast<std::size_t>(tree)]};
    if (is_leaf(trees, tops[0])) {
        leaf_nodes = std::move(tops);
        return;
    }
    for (std::size_t k = 0; k < tops.size(); ++k) {
        TreeCell& cell = cells.emplace_back();
        std::array<std::uint32_t, 15> at;  // the splits, then what the ways out lead to
        at[0] = tops[k];
        for (std::size_t s = 0; s < 7; ++s) {
            const PackedNode& node = trees.nodes[at[s]];
            const bool leaf = is_leaf(trees, at[s]);
            const auto column = static_cast<std::size_t>(column_of(node));
            cell.feature[s] = 0;
            cell.threshold[s] = all_left;
            if (!leaf) {
                const std::uint16_t place = group.places[column];
                const bool left = (node.feature_and_kind & missing_left_bit) != 0;
                cell.feature[s] = static_cast<std::uint16_t>(place | (left ? missing_left : 0));
                cell.threshold[s] = group.thresholds[place].rank(node.threshold);
            }
            at[2 * s + 1] = node.child;
            at[2 * s + 2] = node.child + (leaf ? 0 : 1);
        }
        for (std::size_t way = 0; way < 8; ++way) cell.child[way] = child(trees, at, way, tops);
    }
}

// What a way out leads to: a leaf, or a cell to come. A leaf within the cell has several ways.
std::uint32_t CellForest::Cells::child(const PackedTrees& trees,
                                       const std::array<std::uint32_t, 15>& at, std::size_t way,
                                       std::vector<std::uint32_t>& tops) {
    const std::uint32_t node = at[7 + way];
    if (!is_leaf(trees, node)) {
        tops.push_back(node);
        return static_cast<std::uint32_t>(tops.size() - 1);
    }
    if (way == 0 || at[6 + way] != node) leaf_nodes.push_back(node);
    return leaf_bit | static_cast<std::uint32_t>(leaf_nodes.size() - 1);
}

CellForest::CellForest(const PackedTrees& trees, const std::vector<Index>& ends)
    : width_(trees.width) {
    std::vector<Cells> grown(trees.roots.size());
    for (const Index end : ends) {
        const Group& group =
            groups_.emplace_back(trees, groups_.empty() ? 0 : groups_.back().last, end);
        parallel_for(end - group.first, [&](Index k, Checkpoint&) {
            grown[static_cast<std::size_t>(group.first + k)] = Cells(trees, group, group.first + k);
        });
    }
    Place place{0, 0};
    for (const Cells& tree : grown) {
        places_.push_back(place);
        place.cell += static_cast<Index>(tree.cells.size());
        place.leaf += static_cast<Index>(tree.leaf_nodes.size());
    }
    places_.push_back(place);
    cells_ = boost::Array<TreeCell>(place.cell);
    leaf_nodes_ = boost::Array<std::uint32_t>(place.leaf);
    values_ = boost::Array<double>(area(place.leaf, width_));
    parallel_for(static_cast<Index>(grown.size()), [&](Index tree, Checkpoint&) {
        const auto t = static_cast<std::size_t>(tree);
        const Cells& from = grown[t];
        std::copy(from.cells.begin(), from.cells.end(), cells_.data() + places_[t].cell);
        std::copy(from.leaf_nodes.begin(), from.leaf_nodes.end(),
                  leaf_nodes_.data() + places_[t].leaf);
        double* value = values_.data() + places_[t].leaf * width_;
        for (const std::uint32_t node : from.leaf_nodes)
            value = std::copy_n(trees.values.data() + Index{node} * width_, width_, value);
    });
}

std::unique_ptr<const CellForest> CellForest::of(const PackedTrees& trees) {
    if (trees.features > most_columns) return nullptr;
    const auto ends = group_ends(trees);
    if (!ends) return nullptr;
    return std::unique_ptr<const CellForest>(new CellForest(trees, *ends));
}

// Walks jump about in a tree, and wait for what lies far away: so it is brought near in order,
// while the tree before is walked.
void CellForest::fetch(Index tree, Index part, Index parts) const {
    fetch_part(cells_of(tree), cells_of(tree + 1), part, parts);
    fetch_part(value(first_leaf(tree)), value(first_leaf(tree + 1)), part, parts);
}

// A few columns at a time, whose thresholds stay in the second cache, of a part of the rows, whose
// ranks stay in the first.
template <class T>
void CellForest::rank(const MatrixView<T>& x, Index begin, Index end, const Group& group,
                      Ranks& ranks) {
    constexpr Index together = 4;
    const bool many = end - begin > 4 * part_rows;  // numbers to look for
    const Index size = area(end - begin, group.width);
    const auto count = static_cast<Index>(group.columns.size());
    if (ranks.rows.size() < size) ranks.rows = boost::Array<std::uint16_t>(size);
    ranks.gaps = false;
    std::array<double, part_rows> numbers;
    for (Index first = 0; first < count; first += together) {
        const Index last = std::min(first + together, count);
        for (Index j = first; j < last && many; ++j)
            group.thresholds[static_cast<std::size_t>(j)].fetch();
        for (Index i = begin; i < end; i += part_rows) {
            const Index n = std::min(part_rows, end - i);
            std::uint16_t* const rows = ranks.rows.data() + (i - begin) * group.width;
            for (Index j = first; j < last; ++j) {
                const auto place = static_cast<std::size_t>(j);
                const T* number = x.row(i) + group.columns[place] * x.col_stride;
                for (Index k = 0; k < n; ++k, number += x.row_stride)
                    numbers[static_cast<std::size_t>(k)] = static_cast<double>(*number);
                ranks.gaps |= kernels().find_ranks(
                    numbers.data(), n, group.thresholds[place].table(), rows + j, group.width);
            }
        }
    }
}

template void CellForest::rank(const MatrixView<double>&, Index, Index, const Group&, Ranks&);
template void CellForest::rank(const MatrixView<float>&, Index, Index, const Group&, Ranks&);

}  // namespace stylobate::tree
