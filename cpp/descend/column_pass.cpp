#include "descend/column_pass.hpp"

#include <algorithm>

#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {
namespace {

constexpr Index column_group = 512;               // columns one chunk correlates with the vectors
constexpr Index second_reading = Index{1} << 19;  // bytes that are still in cache when read again

Index chunks(Index count, Index size) {
    return (count + size - 1) / size;
}

}  // namespace

void correlate(const Columns& x, const std::vector<double>& vectors, Index count,
               const std::vector<char>& awake, std::vector<double>& out) {
    const Index n = x.rows(), p = x.cols();
    out.resize(area(count, p));
    parallel_for(chunks(p, column_group), [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index end = std::min(p, (g + 1) * column_group);
        for (Index first = g * column_group; first < end;) {
            Index last = first;
            while (last < end && (awake.empty() || awake[last / column_cell] != 0))
                last = std::min(end, last + column_cell);
            if (last > first)
                x.correlate(first, last, vectors.data(), count, n, out.data() + first, p);
            first = last + column_cell;
        }
    });
}

Measures measure(const Columns& x, const double* weights, Index n_weights, const double* targets,
                 Index n_targets) {
    const Index n = x.rows(), p = x.cols();
    Measures out{std::vector<double>(area(n_weights, p)), std::vector<double>(area(n_weights, p)),
                 std::vector<double>(area(n_targets, p))};
    const Index fits =
        second_reading / (static_cast<Index>(sizeof(double)) * std::max(n, Index{1}));
    const Index group = std::clamp(fits / column_cell * column_cell, column_cell, column_group);
    parallel_for(chunks(p, group), [&](Index g, Checkpoint& checkpoint) {
        checkpoint();
        const Index first = g * group, last = std::min(p, first + group);
        x.correlate(first, last, targets, n_targets, n, out.products.data() + first, p);
        x.correlate(first, last, weights, n_weights, n, out.sums.data() + first, p);
        x.squares(first, last, weights, n_weights, n, out.squares.data() + first, p);
    });
    return out;
}

}  // namespace stylobate::descend
