#include "cluster/foreign_search.hpp"

#include <algorithm>
#include <cmath>

#include "tile/kernels.hpp"

namespace stylobate::cluster {

using tile::Measure;
using tile::Partition;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index mixed = -1;  // component of a node whose rows are in several

}  // namespace

// What one task of one round works with.
struct ForeignSearch::Round {
    const std::vector<Index>& component;  // of each place
    const std::vector<char>& open;        // of each place
    std::vector<Index>& of_node;          // component of all rows below, or mixed
    std::vector<Index>& open_below;       // open rows below a node
    std::vector<double> reach;            // of a node: no open row below takes a longer edge
    std::vector<Edge> best;               // of each component
    Checkpoint* checkpoint = nullptr;
};

ForeignSearch::ForeignSearch(const MatrixView<double>& x, const tile::TreeMetric& metric,
                             const double* core)
    : tree_(x),
      part_(tree_.part()),
      metric_(metric),
      core_(core),
      lowest_core_(static_cast<std::size_t>(tree_.nodes()), 0.0),
      rows_(Buffer::unset(area(x.rows, x.cols))) {
    if (core != nullptr) lowest_core_ = tree_.lowest(core);
    for (Index place = 0; place < x.rows; ++place)
        part_.gather(place, rows_.data() + place * x.cols);
}

// A lower bound of the length of edges between the rows of two nodes, sure although rounded.
double ForeignSearch::between(Index a, Index b) const {
    const Index d = part_.cols();
    const double *one = tree_.box(a), *other = tree_.box(b);
    double sum = 0.0;
    for (Index l = 0; l < d && metric_.measure == Measure::squared; ++l) {
        const double gap = std::max(std::max(one[l] - other[d + l], other[l] - one[d + l]), 0.0);
        sum += gap * gap;
    }
    for (Index l = 0; l < d && metric_.measure != Measure::squared; ++l) {
        const double gap = std::max({one[l] - other[d + l], other[l] - one[d + l], 0.0});
        switch (metric_.measure) {
            case Measure::manhattan:
                sum += gap;
                break;
            case Measure::chebyshev:
                sum = std::max(sum, gap);
                break;
            default:
                sum += std::pow(gap, metric_.p);
        }
    }
    return std::max({sum * (1.0 - 1e-12), lowest_core_[a], lowest_core_[b]});
}

// Components, open rows and reach of the nodes, from the leaves up.
void ForeignSearch::mark(const Range& range, Round& round) const {
    if (range.leaves > 1) {
        const Index a = range.first().node, b = range.second().node;
        mark(range.first(), round);
        mark(range.second(), round);
        round.of_node[range.node] = round.of_node[a] == round.of_node[b] ? round.of_node[a] : mixed;
        round.open_below[range.node] = round.open_below[a] + round.open_below[b];
        round.reach[range.node] = std::max(round.reach[a], round.reach[b]);
        return;
    }
    const Index begin = range.leaf * Partition::width, end = begin + part_.count(range.leaf);
    Index common = round.component[begin], open = 0;
    double widest = -infinity;
    for (Index place = begin; place < end; ++place) {
        if (round.component[place] != common) common = mixed;
        open += round.open[place];
        if (round.open[place]) widest = std::max(widest, round.best[round.component[place]].length);
    }
    round.reach[range.node] = widest;
    round.of_node[range.node] = common;
    round.open_below[range.node] = open;
}

void ForeignSearch::walk(Round& round, const Range& queries, const Range& rows,
                         double bound) const {
    const Index own = round.of_node[queries.node];
    if (round.open_below[queries.node] == 0) return;
    if (own != mixed && own == round.of_node[rows.node]) return;
    double& reach = round.reach[queries.node];
    if (own != mixed) reach = std::min(reach, round.best[own].length);
    if (bound >= reach) return;
    if (queries.leaves == 1 && rows.leaves == 1) return compare(round, queries, rows);
    if (queries.leaves >= rows.leaves) {
        for (const Range& half : {queries.first(), queries.second()})
            walk(round, half, rows, between(half.node, rows.node));
        // nodes without open rows have no say
        double widest = -infinity;
        for (const Range& half : {queries.first(), queries.second()})
            if (round.open_below[half.node] > 0) widest = std::max(widest, round.reach[half.node]);
        reach = std::min(reach, widest);
        return;
    }
    const Range a = rows.first(), b = rows.second();
    const double to_a = between(queries.node, a.node), to_b = between(queries.node, b.node);
    walk(round, queries, to_a <= to_b ? a : b, std::min(to_a, to_b));
    walk(round, queries, to_a <= to_b ? b : a, std::max(to_a, to_b));
}

