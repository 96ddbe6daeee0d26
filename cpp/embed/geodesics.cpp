#include "embed/geodesics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "embed/elimination.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::embed {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index sources_per_task = 32;
constexpr double most_fill =
    12.0;  // edges after elimination, in edges before: then searches are quicker
constexpr double most_buckets = 1 << 16;  // at a time, whatever the longest edge is
constexpr double bucket_width = 0.25;     // in mean edges

// What buckets of distance follow from the lengths.
struct Buckets {
    double per_width = 0.0;  // 1 / the width of a bucket
    Index count = 1;         // that can hold a vertex at a time, a power of 2
};

Graph read(const Edges& given) {
    const Index n = given.vertices, count = given.offsets[n];
    if (n >= Index{0xffffffff}) throw InvalidArgument("more vertices than paths can be found for");
    if (given.offsets[0] != 0) throw InvalidArgument("offsets of edges start at 0");
    Graph graph;
    for (Index v = 0; v < n; ++v)
        if (given.offsets[v] > given.offsets[v + 1] || given.offsets[v + 1] > count)
            throw InvalidArgument("offsets of edges do not fall");
    graph.offsets.assign(given.offsets, given.offsets + n + 1);
    graph.edges.reserve(static_cast<std::size_t>(count));
    for (Index e = 0; e < count; ++e) {
        const std::int64_t to = given.columns[e];
        const double length = given.lengths[e];
        if (to < 0 || to >= n) throw InvalidArgument("edges lead to vertices that are there");
        if (!(length >= 0.0 && length < infinity))
            throw InvalidArgument("lengths of edges are finite and at least 0");
        graph.edges.push_back({static_cast<std::uint32_t>(to), length});
    }
    return graph;
}

Buckets buckets_of(const Graph& graph) {
    Buckets buckets;
    double sum = 0.0, longest = 0.0;
    for (const Edge& edge : graph.edges) longest = std::max(longest, edge.length);
    if (!(longest > 0.0)) return buckets;  // one bucket holds all
    for (const Edge& edge : graph.edges) sum += edge.length / longest;
    const double mean = longest * (sum / static_cast<double>(graph.edges.size()));
    const double width = std::max(bucket_width * mean, longest / most_buckets);
    buckets.per_width = std::min(1.0 / width, 1e300);
    const double most = longest * buckets.per_width + 3.0;
    while (static_cast<double>(buckets.count) < most) buckets.count *= 2;
    return buckets;
}

// Vertices that wait, by distance; room is kept from one source to the next.
class Search {
 public:
    Search(const Graph& graph, const Buckets& buckets)
        : graph_(graph),
          buckets_(buckets),
          waiting_(static_cast<std::size_t>(buckets.count)),
          left_from_(graph.offsets.size() - 1) {}

    void run(Index source, double* d) {
        const Index n = static_cast<Index>(left_from_.size());
        std::fill(d, d + n, infinity);
        std::fill(left_from_.begin(), left_from_.end(), infinity);
        d[source] = 0.0;
        push(source, 0);
        for (Index bucket = 0; count_ > 0; ++bucket) {
            auto& list = waiting_[bucket & (buckets_.count - 1)];
            for (std::size_t i = 0; i < list.size(); ++i) {  // it may grow
                const std::uint32_t v = list[i];
                if (!(d[v] < left_from_[v])) continue;  // gone on from by a path as short
                left_from_[v] = d[v];
                relax(v, d);
            }
            count_ -= static_cast<Index>(list.size());
            list.clear();
        }
    }

 private:
    void relax(Index v, double* d) {
        const double from = d[v];
        for (Index e = graph_.offsets[v]; e < graph_.offsets[v + 1]; ++e) {
            const Edge edge = graph_.edges[e];
            const double length = from + edge.length;
            if (length < d[edge.to]) {
                d[edge.to] = length;
                push(edge.to, static_cast<Index>(length * buckets_.per_width));
            }
        }
    }

    void push(Index v, Index bucket) {
        waiting_[bucket & (buckets_.count - 1)].push_back(static_cast<std::uint32_t>(v));
        ++count_;
    }

    const Graph& graph_;
    const Buckets& buckets_;
    std::vector<std::vector<std::uint32_t>> waiting_;
    std::vector<double> left_from_;
    Index count_ = 0;
};

Index tasks(Index sources) {
    return (sources + sources_per_task - 1) / sources_per_task;
}

void sweep_all(const Elimination& elimination, const std::int64_t* sources, Index count,
               double* out) {
    const auto n = static_cast<Index>(elimination.vertex.size());
    parallel_for(tasks(count), [&](Index t, Checkpoint& check) {
        std::vector<double> room(static_cast<std::size_t>(n * Elimination::lanes));
        const Index end = std::min(count, (t + 1) * sources_per_task);
        for (Index s = t * sources_per_task; s < end; s += Elimination::lanes) {
            elimination.sweep(sources + s, std::min(Elimination::lanes, end - s), room.data(),
                              out + s * n);
            check();
        }
    });
}

}  // namespace

void geodesics(const Edges& given, const std::int64_t* sources, Index count, double* out) {
    const Graph graph = read(given);
    const Index n = given.vertices;
    for (Index s = 0; s < count; ++s)
        if (sources[s] < 0 || sources[s] >= n)
            throw InvalidArgument("paths start at vertices that are there");
    const auto most = static_cast<Index>(most_fill * static_cast<double>(graph.edges.size())) + n;
    // what an elimination costs has to be shared by many sources
    if (const auto elimination = count >= n / 8 ? eliminate(graph, most) : std::nullopt) {
        sweep_all(*elimination, sources, count, out);
        return;
    }
    const Buckets buckets = buckets_of(graph);
    parallel_for(tasks(count), [&](Index t, Checkpoint& check) {
        Search search(graph, buckets);
        for (Index s = t * sources_per_task; s < std::min(count, (t + 1) * sources_per_task); ++s) {
            search.run(sources[s], out + s * n);
            check();
        }
    });
}

}  // namespace stylobate::embed
