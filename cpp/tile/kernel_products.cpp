#include "tile/kernel_products.hpp"

#include "scan/kernels.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::tile {
namespace {

constexpr Index vector_numbers = 8;  // of the widest instruction set

}  // namespace

void multiply_pairs(Strips& strips, const MatrixView<double>& v, double* out) {
    if (v.rows != strips.rows()) throw InvalidArgument("one row of the factor for each row");
    const Index n = strips.queries(), width = panel_rows<double>(), cols = v.cols;
    const bool single = cols == 1;
    const Index ld = single ? 1 : round_up(cols, vector_numbers);
    Buffer right(area(v.rows, ld));
    for (Index j = 0; j < v.rows; ++j)
        for (Index c = 0; c < cols; ++c) right[j * ld + c] = v(j, c);
    const Index segments = Sharing(n).segments;
    Buffer sums(area(area(n, segments), ld));
    over_strips(strips, [&](Chunk& chunk, Index row0, Index count, Index segment) {
        double* const to = sums.data() + (segment * n + chunk.query0) * ld;
        const double* const from = right.data() + row0 * ld;
        if (single)
            for (Index i = 0; i < chunk.queries; ++i)
                to[i] += kernels().tile_sum(chunk.values.data() + i * width, from, count);
        else
            scan::kernels().multiply(chunk.values.data(), chunk.queries, width, 1, count, from, ld,
                                     cols, to, ld);
    });
    for (Index q = 0; q < n; ++q)
        for (Index c = 0; c < cols; ++c) {
            double total = sums[q * ld + c];
            for (Index s = 1; s < segments; ++s) total += sums[(s * n + q) * ld + c];
            out[q * cols + c] = total;
        }
}

}  // namespace stylobate::tile
