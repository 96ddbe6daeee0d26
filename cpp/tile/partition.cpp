#include "tile/partition.hpp"

#include <algorithm>
#include <limits>

#include "stylobate/errors.hpp"

namespace stylobate::tile {

struct Partition::Keyed {
    double key;
    std::int64_t row;
    bool operator<(const Keyed& other) const {
        return key < other.key || (key == other.key && row < other.row);
    }
};

namespace {

// NaN has no place among rows in order: sorting by it would leave the rows there are.
void refuse_nan(const MatrixView<double>& x) {
    constexpr Index step = 4096;
    parallel_for((x.rows + step - 1) / step, [&](Index chunk, Checkpoint&) {
        bool ordered = true;
        for (Index i = chunk * step; i < std::min(x.rows, (chunk + 1) * step); ++i)
            for (Index l = 0; l < x.cols; ++l) ordered &= x(i, l) == x(i, l);
        if (!ordered) throw InvalidArgument("a tree holds no rows with NaN");
    });
}

}  // namespace

Partition::Partition(const MatrixView<double>& x)
    : rows_(x.rows),
      cols_(x.cols),
      leaves_((x.rows + width - 1) / width),
      nodes_(static_cast<std::size_t>(std::max<Index>(2 * leaves_ - 1, 0))),
      order_(static_cast<std::size_t>(x.rows)) {
    if (rows_ < 1 || cols_ < 1) throw InvalidArgument("a tree needs at least one row and column");
    refuse_nan(x);
    sort(x);
    fill(x);
}

void Partition::sort(const MatrixView<double>& x) {
    std::vector<Keyed> keyed(static_cast<std::size_t>(rows_));
    for (Index i = 0; i < rows_; ++i) keyed[i].row = i;
    // level by level while there are few nodes, then whole subtrees
    constexpr Index small = 128;
    std::vector<Range> level{root()};
    while (level.front().leaves > small) {
        parallel_for(static_cast<Index>(level.size()),
                     [&](Index i, Checkpoint&) { split(x, level[i], keyed.data()); });
        std::vector<Range> next;
        for (const Range& range : level) {
            next.push_back(range.first());
            next.push_back(range.second());
        }
        level = std::move(next);
    }
    parallel_for(static_cast<Index>(level.size()), [&](Index i, Checkpoint& checkpoint) {
        split_all(x, level[i], keyed.data(), checkpoint);
    });
    for (Index i = 0; i < rows_; ++i) order_[i] = keyed[i].row;
}

void Partition::split_all(const MatrixView<double>& x, const Range& range, Keyed* keyed,
                          Checkpoint& checkpoint) {
    split(x, range, keyed);
    checkpoint();
    if (range.leaves == 1) return;
    split_all(x, range.first(), keyed, checkpoint);
    split_all(x, range.second(), keyed, checkpoint);
}

// Bounds of the rows below a node; and, of more than one leaf, the cut into two halves.
void Partition::split(const MatrixView<double>& x, const Range& range, Keyed* keyed) {
    Keyed* const begin = keyed + range.leaf * width;
    Keyed* const end = keyed + std::min(rows_, (range.leaf + range.leaves) * width);
    Node& node = nodes_[static_cast<std::size_t>(range.node)];
    node = {0.0, 0.0, 0, std::numeric_limits<std::int64_t>::max()};
    for (const Keyed* each = begin; each != end; ++each)
        node.least = std::min(node.least, each->row);
    if (range.leaves == 1 && range.node != 0) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto cols = static_cast<std::size_t>(cols_);
    std::vector<double> lowest(cols, infinity), highest(cols, -infinity);
    for (const Keyed* each = begin; each != end; ++each) {
        const double* const row = x.row(each->row);
        for (Index l = 0; l < cols_; ++l) {
            lowest[l] = std::min(lowest[l], row[l * x.col_stride]);
            highest[l] = std::max(highest[l], row[l * x.col_stride]);
        }
    }
    for (Index l = 1; l < cols_; ++l)
        if (highest[l] - lowest[l] > highest[node.column] - lowest[node.column]) node.column = l;
    if (range.leaves > 1) {
        for (Keyed* each = begin; each != end; ++each) each->key = x(each->row, node.column);
        Keyed* const middle = begin + left(range.leaves) * width;
        std::nth_element(begin, middle, end);
        node.low = std::max_element(begin, middle)->key;
        node.high = middle->key;
    }
    if (range.node == 0) lowest_ = std::move(lowest), highest_ = std::move(highest);
}

void Partition::fill(const MatrixView<double>& x) {
    blocks_ = Buffer(area(leaves_ * width, cols_));
    constexpr Index group = 256;
    parallel_for((leaves_ + group - 1) / group, [&](Index g, Checkpoint&) {
        for (Index leaf = g * group; leaf < std::min(leaves_, (g + 1) * group); ++leaf)
            for (Index j = 0; j < count(leaf); ++j) {
                const std::int64_t row = order_[leaf * width + j];
                for (Index l = 0; l < cols_; ++l)
                    blocks_[(leaf * cols_ + l) * width + j] = x(row, l);
            }
    });
}

Index Partition::leaf_of(const double* row) const {
    Index leaf = 0;
    for (Index at = 0, leaves = leaves_; leaves > 1;) {
        const Node& here = node(at);
        const double value = row[here.column];
        if (value - here.low <= here.high - value) {
            at += 1;
            leaves = left(leaves);
        } else {
            at = right_node(at, leaves);
            leaf += left(leaves);
            leaves -= left(leaves);
        }
    }
    return leaf;
}

}  // namespace stylobate::tile
