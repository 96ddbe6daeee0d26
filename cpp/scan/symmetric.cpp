#include "scan/symmetric.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scan/kernels.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index block_rows = 64;
constexpr Index block_columns = 128;  // their factors and sums stay in the first cache
constexpr Index many_blocks = 128;    // of rows, which many parts share; each part has sums of its
constexpr Index few_parts = 8, many_parts = 16;  // own, merged in order

// Blocks of rows where parts of about equal area below the diagonal end.
std::vector<Index> part_ends(Index blocks) {
    std::vector<Index> ends;
    const Index most_parts = blocks < many_blocks ? few_parts : many_parts;
    const double area = static_cast<double>(blocks) * static_cast<double>(blocks);
    for (Index part = 1; part <= most_parts; ++part) {
        const auto end = static_cast<Index>(
            std::lround(std::sqrt(area * static_cast<double>(part) / most_parts)));
        if (end > (ends.empty() ? 0 : ends.back())) ends.push_back(std::min(end, blocks));
    }
    ends.back() = blocks;
    return ends;
}

struct Product {
    SquareMatrix a;
    bool squared;
    Index ld;
    Buffer factor;  // V, its rows padded to whole slices

    // Adds what the rows of a block give: their products with the columns on the left, and those
    // of the columns with them.
    void add_block(Index block, double* sums, Checkpoint& checkpoint) const {
        const Index first = block * block_rows, n = a.order;
        const Index rows = std::min(block_rows, n - first);
        const double* const entries = a.data + first * n;
        const double* const own = factor.data() + first * ld;
        for (Index j = 0; j < first; j += block_columns) {
            checkpoint();
            const Index cols = std::min(block_columns, first - j);
            kernels().both_products(
                entries + j, n, rows, cols, squared,
                {ld, factor.data() + j * ld, sums + j * ld, own, sums + first * ld});
        }
        add_diagonal(entries + first, rows, own, sums + first * ld);
    }

    // The square on the diagonal is L + Lᵀ, L what is below the diagonal and half of it.
    void add_diagonal(const double* entries, Index rows, const double* own, double* sums) const {
        double lower[block_rows * block_rows];
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < rows; ++j) {
                const double given = j <= i ? entries[i * a.order + j] : 0.0;
                const double entry = squared ? given * given : given;
                lower[i * block_rows + j] = j == i ? 0.5 * entry : entry;
            }
        Buffer turned(area(rows, ld));
        kernels().both_products(lower, block_rows, rows, rows, false,
                                {ld, own, turned.data(), own, sums});
        for (Index i = 0; i < rows * ld; ++i) sums[i] += turned[i];
    }
};

}  // namespace

void symmetric_product(SquareMatrix a, bool squared, const double* v, Index columns, double* out) {
    const Index n = a.order;
    if (n == 0 || columns == 0) return;
    Product product{a, squared, (columns + slice_columns - 1) / slice_columns * slice_columns, {}};
    const Index ld = product.ld;
    product.factor = Buffer(area(n, ld));
    for (Index i = 0; i < n; ++i)
        std::copy_n(v + i * columns, columns, product.factor.data() + i * ld);
    const std::vector<Index> ends = part_ends((n + block_rows - 1) / block_rows);
    const auto parts = static_cast<Index>(ends.size());
    std::vector<Buffer> sums(ends.size());
    parallel_for(parts, [&](Index turn, Checkpoint& checkpoint) {
        const auto part = static_cast<std::size_t>(parts - 1 - turn);
        const Index begin = part == 0 ? 0 : ends[part - 1], end = ends[part];
        sums[part] = Buffer(area(std::min(n, end * block_rows), ld));
        for (Index block = begin; block < end; ++block)
            product.add_block(block, sums[part].data(), checkpoint);
    });
    constexpr Index strip = 1024;
    parallel_for((n + strip - 1) / strip, [&](Index s, Checkpoint& checkpoint) {
        checkpoint();
        for (Index i = s * strip; i < std::min(n, (s + 1) * strip); ++i)
            for (Index t = 0; t < columns; ++t) {
                double sum = 0.0;
                for (const Buffer& part : sums)
                    if (i * ld < part.size()) sum += part[i * ld + t];
                out[i * columns + t] = sum;
            }
    });
}

namespace {

// A square below the diagonal beside its mirror image, number by number.
void compare_copies(const double* low, const double* high, Index n, Index rows, Index cols,
                    double* out) {
    Buffer below(area(mirror_side, mirror_side)), above(area(mirror_side, mirror_side));
    for (Index i = 0; i < rows; ++i) std::copy_n(low + i * n, cols, below.data() + i * mirror_side);
    for (Index k = 0; k < cols; ++k)
        for (Index i = 0; i < rows; ++i) above[i * mirror_side + k] = high[k * n + i];
    kernels().compare_numbers(below.data(), above.data(), rows * mirror_side, out);
}

// Rows of squares, from the left up to the diagonal.
Symmetry symmetry_of(SquareMatrix a, Index block, Checkpoint& checkpoint) {
    constexpr Index side = mirror_side;
    const Index n = a.order, rows = std::min(side, n - block * side);
    double out[3] = {0.0, 0.0, 0.0};
    for (Index j = 0; j <= block; ++j) {
        checkpoint();
        const Index cols = std::min(side, n - j * side);
        const double* const low = a.data + block * side * n + j * side;
        const double* const high = a.data + j * side * n + block * side;
        const Index step = j < block ? side : 0;
        const bool mirrored = rows == side && cols == side &&
                              kernels().is_mirrored(low, high, n, low + step, high + step * n, out);
        if (!mirrored) compare_copies(low, high, n, rows, cols, out);
    }
    return {out[0], out[1], out[2]};
}

}  // namespace

Symmetry symmetry(SquareMatrix a) {
    const Index blocks = (a.order + mirror_side - 1) / mirror_side;
    std::vector<Symmetry> found(static_cast<std::size_t>(blocks), Symmetry{0.0, 0.0, 0.0});
    parallel_for(blocks, [&](Index turn, Checkpoint& checkpoint) {
        const Index block = blocks - 1 - turn;  // the longest first
        found[static_cast<std::size_t>(block)] = symmetry_of(a, block, checkpoint);
    });
    Symmetry all{0.0, 0.0, 0.0};
    for (const Symmetry& one : found)
        all = {std::min(all.least, one.least), std::max(all.most, one.most),
               std::max(all.worst, one.worst)};
    return all;
}

}  // namespace stylobate::scan
