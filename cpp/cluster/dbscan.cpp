#include "cluster/dbscan.hpp"

#include <algorithm>
#include <limits>

#include "cluster/components.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {
namespace {

// Labels of the core rows: components in order of their first rows.
void number(Components& components, DensityClusters& out) {
    const auto n = static_cast<Index>(out.core.size());
    std::int64_t next = 0;
    for (Index i = 0; i < n; ++i) {
        out.labels[i] = -1;
        if (!out.core[i]) continue;
        const Index root = components.find(i);  // the first row of its component
        out.labels[i] = root == i ? next++ : out.labels[root];
    }
}

}  // namespace

DensityClusters dbscan_pairs(Index rows, Index segments, const Density& wish,
                             const std::function<void(const tile::Hit&)>& visit) {
    const auto n = static_cast<std::size_t>(rows);
    DensityClusters out{std::vector<std::int64_t>(n), std::vector<std::uint8_t>(n)};
    {
        std::vector<double> seen(static_cast<std::size_t>(area(rows, segments)), 0.0);
        visit([&](Index query, Index row, Index segment) {
            seen[segment * rows + query] += wish.weights == nullptr ? 1.0 : wish.weights[row];
        });
        for (Index i = 0; i < rows; ++i) {
            double sum = 0.0;
            for (Index s = 0; s < segments; ++s) sum += seen[s * rows + i];
            out.core[i] = sum >= wish.least;
        }
    }
    Components components(rows);
    visit([&](Index query, Index row, Index) {
        if (out.core[query] && out.core[row]) components.unite(query, row);
    });
    number(components, out);
    constexpr auto none = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> first(static_cast<std::size_t>(area(rows, segments)), none);
    visit([&](Index query, Index row, Index segment) {
        std::int64_t& best = first[segment * rows + query];
        if (!out.core[query] && out.core[row]) best = std::min(best, out.labels[row]);
    });
    for (Index i = 0; i < rows; ++i)
        for (Index s = 0; s < segments && !out.core[i]; ++s)
            if (const std::int64_t label = first[s * rows + i]; label != none)
                out.labels[i] = out.labels[i] < 0 ? label : std::min(out.labels[i], label);
    return out;
}

std::vector<std::int64_t> dbscan_edges(const std::vector<std::uint8_t>& core, const Edges& each) {
    const auto n = static_cast<Index>(core.size());
    std::vector<std::int64_t> labels(core.size(), -1);
    std::vector<Index> open;
    std::int64_t label = 0;
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {
        for (Index i = 0; i < n; ++i) {
            if (!core[i] || labels[i] >= 0) continue;
            labels[i] = label;
            open.push_back(i);
            while (!open.empty()) {
                const Index from = open.back();
                open.pop_back();
                each(from, [&](Index to) {
                    if (labels[to] >= 0) return;
                    labels[to] = label;
                    if (core[to]) open.push_back(to);
                });
                checkpoint();
            }
            ++label;
        }
    });
    return labels;
}

}  // namespace stylobate::cluster
