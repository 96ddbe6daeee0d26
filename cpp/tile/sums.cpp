#include "tile/sums.hpp"

#include <cmath>
#include <limits>

namespace stylobate::tile {
namespace {

// sum · e^shift
struct Scaled {
    double shift = -std::numeric_limits<double>::infinity();
    double sum = 0.0;

    void add(double other_shift, double other) {
        if (other_shift > shift) {
            sum = sum * std::exp(shift - other_shift);
            shift = other_shift;
        }
        if (other != 0.0) sum += other * std::exp(other_shift - shift);
    }
};

bool in_logs(Map kind) {
    return kind == Map::log_exponent || kind == Map::log_root_exponent;
}

}  // namespace

void sum_rows(Strips& strips, const Mapping& mapping, const double* weights, double* out) {
    const Index n = strips.queries(), width = panel_rows<double>();
    const Index segments = Sharing(n).segments;
    const bool logs = in_logs(mapping.kind);
    std::vector<Scaled> sums(static_cast<std::size_t>(area(n, segments)));
    if (!logs)
        for (Scaled& each : sums) each.shift = 0.0;
    over_strips(strips, [&](Chunk& chunk, Index row0, Index count, Index segment) {
        const double* const w = weights == nullptr ? nullptr : weights + row0;
        for (Index i = 0; i < chunk.queries; ++i) {
            double* const c = chunk.values.data() + i * width;
            Scaled& total = sums[segment * n + chunk.query0 + i];
            apply(mapping, 0.0, nullptr, c, count);
            if (!logs) {
                total.sum += kernels().tile_sum(c, w, count);
                continue;
            }
            double most = c[0];
            for (Index j = 1; j < count; ++j) most = std::max(most, c[j]);
            if (most == -std::numeric_limits<double>::infinity()) continue;
            kernels().tile_map(static_cast<int>(Map::exponential), 1.0, -most, 1.0, c, count);
            total.add(most, kernels().tile_sum(c, w, count));
        }
    });
    for (Index q = 0; q < n; ++q) {
        Scaled total = sums[q];
        for (Index s = 1; s < segments; ++s) {
            const Scaled& more = sums[s * n + q];
            if (logs && more.sum != 0.0)
                total.add(more.shift, more.sum);
            else if (!logs)
                total.sum += more.sum;
        }
        out[q] = logs ? std::log(total.sum) + (total.sum == 0.0 ? 0.0 : total.shift) : total.sum;
    }
}

}  // namespace stylobate::tile
