#include "cluster/pair_spanning_tree.hpp"

#include <algorithm>
#include <limits>

#include "cluster/components.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::cluster {
namespace {

bool shorter(const PairEdge& a, const PairEdge& b) {
    if (a.length != b.length) return a.length < b.length;
    const auto [a0, a1] = std::minmax(a.from, a.to);
    const auto [b0, b1] = std::minmax(b.from, b.to);
    return a0 != b0 ? a0 < b0 : a1 < b1;
}

// The shortest edge out of each component, by its root.
std::vector<PairEdge> shortest(const tile::Pairs& pairs, const double* core,
                               const std::vector<Index>& root) {
    const Index n = pairs.rows(), segments = tile::Sharing(n).segments;
    const PairEdge none{std::numeric_limits<double>::infinity(), -1, -1};
    std::vector<PairEdge> found(static_cast<std::size_t>(area(n, segments)), none);
    const std::unique_ptr<tile::Strips> strips = pairs.strips();
    const Index width = tile::panel_rows<double>();
    tile::over_strips(*strips, [&](tile::Chunk& chunk, Index row0, Index count, Index segment) {
        for (Index i = 0; i < chunk.queries; ++i) {
            const Index query = chunk.query0 + i;
            const double own = core == nullptr ? 0.0 : core[query];
            const double* const strip = chunk.values.data() + i * width;
            PairEdge& best = found[segment * n + query];
            for (Index j = 0; j < count; ++j) {
                if (!(strip[j] < best.length) || root[row0 + j] == root[query]) continue;
                const double other = core == nullptr ? 0.0 : core[row0 + j];
                const PairEdge edge{std::max({strip[j], own, other}), query, row0 + j};
                if (edge.length < best.length) best = edge;
            }
        }
    });
    std::vector<PairEdge> best(static_cast<std::size_t>(n), none);
    for (const PairEdge& edge : found)
        if (edge.to >= 0 && shorter(edge, best[root[edge.from]])) best[root[edge.from]] = edge;
    return best;
}

}  // namespace

std::vector<PairEdge> pair_spanning_tree(const tile::Pairs& pairs, const double* core) {
    const Index n = pairs.rows();
    if (pairs.queries() != n) throw InvalidArgument("a spanning tree is of one table");
    Components components(n);
    std::vector<PairEdge> edges;
    std::vector<Index> root(static_cast<std::size_t>(n));
    while (static_cast<Index>(edges.size()) + 1 < n) {
        for (Index i = 0; i < n; ++i) root[i] = components.find(i);
        std::vector<PairEdge> chosen;
        for (const PairEdge& edge : shortest(pairs, core, root))
            if (edge.to >= 0) chosen.push_back(edge);
        std::sort(chosen.begin(), chosen.end(), shorter);
        const std::size_t before = edges.size();
        for (const PairEdge& edge : chosen)
            if (!components.together(edge.from, edge.to)) {
                components.unite(edge.from, edge.to);
                edges.push_back(edge);
            }
        if (edges.size() == before) throw InvalidArgument("a spanning tree needs finite distances");
    }
    std::sort(edges.begin(), edges.end(), shorter);
    return edges;
}

}  // namespace stylobate::cluster
