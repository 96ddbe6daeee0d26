#include "cluster/boxed_partition.hpp"

#include <algorithm>
#include <limits>

namespace stylobate::cluster {

using tile::Partition;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

BoxedPartition::BoxedPartition(const MatrixView<double>& x) : part_(x) {
    boxes_.resize(static_cast<std::size_t>(area(nodes(), 2 * x.cols)));
    enclose(part_.root());
}

void BoxedPartition::enclose(const Range& range) {
    const Index d = part_.cols();
    double* const low = boxes_.data() + range.node * 2 * d;
    double* const high = low + d;
    if (range.leaves > 1) {
        enclose(range.first());
        enclose(range.second());
        const double* const a = box(range.first().node);
        const double* const b = box(range.second().node);
        for (Index l = 0; l < d; ++l) low[l] = std::min(a[l], b[l]);
        for (Index l = 0; l < d; ++l) high[l] = std::max(a[d + l], b[d + l]);
        return;
    }
    const double* block = part_.block(range.leaf);
    for (Index l = 0; l < d; ++l, block += Partition::width) {
        low[l] = *std::min_element(block, block + part_.count(range.leaf));
        high[l] = *std::max_element(block, block + part_.count(range.leaf));
    }
}

double BoxedPartition::squared_distance(const double* point, Index node) const {
    const Index d = part_.cols();
    const double *low = box(node), *high = low + d;
    double sum = 0.0;
    for (Index l = 0; l < d; ++l) {
        const double gap = std::max(std::max(low[l] - point[l], point[l] - high[l]), 0.0);
        sum += gap * gap;
    }
    return sum;
}

std::vector<double> BoxedPartition::lowest(const double* of_row) const {
    std::vector<double> out(static_cast<std::size_t>(nodes()));
    lowest(part_.root(), of_row, out);
    return out;
}

void BoxedPartition::lowest(const Range& range, const double* of_row,
                            std::vector<double>& out) const {
    if (range.leaves > 1) {
        lowest(range.first(), of_row, out);
        lowest(range.second(), of_row, out);
        out[range.node] = std::min(out[range.first().node], out[range.second().node]);
        return;
    }
    double least = infinity;
    for (Index j = 0; j < part_.count(range.leaf); ++j)
        least = std::min(least, of_row[part_.order()[range.leaf * Partition::width + j]]);
    out[range.node] = least;
}

}  // namespace stylobate::cluster
