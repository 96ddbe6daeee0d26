#include "tree/flat.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tree/cells.hpp"
#include "tree/walk.hpp"

namespace stylobate::tree {
namespace {

constexpr Index most_rows = 512;  // of a block: enough to pay for fetching a tree, few for L2

void require(bool condition, const char* message) {
    if (!condition) throw InvalidArgument(message);
}

// Rows of a block; many trees walk a copy whose rows are contiguous.
template <class T>
class BlockRows {
 public:
    BlockRows(const MatrixView<T>& x, Index begin, Index end, bool copy)
        : first_(x.row(begin)), row_stride_(x.row_stride), col_stride_(x.col_stride) {
        if (!copy) return;
        rows_.resize(static_cast<std::size_t>((end - begin) * x.cols));
        for (Index i = begin; i < end; ++i)
            for (Index j = 0; j < x.cols; ++j)
                rows_[static_cast<std::size_t>((i - begin) * x.cols + j)] = x(i, j);
        first_ = rows_.data();
        row_stride_ = x.cols;
        col_stride_ = 1;
    }
    bool gaps(Index count, Index cols) const {
        bool any = false;
        for (Index i = 0; i < count; ++i)
            for (Index j = 0; j < cols; ++j) {
                const T value = first_[i * row_stride_ + j * col_stride_];
                any |= value != value;
            }
        return any;
    }
    // at[i] becomes the leaf of row i of the block.
    template <class Walk>
    void leaves(const Walk& walk, std::uint32_t root, Index count, std::uint32_t* at) const {
        std::array<std::uint32_t, most_rows> active;
        const auto rows = static_cast<std::uint32_t>(count);
        if (col_stride_ == 1)
            walk.leaves(root, first_, row_stride_, Index{1}, rows, at, active.data());
        else
            walk.leaves(root, first_, row_stride_, col_stride_, rows, at, active.data());
    }

 private:
    const T* first_;
    Index row_stride_, col_stride_;
    std::vector<T> rows_;
};

// body(begin, end, rows, checkpoint) for blocks of rows, in parallel.
template <class T, class Body>
void for_blocks(const MatrixView<T>& x, Index trees, const Body& body) {
    const Index step = std::clamp(x.rows / 64, Index{64}, most_rows);
    parallel_for((x.rows + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
        const Index begin = chunk * step, end = std::min(begin + step, x.rows);
        const BlockRows<T> rows(x, begin, end, trees > 8 && !x.rows_contiguous());
        body(begin, end, rows, checkpoint);
    });
}

template <class T, class Body>
void for_cell_blocks(const MatrixView<T>& x, const Body& body) {
    const Index step = std::clamp(x.rows / 8, CellForest::part_rows, CellForest::block_rows);
    parallel_for((x.rows + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
        body(chunk * step, std::min((chunk + 1) * step, x.rows), checkpoint);
    });
}

// Adds the values of rows' leaves; `fixed`: how many numbers a leaf has where that is known.
template <Index fixed>
void add_values(const double* values, const std::uint32_t* leaves, Index rows, Index width,
                double* sums, Index out_cols) {
    for (Index i = 0; i < rows; ++i, sums += out_cols) {
        const Index count = fixed > 0 ? fixed : width;
        const double* const value = values + Index{leaves[i]} * count;
        for (Index k = 0; k < count; ++k) sums[k] += value[k];
    }
}

}  // namespace

Forest::Forest(const std::vector<TreeView>& trees, Index features, Index width)
    : features_(features), width_(width) {
    require(features >= 1 && features < static_cast<Index>(feature_mask), "too many features");
    require(width >= 1, "leaves must hold a value");
    Index total = 0;
    for (const auto& tree : trees) {
        check_tree(tree, features);
        total += tree.nodes;
    }
    require(total < std::numeric_limits<std::int32_t>::max(), "the forest has too many nodes");
    nodes_.reserve(static_cast<std::size_t>(total));
    original_.reserve(nodes_.capacity());
    values_.reserve(static_cast<std::size_t>(total * width));
    std::vector<std::uint8_t> split(static_cast<std::size_t>(features), 0);
    for (const auto& tree : trees) {
        append(tree);
        for (Index i = 0; i < tree.nodes; ++i)
            if (tree.left[i] >= 0) split[static_cast<std::size_t>(tree.feature[i])] = 1;
    }
    split_columns_ = std::count(split.begin(), split.end(), 1);
}

// Level by level: the nodes every row passes lie together, and siblings next to each other.
void Forest::append(const TreeView& tree) {
    const auto base = static_cast<std::uint32_t>(nodes_.size());
    const auto words = static_cast<std::uint64_t>(words_.size());
    std::vector<std::int32_t> order{0};
    order.reserve(static_cast<std::size_t>(tree.nodes));
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::int32_t node = order[k];
        const auto at = base + static_cast<std::uint32_t>(k);
        PackedNode packed{0.0, 0, at};  // a leaf is its own child
        if (tree.left[node] >= 0) {
            packed.child = base + static_cast<std::uint32_t>(order.size());
            packed.threshold = tree.threshold[node];
            packed.feature_and_kind = static_cast<std::uint32_t>(tree.feature[node]) |
                                      (tree.missing_left[node] != 0 ? missing_left_bit : 0u);
            const bool by_category =
                tree.category_start != nullptr && tree.category_start[node] >= 0;
            if (by_category) {
                packed.feature_and_kind |= category_bit;
                packed.threshold = std::bit_cast<double>(
                    words + static_cast<std::uint64_t>(tree.category_start[node]));
            }
            packed.feature_and_kind |=
                static_cast<std::uint32_t>(tree.left[tree.left[node]] < 0) << left_is_leaf |
                static_cast<std::uint32_t>(tree.left[tree.right[node]] < 0) << (left_is_leaf + 1);
            order.push_back(tree.left[node]);
            order.push_back(tree.right[node]);
        }
        nodes_.push_back(packed);
        original_.push_back(node);
        const double* const value = tree.value + Index{node} * width_;
        values_.insert(values_.end(), value, value + width_);
    }
    if (tree.categories != nullptr)
        words_.insert(words_.end(), tree.categories, tree.categories + tree.category_words);
    roots_.push_back(base);
    node_counts_.push_back(tree.nodes);
}

