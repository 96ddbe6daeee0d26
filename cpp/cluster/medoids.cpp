#include "cluster/medoids.hpp"

#include <limits>

#include "cluster/candidate_blocks.hpp"
#include "cluster/medoid_kernels.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::medoids {
namespace {

using tile::panel_rows;
using tile::round_up;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

Service::Service(const Costs& costs) : points_(costs.points()) {
    const auto size = static_cast<std::size_t>(round_up(points_, panel_rows<double>()));
    near.assign(size, infinity), next.assign(size, infinity), label.assign(size, 0.0);
    nearest.assign(size, infinity), second.assign(size, infinity);
}

void Service::add(const Costs& costs, const Index* medoids, Index count) {
    constexpr Index at_once = 64, group = 16;  // medoids of a strip; panels a thread takes
    const Index width = panel_rows<double>();
    const auto strips = costs.candidate_strips(medoids, count);
    for (Index b0 = 0; b0 < points_; b0 += strips->block_rows()) {
        const Index rows = std::min(strips->block_rows(), points_ - b0);
        const Index panels = (rows + width - 1) / width;
        strips->open_block(b0, rows);
        parallel_for((panels + group - 1) / group, [&](Index g, Checkpoint& checkpoint) {
            for (Index m = 0; m < count; m += at_once) {
                const Index some = std::min(at_once, count - m);
                const auto chunk = strips->open_chunk(m, some);
                for (Index p = g * group; p < std::min(panels, (g + 1) * group); ++p) {
                    const Index at = b0 + p * width;
                    strips->strip(*chunk, at);
                    tile::kernels().tile_two_nearest(chunk->values.data(), some,
                                                     static_cast<double>(medoids_ + m), &near[at],
                                                     &next[at], &label[at]);
                    checkpoint();
                }
            }
        });
    }
    medoids_ += count;
}

void Service::settle(const Costs& costs, const double* weights) {
    costs.finish(near.data(), points_, nearest.data());
    costs.finish(next.data(), points_, second.data());
    total_ = 0.0;
    for (Index i = 0; i < points_; ++i)
        if (weights[i] > 0.0) total_ += weights[i] * nearest[i];
}

void sum_below(const Costs& costs, const double* levels, const double* weights, double* sums) {
    const Index n = costs.points(), width = panel_rows<double>();
    std::vector<double> limits(static_cast<std::size_t>(n), infinity), zeros;
    for (Index i = 0; levels != nullptr && i < n; ++i) limits[i] = costs.measure_of(levels[i]);
    if (levels == nullptr) zeros.assign(static_cast<std::size_t>(n), 0.0), levels = zeros.data();
    constexpr Index block = 768;
    const Segments segments(n, block * Index{sizeof(double)});
    const auto strips = costs.point_strips();
    std::vector<double> parts(static_cast<std::size_t>(segments.count * block));
    for (Index first = 0; first < costs.candidates(); first += block) {
        const Index count = std::min(block, costs.candidates() - first);
        std::fill(parts.begin(), parts.end(), 0.0);
        over_block(*strips, segments, first, count, [&](Index s, Index p, tile::Chunk& chunk) {
            const Index i = chunk.query0;
            kernels().medoid_below(chunk.values.data(), chunk.queries, costs.root(), &limits[i],
                                   levels + i, weights + i, &parts[s * block + p * width]);
        });
        for (Index c = 0; c < count; ++c) {
            double sum = 0.0;
            for (Index s = 0; s < segments.count; ++s) sum += parts[s * block + c];
            sums[first + c] = sum;
        }
    }
}

std::vector<Index> build(const Costs& costs, Index k, const double* weights) {
    if (k < 1 || k > costs.candidates())
        throw InvalidArgument("k must be in [1, number of candidates]");
    const Index n = costs.candidates();
    std::vector<double> sums(static_cast<std::size_t>(n));
    std::vector<bool> chosen(static_cast<std::size_t>(n), false);
    std::vector<Index> medoids;
    Service service(costs);
    while (static_cast<Index>(medoids.size()) < k) {
        sum_below(costs, medoids.empty() ? nullptr : service.nearest.data(), weights, sums.data());
        Index best = -1;
        for (Index c = 0; c < n; ++c)
            if (!chosen[c] && (best < 0 || sums[c] < sums[best])) best = c;
        chosen[best] = true;
        medoids.push_back(best);
        service.add(costs, &medoids.back(), 1);
        service.settle(costs, weights);
    }
    return medoids;
}

}  // namespace stylobate::medoids