// Every open row of one leaf with the rows of another.
void ForeignSearch::compare(Round& round, const Range& queries, const Range& rows) const {
    (*round.checkpoint)();
    alignas(64) double found[Partition::width];
    const double* const weights = metric_.weights.empty() ? nullptr : metric_.weights.data();
    const Index first = rows.leaf * Partition::width;
    const Index only = round.of_node[rows.node];  // component of all these rows, or mixed
    double widest = -infinity;
    for (Index k = 0; k < part_.count(queries.leaf); ++k) {
        const Index place = queries.leaf * Partition::width + k;
        if (!round.open[place]) continue;
        const std::int64_t row = part_.order()[place];
        const double core = core_ == nullptr ? 0.0 : core_[row];
        Edge& best = round.best[round.component[place]];
        // only a shorter edge is news, and none within the own component
        if (core >= best.length) continue;
        if (round.component[place] == only) {
            widest = std::max(widest, best.length);
            continue;
        }
        unsigned bits = tile::kernels().leaf_values(
            static_cast<int>(metric_.measure), rows_.data() + place * part_.cols(),
            part_.block(rows.leaf), part_.cols(), weights, metric_.p, best.length, found);
        for (bits &= part_.mask(rows.leaf); bits != 0; bits &= bits - 1) {
            const int j = __builtin_ctz(bits);
            if (round.component[first + j] == round.component[place]) continue;
            const std::int64_t other = part_.order()[first + j];
            const double length =
                core_ == nullptr ? found[j] : std::max({found[j], core, core_[other]});
            if (length < best.length) best = {length, row, other};
        }
        widest = std::max(widest, best.length);
    }
    round.reach[queries.node] = std::min(round.reach[queries.node], widest);
}

void ForeignSearch::shorten(const std::vector<Index>& component, const std::vector<char>& open,
                            std::vector<Edge>& best) {
    const Index n = part_.rows();
    std::vector<Index> placed(static_cast<std::size_t>(n));
    std::vector<char> asked(static_cast<std::size_t>(n));
    for (Index place = 0; place < n; ++place) {
        placed[place] = component[part_.order()[place]];
        asked[place] = open[part_.order()[place]];
    }
    const auto nodes = static_cast<std::size_t>(tree_.nodes());
    std::vector<Index> of_node(nodes), open_below(nodes);
    Round whole{placed, asked,  of_node, open_below, std::vector<double>(nodes, infinity),
                best,   nullptr};
    mark(part_.root(), whole);
    std::vector<Range> tasks{part_.root()};
    for (constexpr std::size_t most = 32; tasks.size() < most && tasks.front().leaves > 1;) {
        std::vector<Range> halves;
        for (const Range& each : tasks) {
            if (each.leaves == 1) {
                halves.push_back(each);
                continue;
            }
            halves.push_back(each.first());
            halves.push_back(each.second());
        }
        tasks = std::move(halves);
    }
    std::vector<std::vector<Edge>> found(tasks.size());
    parallel_for(static_cast<Index>(tasks.size()), [&](Index t, Checkpoint& checkpoint) {
        if (open_below[tasks[t].node] == 0) return;
        Round round{placed, asked, of_node, open_below, whole.reach, best, &checkpoint};
        walk(round, tasks[t], part_.root(), between(tasks[t].node, 0));
        for (std::size_t c = 0; c < best.size(); ++c)
            if (round.best[c].length < best[c].length) found[t].push_back(round.best[c]);
    });
    for (const std::vector<Edge>& some : found)
        for (const Edge& edge : some) {
            Edge& shortest = best[component[edge.from]];
            if (edge.length < shortest.length) shortest = edge;
        }
}

}  // namespace stylobate::cluster
