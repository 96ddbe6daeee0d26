#include "tree/pruning.hpp"

#include <queue>
#include <tuple>

#include "stylobate/errors.hpp"

namespace stylobate::tree {

Cuts weakest_links(const std::int32_t* left, const std::int32_t* right, const double* risk,
                   Index nodes) {
    const auto size = static_cast<std::size_t>(nodes);
    std::vector<std::int32_t> parent(size, -1);
    std::vector<double> branch(risk, risk + nodes);  // risk of the leaves below
    std::vector<Index> leaves(size, 1);
    for (Index i = nodes - 1; i >= 0; --i) {
        if (left[i] < 0) continue;
        const Index l = left[i], r = right[i];
        if (l <= i || r <= i || l >= nodes || r >= nodes)
            throw InvalidArgument("a tree's children must come after their parents");
        const auto at = static_cast<std::size_t>(i);
        parent[static_cast<std::size_t>(l)] = parent[static_cast<std::size_t>(r)] =
            static_cast<std::int32_t>(i);
        branch[at] = branch[static_cast<std::size_t>(l)] + branch[static_cast<std::size_t>(r)];
        leaves[at] = leaves[static_cast<std::size_t>(l)] + leaves[static_cast<std::size_t>(r)];
    }
    const auto alpha = [&](std::size_t i) {
        return (risk[i] - branch[i]) / static_cast<double>(leaves[i] - 1);
    };
    // entries of old versions are skipped; equal penalties are cut from the root on
    using Entry = std::tuple<double, std::size_t, Index>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
    for (std::size_t i = 0; i < size; ++i)
        if (leaves[i] > 1) waiting.emplace(alpha(i), i, leaves[i]);
    std::vector<std::uint8_t> gone(size, 0);
    Cuts cuts;
    while (!waiting.empty()) {
        const auto [penalty, node, count] = waiting.top();
        waiting.pop();
        if (gone[node] != 0 || leaves[node] != count || count < 2) continue;
        const double more = risk[node] - branch[node];
        const Index fewer = leaves[node] - 1;
        std::vector<std::size_t> below{node};
        while (!below.empty()) {  // nodes cut before have no branches left to visit
            const std::size_t at = below.back();
            below.pop_back();
            if (leaves[at] < 2) continue;
            leaves[at] = 1;
            for (const auto child : {left[at], right[at]}) {
                gone[static_cast<std::size_t>(child)] = 1;
                below.push_back(static_cast<std::size_t>(child));
            }
        }
        branch[node] = risk[node];
        for (std::int32_t up = parent[node]; up >= 0; up = parent[static_cast<std::size_t>(up)]) {
            const auto at = static_cast<std::size_t>(up);
            branch[at] += more;
            leaves[at] -= fewer;
            if (leaves[at] > 1) waiting.emplace(alpha(at), at, leaves[at]);
        }
        cuts.node.push_back(static_cast<std::int64_t>(node));
        cuts.alpha.push_back(penalty);
        cuts.risk.push_back(branch[0]);
    }
    return cuts;
}

}  // namespace stylobate::tree
