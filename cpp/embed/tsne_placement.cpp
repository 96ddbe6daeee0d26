#include "embed/tsne_placement.hpp"

#include <algorithm>
#include <cmath>

#include "embed/tsne_kernels.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tsne {
namespace {

constexpr Index chunk_points = 8;
constexpr double longest_step = 5.0, sufficient = 1e-4, shortest_step = 1e-9;

struct Slope {
    double value = 0.0, length = 0.0;
    double gradient[largest_dimension] = {};
};

// One new point: its energy and how it falls.
class Energy {
 public:
    Energy(const Map& map, const SplitPoints& split, const Edges& edges, Index row,
           const PlacementOptions& options)
        : map_(map), split_(split), edges_(edges), row_(row), options_(options) {}

    Slope at(const float* y) const {
        const Index d = map_.d;
        const auto from = edges_.offsets[row_], to = edges_.offsets[row_ + 1];
        float attraction[largest_dimension];
        kernels().tsne_attraction(map_.points, d, static_cast<float>(options_.dof), y,
                                  edges_.columns + from, edges_.values + from, to - from,
                                  attraction);
        float queries[queries_at_once * largest_dimension] = {};
        double forces[queries_at_once * largest_dimension] = {}, sums[queries_at_once] = {};
        std::copy_n(y, d, queries);
        kernels().tsne_repulsion(split_.values.data(), split_.stride, split_.stride, d,
                                 static_cast<float>(options_.dof), queries, forces, sums);
        const double share = static_cast<double>(map_.n) / options_.z;
        const double factor = (options_.dof + 1.0) / options_.dof;
        Slope found;
        found.value = 0.5 * (options_.dof + 1.0) * attraction_energy(y) + share * sums[0];
        for (Index c = 0; c < d; ++c) {
            found.gradient[c] = factor * (static_cast<double>(attraction[c]) - share * forces[c]);
            found.length += found.gradient[c] * found.gradient[c];
        }
        found.length = std::sqrt(found.length);
        return found;
    }

 private:
    double attraction_energy(const float* y) const {
        double sum = 0.0;
        for (auto k = edges_.offsets[row_]; k < edges_.offsets[row_ + 1]; ++k) {
            const float* const other = map_.points + Index{edges_.columns[k]} * map_.d;
            double squares = 0.0;
            for (Index c = 0; c < map_.d; ++c) {
                const double t = static_cast<double>(y[c]) - static_cast<double>(other[c]);
                squares += t * t;
            }
            sum += static_cast<double>(edges_.values[k]) * std::log1p(squares / options_.dof);
        }
        return sum;
    }

    const Map& map_;
    const SplitPoints& split_;
    const Edges& edges_;
    Index row_;
    const PlacementOptions& options_;
};

// Steepest descent; a step that falls is followed by one twice as long, another is halved.
double descend(const Energy& energy, Index d, const PlacementOptions& options, float* y) {
    Slope now = energy.at(y);
    double step = 1.0;
    for (Index t = 0; t < options.max_iter && now.length > options.tolerance; ++t) {
        step = std::min(step, longest_step / now.length);
        float tried[largest_dimension];
        for (Index c = 0; c < d; ++c) tried[c] = y[c] - static_cast<float>(step * now.gradient[c]);
        const Slope next = energy.at(tried);
        if (next.value <= now.value - sufficient * step * now.length * now.length) {
            std::copy_n(tried, d, y);
            now = next;
            step *= 2.0;
        } else {
            step *= 0.5;
            if (step < shortest_step) break;
        }
    }
    return now.length;
}

}  // namespace

std::vector<double> place_points(const Map& map, const Edges& edges, Index m,
                                 const PlacementOptions& options, float* starts) {
    const SplitPoints split(map);
    std::vector<double> lengths(static_cast<std::size_t>(m));
    parallel_for((m + chunk_points - 1) / chunk_points, [&](Index chunk, Checkpoint& checkpoint) {
        for (Index i = chunk * chunk_points; i < std::min(m, (chunk + 1) * chunk_points); ++i) {
            lengths[i] =
                descend(Energy(map, split, edges, i, options), map.d, options, starts + i * map.d);
            checkpoint();
        }
    });
    return lengths;
}

}  // namespace stylobate::tsne