// body(walk) with the least the rows need; looking for gaps pays when there are trees to walk.
template <class Rows, class Body>
void Forest::walking(const Rows& rows, Index count, Index trees, const Body& body) const {
    const bool gaps = trees < 4 || rows.gaps(count, features_);
    if (!words_.empty())
        body(Walk<true, true>{nodes_.data(), words_.data()});
    else if (gaps)
        body(Walk<false, true>{nodes_.data(), words_.data()});
    else
        body(Walk<false, false>{nodes_.data(), words_.data()});
}

Forest::~Forest() = default;

// Cells for a call that walks so many rows through so many trees, or null where they do not pay:
// making them costs as much as `making` steps for each node, ranking a column `ranking` steps of a
// row. All rows so far count: who asks for a few again and again gets them in the end. A handful
// is not worth fetching the thresholds.
const CellForest* Forest::cells(Index rows, Index trees) const {
    constexpr Index making = 16, ranking = 2, handful = 8;
    const Index mean_nodes = static_cast<Index>(nodes_.size()) / this->trees();
    const Index steps =
        trees * static_cast<Index>(std::bit_width(static_cast<std::size_t>(mean_nodes)));
    const Index seen = rows_seen_.fetch_add(rows, std::memory_order_relaxed) + rows;
    if (rows < handful || !words_.empty() || ranking * split_columns_ > steps ||
        seen < making * static_cast<Index>(nodes_.size()) / steps)
        return nullptr;
    std::call_once(cells_made_, [&] {
        cells_ = CellForest::of({nodes_, roots_, node_counts_, values_, features_, width_});
    });
    return cells_.get();
}

