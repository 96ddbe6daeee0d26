#include "embed/neighbour_layout.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"

namespace stylobate::layout {
namespace {

constexpr Index chunk_rows = 512;  // the unit of parallel work
constexpr Index block_rows = 32;   // whose strangers are drawn before they are moved

void check(const LayoutGraph& graph, const LayoutOptions& options, Index first, Index last) {
    const auto most = static_cast<Index>(std::numeric_limits<std::int32_t>::max());
    if (graph.rows < 1 || graph.points < 1 || graph.points > most)
        throw InvalidArgument("a layout needs from 1 to 2147483647 points");
    if (graph.dimensions < 1 || graph.dimensions > most_dimensions)
        throw InvalidArgument("a layout has from 1 to 256 dimensions");
    if (options.draws < pairs_at_once || options.draws % pairs_at_once != 0 || options.draws > 4096)
        throw InvalidArgument("strangers are drawn in multiples of 16");
    if (first < 0 || last < first || last > options.epochs)
        throw InvalidArgument("epochs must be among those of the layout");
    if (graph.offsets[0] != 0) throw InvalidArgument("offsets must begin with 0");
    for (Index i = 0; i < graph.rows; ++i)
        if (graph.offsets[i + 1] < graph.offsets[i])
            throw InvalidArgument("offsets must not fall");
    for (Index e = 0; e < graph.offsets[graph.rows]; ++e)
        if (graph.columns[e] < 0 || graph.columns[e] >= graph.points)
            throw InvalidArgument("columns must be numbers of points");
}

// The summed weights of each row.
std::vector<float> loads_of(const LayoutGraph& graph) {
    std::vector<float> loads(static_cast<std::size_t>(graph.rows));
    for (Index i = 0; i < graph.rows; ++i) {
        double sum = 0.0;
        for (Index e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) sum += graph.weights[e];
        loads[i] = static_cast<float>(sum);
    }
    return loads;
}

// Numbers of points at equal chances, eight from a block of random words.
void draw(const Philox& random, std::uint64_t key, Index points, Index draws, std::int32_t* out) {
    const auto count = static_cast<std::uint64_t>(points);
    for (Index at = 0; at < draws; at += 8) {
        const auto words = random({key, static_cast<std::uint64_t>(at), 0, 0});
        for (Index w = 0; w < 4; ++w) {
            out[at + 2 * w] = static_cast<std::int32_t>(((words[w] & 0xFFFFFFFFu) * count) >> 32);
            out[at + 2 * w + 1] = static_cast<std::int32_t>(((words[w] >> 32) * count) >> 32);
        }
    }
}

// Steps fall to 0 linearly; momentum stays long, for whole groups travel by it, and falls at the end.
LayoutEpoch epoch_of(const LayoutOptions& options, Index epoch) {
    const double gone = static_cast<double>(epoch) / static_cast<double>(options.epochs);
    return {options.curve,
            static_cast<float>(options.learning_rate),
            static_cast<float>(1.0 - gone),
            static_cast<float>(options.momentum * (1.0 - gone * gone)),
            static_cast<float>(options.repulsion),
            options.draws};
}

}  // namespace

void neighbour_layout(const LayoutGraph& graph, const LayoutOptions& options, Index first,
                      Index last, float* positions, float* steps) {
    check(graph, options, first, last);
    const Index n = graph.rows, d = graph.dimensions;
    const std::vector<float> loads = loads_of(graph);
    std::vector<float> other(positions, positions + n * d);  // epochs write from one to the other
    float *from = positions, *to = other.data();
    for (Index epoch = first; epoch < last; ++epoch) {
        const LayoutEpoch now = epoch_of(options, epoch);
        const LayoutRows rows{from,          graph.fixed ? graph.fixed : from, d,
                              graph.offsets, graph.columns,                    graph.weights};
        const Philox random(options.seed, static_cast<std::uint64_t>(epoch));
        parallel_for((n + chunk_rows - 1) / chunk_rows, [&](Index chunk, Checkpoint& checkpoint) {
            std::vector<std::int32_t> strangers(static_cast<std::size_t>(block_rows * now.draws));
            const Index end = std::min(n, (chunk + 1) * chunk_rows);
            for (Index at = chunk * chunk_rows; at < end; at += block_rows) {
                const Index stop = std::min(end, at + block_rows);
                for (Index i = at; i < stop; ++i)
                    draw(random, graph.keys[i], graph.points, now.draws,
                         strangers.data() + (i - at) * now.draws);
                kernels().layout_rows(rows, now, at, stop, strangers.data(), loads.data(), to,
                                      steps);
                checkpoint();
            }
        });
        std::swap(from, to);
    }
    if (from != positions) std::copy(from, from + n * d, positions);
}

}  // namespace stylobate::layout
