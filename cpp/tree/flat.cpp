#include "tree/flat.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tree/cells.hpp"
#include "tree/walk.hpp"

namespace stylobate::tree {
namespace {

constexpr Index part_rows = 512;    // that walk a tree side by side
constexpr Index block_rows = 4096;  // that walk it while it is near

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
    // body(first row, count, leaves) for parts of the block's rows that walk one tree.
    template <class Walk, class Body>
    void leaves(const Walk& walk, std::uint32_t root, Index rows, const Body& body) const {
        std::array<std::uint32_t, part_rows> at, active;
        for (Index i = 0; i < rows; i += part_rows) {
            const auto count = static_cast<std::uint32_t>(std::min(part_rows, rows - i));
            const T* const first = first_ + i * row_stride_;
            if (col_stride_ == 1)
                walk.leaves(root, first, row_stride_, Index{1}, count, at.data(), active.data());
            else
                walk.leaves(root, first, row_stride_, col_stride_, count, at.data(), active.data());
            body(i, count, at.data());
        }
    }

 private:
    const T* first_;
    Index row_stride_, col_stride_;
    std::vector<T> rows_;
};

// Rows of a block: some for every thread, few enough to be spread evenly.
Index block_of(Index rows, Index least, Index most) {
    return std::clamp(rows / (4 * threads()), least, most);
}

// body(begin, end, rows, checkpoint) for blocks of rows, in parallel.
template <class T, class Body>
void for_blocks(const MatrixView<T>& x, Index trees, const Body& body) {
    constexpr Index copied = Index{1} << 16;  // numbers, that lie in the second cache
    const bool copy = trees > 8 && !x.rows_contiguous();
    const Index most = copy ? std::clamp(copied / x.cols, part_rows, block_rows) : block_rows;
    const Index step = block_of(x.rows, 64, most);
    parallel_for((x.rows + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
        const Index begin = chunk * step, end = std::min(begin + step, x.rows);
        body(begin, end, BlockRows<T>(x, begin, end, copy), checkpoint);
    });
}

template <class T, class Body>
void for_cell_blocks(const MatrixView<T>& x, const Body& body) {
    const Index step = block_of(x.rows, CellForest::part_rows, CellForest::block_rows);
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
    : packed_(trees, features, width) {}

// body(walk) with the least the rows need; looking for gaps pays when there are trees to walk.
template <class Rows, class Body>
void Forest::walking(const Rows& rows, Index count, Index trees, const Body& body) const {
    const bool gaps = trees < 4 || rows.gaps(count, features());
    if (!packed_.words.empty())
        body(Walk<true, true>{packed_.nodes.data(), packed_.words.data()});
    else if (gaps)
        body(Walk<false, true>{packed_.nodes.data(), packed_.words.data()});
    else
        body(Walk<false, false>{packed_.nodes.data(), packed_.words.data()});
}

Forest::~Forest() = default;

// Cells for a call that walks so many rows through so many trees, or null where they do not pay:
// making them costs as much as `making` steps for each node, ranking a column `ranking` steps of a
// row. All rows so far count: who asks for a few again and again gets them in the end. A handful
// is not worth fetching the thresholds.
const CellForest* Forest::cells(Index rows, Index trees) const {
    constexpr Index making = 16, ranking = 2, handful = 8;
    const Index mean_nodes = packed_.nodes.size() / this->trees();
    const Index steps =
        trees * static_cast<Index>(std::bit_width(static_cast<std::size_t>(mean_nodes)));
    const Index seen = rows_seen_.fetch_add(rows, std::memory_order_relaxed) + rows;
    if (rows < handful || !packed_.words.empty() || ranking * packed_.split_columns > steps ||
        seen < making * packed_.nodes.size() / steps)
        return nullptr;
    std::call_once(cells_made_, [&] { cells_ = CellForest::of(packed_); });
    return cells_.get();
}

template <class T>
void Forest::add(const MatrixView<T>& x, Index first, Index last, const std::int32_t* columns,
                 double* out, Index out_cols) const {
    require(x.cols == features(), "the rows must have the features of the forest");
    require(0 <= first && first <= last && last <= trees(), "there are no such trees");
    for (Index t = first; t < last; ++t)
        require((columns == nullptr ? 0 : columns[t]) >= 0 &&
                    (columns == nullptr ? 0 : columns[t]) + width() <= out_cols,
                "a tree adds to columns that are not there");
    const Index count = last - first;
    if (count == 0) return;
    const auto add_leaves = [&](Index t, Index begin, Index rows, const std::uint32_t* leaves,
                                const double* values) {
        double* sums = out + begin * out_cols + (columns == nullptr ? 0 : columns[t]);
        if (width() == 1)
            add_values<1>(values, leaves, rows, 1, sums, out_cols);
        else if (width() == 2)
            add_values<2>(values, leaves, rows, 2, sums, out_cols);
        else
            add_values<0>(values, leaves, rows, width(), sums, out_cols);
    };
    if (const CellForest* const made = cells(x.rows, count)) {
        for_cell_blocks(x, [&](Index begin, Index end, Checkpoint& checkpoint) {
            made->walk(x, begin, end, first, last, checkpoint,
                       [&](Index t, Index i, Index rows, const auto* leaves, Index base) {
                           add_leaves(t, i, rows, leaves, made->value(base));
                       });
        });
        return;
    }
    for_blocks(x, count, [&](Index begin, Index end, const auto& rows, auto& checkpoint) {
        walking(rows, end - begin, count, [&](const auto& walk) {
            for (Index t = first; t < last; ++t) {
                checkpoint();
                const std::uint32_t root = packed_.roots[static_cast<std::size_t>(t)];
                rows.leaves(walk, root, end - begin, [&](Index i, Index n, const auto* leaves) {
                    add_leaves(t, begin + i, n, leaves, packed_.values.data());
                });
            }
        });
    });
}

template <class T>
void Forest::leaves(const MatrixView<T>& x, std::int64_t* out) const {
    require(x.cols == features(), "the rows must have the features of the forest");
    const Index count = trees();
    if (const CellForest* const made = cells(x.rows, count)) {
        const auto write = [&](Index t, Index begin, Index rows, const std::uint32_t* leaves,
                               Index base) {
            std::int64_t* to = out + begin * count + t;
            for (Index i = 0; i < rows; ++i, to += count)
                *to = packed_.original[made->node(base + leaves[i])];
        };
        for_cell_blocks(x, [&](Index begin, Index end, Checkpoint& checkpoint) {
            made->walk(x, begin, end, 0, count, checkpoint, write);
        });
        return;
    }
    for_blocks(x, count, [&](Index begin, Index end, const auto& rows, auto& checkpoint) {
        walking(rows, end - begin, count, [&](const auto& walk) {
            for (Index t = 0; t < count; ++t) {
                checkpoint();
                const std::uint32_t root = packed_.roots[static_cast<std::size_t>(t)];
                rows.leaves(walk, root, end - begin, [&](Index i, Index n, const auto* leaves) {
                    std::int64_t* to = out + (begin + i) * count + t;
                    for (Index k = 0; k < n; ++k, to += count) *to = packed_.original[leaves[k]];
                });
            }
        });
    });
}

template <class T>
Forest::Paths Forest::paths(const MatrixView<T>& x) const {
    require(x.cols == features(), "the rows must have the features of the forest");
    const Walk<true, true> walk{packed_.nodes.data(), packed_.words.data()};
    std::vector<std::vector<std::int64_t>> found(static_cast<std::size_t>(x.rows));
    for_blocks(x, 1, [&](Index begin, Index end, const auto&, auto& checkpoint) {
        for (Index i = begin; i < end; ++i) {
            checkpoint();
            auto& nodes = found[static_cast<std::size_t>(i)];
            for (const std::uint32_t root : packed_.roots) {
                const std::size_t start = nodes.size();
                for (std::uint32_t at = root;;) {
                    nodes.push_back(root + packed_.original[at]);  // trees lie one after the other
                    const PackedNode& node = packed_.nodes[at];
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