template <class T>
void Forest::add(const MatrixView<T>& x, Index first, Index last, const std::int32_t* columns,
                 double* out, Index out_cols) const {
    require(x.cols == features_, "the rows must have the features of the forest");
    require(0 <= first && first <= last && last <= trees(), "there are no such trees");
    for (Index t = first; t < last; ++t)
        require((columns == nullptr ? 0 : columns[t]) >= 0 &&
                    (columns == nullptr ? 0 : columns[t]) + width_ <= out_cols,
                "a tree adds to columns that are not there");
    const Index count = last - first;
    if (count == 0) return;
    if (const CellForest* const made = cells(x.rows, count)) {
        const auto add_leaves = [&](Index t, Index begin, Index rows, const std::uint32_t* leaves,
                                    Index base) {
            double* sums = out + begin * out_cols + (columns == nullptr ? 0 : columns[t]);
            const double* const values = made->value(base);
            if (width_ == 1)
                add_values<1>(values, leaves, rows, 1, sums, out_cols);
            else if (width_ == 2)
                add_values<2>(values, leaves, rows, 2, sums, out_cols);
            else
                add_values<0>(values, leaves, rows, width_, sums, out_cols);
        };
        for_cell_blocks(x, [&](Index begin, Index end, Checkpoint& checkpoint) {
            made->walk(x, begin, end, first, last, checkpoint, add_leaves);
        });
        return;
    }
    for_blocks(x, count, [&](Index begin, Index end, const auto& rows, auto& checkpoint) {
        const Index size = end - begin;
        std::array<std::uint32_t, most_rows> at;
        walking(rows, size, count, [&](const auto& walk) {
            for (Index t = first; t < last; ++t) {
                checkpoint();
                rows.leaves(walk, roots_[static_cast<std::size_t>(t)], size, at.data());
                double* sums = out + begin * out_cols + (columns == nullptr ? 0 : columns[t]);
                for (Index i = 0; i < size; ++i, sums += out_cols) {
                    const double* const value =
                        values_.data() + Index{at[static_cast<std::size_t>(i)]} * width_;
                    for (Index k = 0; k < width_; ++k) sums[k] += value[k];
                }
            }
        });
    });
}

template <class T>
void Forest::leaves(const MatrixView<T>& x, std::int64_t* out) const {
    require(x.cols == features_, "the rows must have the features of the forest");
    const Index count = trees();
    if (const CellForest* const made = cells(x.rows, count)) {
        const auto write = [&](Index t, Index begin, Index rows, const std::uint32_t* leaves,
                               Index base) {
            std::int64_t* to = out + begin * count + t;
            for (Index i = 0; i < rows; ++i, to += count)
                *to = original_[made->node(base + leaves[i])];
        };
        for_cell_blocks(x, [&](Index begin, Index end, Checkpoint& checkpoint) {
            made->walk(x, begin, end, 0, count, checkpoint, write);
        });
        return;
    }
    for_blocks(x, count, [&](Index begin, Index end, const auto& rows, auto& checkpoint) {
        std::array<std::uint32_t, most_rows> at;
        walking(rows, end - begin, count, [&](const auto& walk) {
            for (Index t = 0; t < count; ++t) {
                checkpoint();
                rows.leaves(walk, roots_[static_cast<std::size_t>(t)], end - begin, at.data());
                for (Index i = begin; i < end; ++i)
                    out[i * count + t] = original_[at[static_cast<std::size_t>(i - begin)]];
            }
        });
    });
}

template <class T>
Forest::Paths Forest::paths(const MatrixView<T>& x) const {
    require(x.cols == features_, "the rows must have the features of the forest");
    const Walk<true, true> walk{nodes_.data(), words_.data()};
    std::vector<std::vector<std::int64_t>> found(static_cast<std::size_t>(x.rows));
    for_blocks(x, 1, [&](Index begin, Index end, const auto&, auto& checkpoint) {
        for (Index i = begin; i < end; ++i) {
            checkpoint();
            auto& nodes = found[static_cast<std::size_t>(i)];
            for (const std::uint32_t root : roots_) {
                const std::size_t start = nodes.size();
                for (std::uint32_t at = root;;) {
                    nodes.push_back(root + original_[at]);  // trees lie one after the other
                    const PackedNode& node = nodes_[at];
                    if (node.child == at) break;
                    at = node.child + walk.right(node, x.row(i), x.col_stride);
                }
                std::sort(nodes.begin() + static_cast<Index>(start), nodes.end());
            }
        }
    });
    Paths paths;
    paths.offsets.reserve(found.size() + 1);
    paths.offsets.push_back(0);
    for (const auto& nodes : found) {
        paths.nodes.insert(paths.nodes.end(), nodes.begin(), nodes.end());
        paths.offsets.push_back(static_cast<std::int64_t>(paths.nodes.size()));
    }
    return paths;
}

#define STYLOBATE_INSTANCES(T)                                                                  \
    template void Forest::add(const MatrixView<T>&, Index, Index, const std::int32_t*, double*, \
                              Index) const;                                                     \
    template void Forest::leaves(const MatrixView<T>&, std::int64_t*) const;                    \
    template Forest::Paths Forest::paths(const MatrixView<T>&) const;
STYLOBATE_INSTANCES(double)
STYLOBATE_INSTANCES(float)
#undef STYLOBATE_INSTANCES

}  // namespace stylobate::tree
