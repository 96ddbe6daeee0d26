#include "embed/elimination.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace stylobate::embed {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using List = std::vector<Edge>;

// Every edge is there both ways with one length, and each vertex has them in order.
bool is_symmetric(const Graph& graph) {
    std::vector<Index> next(graph.offsets.begin(), graph.offsets.end() - 1);
    const auto n = static_cast<Index>(next.size());
    for (Index v = 0; v < n; ++v)
        for (Index e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
            const Edge edge = graph.edges[e];
            if (e > graph.offsets[v] && graph.edges[e - 1].to >= edge.to) return false;
            const Index back = next[edge.to]++;
            if (back >= graph.offsets[edge.to + 1] || edge.to == v) return false;
            if (graph.edges[back].to != v || graph.edges[back].length != edge.length) return false;
        }
    return true;
}

// The edges of a neighbour `self` of a vertex that goes: without it, and with those through it.
void join(List& edges, std::uint32_t self, std::uint32_t gone, double to_gone, const List& others,
          List& room) {
    room.clear();
    auto a = edges.begin();
    auto b = others.begin();
    while (a != edges.end() || b != others.end()) {
        if (a != edges.end() && a->to == gone) {
            ++a;
        } else if (b != others.end() && b->to == self) {
            ++b;
        } else if (b == others.end() || (a != edges.end() && a->to < b->to)) {
            room.push_back(*a++);
        } else {
            Edge through{b->to, to_gone + b->length};
            if (a != edges.end() && a->to == b->to)
                through.length = std::min(through.length, (a++)->length);
            room.push_back(through);
            ++b;
        }
    }
    edges.swap(room);
}

}  // namespace

std::optional<Elimination> eliminate(const Graph& graph, Index most) {
    if (!is_symmetric(graph)) return std::nullopt;
    const auto n = static_cast<Index>(graph.offsets.size()) - 1;
    std::vector<List> edges(static_cast<std::size_t>(n));
    using Wish = std::pair<std::size_t, std::uint32_t>;  // edges and number of a vertex
    std::priority_queue<Wish, std::vector<Wish>, std::greater<>> wishes;
    for (Index v = 0; v < n; ++v) {
        const auto begin = graph.edges.begin();
        edges[v].assign(begin + graph.offsets[v], begin + graph.offsets[v + 1]);
        wishes.push({edges[v].size(), static_cast<std::uint32_t>(v)});
    }
    Elimination out;
    out.place.assign(static_cast<std::size_t>(n), 0xffffffffu);
    out.later.offsets.push_back(0);
    List room;
    while (!wishes.empty()) {
        const auto [count, v] = wishes.top();
        wishes.pop();
        if (out.place[v] != 0xffffffffu || count != edges[v].size()) continue;  // of before
        const auto left = static_cast<std::size_t>(n) - out.vertex.size();
        const std::size_t so_far = out.later.edges.size();
        if (so_far + left * count > static_cast<std::size_t>(most) + count * count)
            return std::nullopt;  // each that is left will have as many edges, but the last
        out.place[v] = static_cast<std::uint32_t>(out.vertex.size());
        out.vertex.push_back(v);
        const List own = std::move(edges[v]);
        for (const Edge& edge : own) {
            join(edges[edge.to], edge.to, v, edge.length, own, room);
            wishes.push({edges[edge.to].size(), edge.to});
        }
        out.later.edges.insert(out.later.edges.end(), own.begin(), own.end());
        out.later.offsets.push_back(static_cast<Index>(out.later.edges.size()));
    }
    for (Edge& edge : out.later.edges) edge.to = out.place[edge.to];
    return out;
}

void Elimination::sweep(const std::int64_t* sources, Index count, double* room, double* out) const {
    const auto n = static_cast<Index>(vertex.size());
    std::fill(room, room + n * lanes, infinity);
    Index first = n;
    for (Index l = 0; l < count; ++l) {
        const Index p = place[sources[l]];
        room[p * lanes + l] = 0.0;
        first = std::min(first, p);
    }
    std::vector<char> reached(static_cast<std::size_t>(n), 0);
    for (Index l = 0; l < count; ++l) reached[place[sources[l]]] = 1;
    for (Index p = first; p < n; ++p) {
        if (!reached[p]) continue;
        const double* const from = room + p * lanes;
        for (Index e = later.offsets[p]; e < later.offsets[p + 1]; ++e) {
            const Edge edge = later.edges[e];
            double* const to = room + edge.to * lanes;
            reached[edge.to] = 1;
            for (Index l = 0; l < lanes; ++l) {
                const double length = from[l] + edge.length;
                to[l] = length < to[l] ? length : to[l];
            }
        }
    }
    for (Index p = n; p-- > 0;) {
        double best[lanes];
        std::copy(room + p * lanes, room + (p + 1) * lanes, best);
        for (Index e = later.offsets[p]; e < later.offsets[p + 1]; ++e) {
            const Edge edge = later.edges[e];
            const double* const from = room + edge.to * lanes;
            for (Index l = 0; l < lanes; ++l) {
                const double length = from[l] + edge.length;
                best[l] = length < best[l] ? length : best[l];
            }
        }
        std::copy(best, best + lanes, room + p * lanes);
        for (Index l = 0; l < count; ++l) out[l * n + vertex[p]] = best[l];
    }
}

}  // namespace stylobate::embed
