#include "tile/tree_queries.hpp"

#include <numeric>

namespace stylobate::tile {

std::vector<std::int64_t> query_order(const Partition& partition,
                                      const MatrixView<double>* queries) {
    const Index n = queries == nullptr ? partition.rows() : queries->rows;
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    constexpr Index few = 512;  // the tree fits no cache better for them
    if (queries == nullptr || n <= few) return order;
    std::vector<Index> leaf(order.size());
    constexpr Index step = 1024;
    parallel_for((n + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
        std::vector<double> row(static_cast<std::size_t>(partition.cols()));
        for (Index i = chunk * step; i < std::min(n, (chunk + 1) * step); ++i) {
            for (Index l = 0; l < partition.cols(); ++l) row[l] = (*queries)(i, l);
            leaf[i] = partition.leaf_of(row.data());
        }
        checkpoint();
    });
    std::vector<Index> start(static_cast<std::size_t>(partition.leaves() + 1), 0);
    for (const Index each : leaf) ++start[each + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (Index i = 0; i < n; ++i) order[start[leaf[i]]++] = i;
    return order;
}

}  // namespace stylobate::tile
