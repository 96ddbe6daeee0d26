#include <algorithm>

#include "embed/repulsion.hpp"
#include "embed/tsne_kernels.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tsne {
namespace {

constexpr Index chunk_rows = 64;  // a multiple of queries_at_once

class ExactRepulsion final : public Repulsion {
 public:
    explicit ExactRepulsion(double dof) : dof_(static_cast<float>(dof)) {}

    double compute(const Map& map, float* forces) override {
        const SplitPoints points(map);
        const Index chunks = (map.n + chunk_rows - 1) / chunk_rows;
        std::vector<double> sums(static_cast<std::size_t>(chunks));
        parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
            const Index end = std::min(map.n, (chunk + 1) * chunk_rows);
            for (Index i = chunk * chunk_rows; i < end; i += queries_at_once) {
                sums[chunk] +=
                    four(map, points, i, std::min<Index>(queries_at_once, end - i), forces);
                checkpoint();
            }
        });
        double z = -static_cast<double>(map.n);  // each point's similarity to itself is 1
        for (const double sum : sums) z += sum;
        return std::max(z, 0.0);
    }

 private:
    double four(const Map& map, const SplitPoints& points, Index from, Index count,
                float* forces) const {
        const Index d = map.d;
        float queries[queries_at_once * largest_dimension] = {};
        double force[queries_at_once * largest_dimension] = {}, sums[queries_at_once] = {};
        std::copy_n(map.points + from * d, count * d, queries);
        kernels().tsne_repulsion(points.values.data(), points.stride, points.stride, d, dof_,
                                 queries, force, sums);
        for (Index c = 0; c < count * d; ++c) forces[from * d + c] = static_cast<float>(force[c]);
        double sum = 0.0;
        for (Index q = 0; q < count; ++q) sum += sums[q];
        return sum;
    }

    float dof_;
};

}  // namespace

SplitPoints::SplitPoints(const Map& map)
    : stride((map.n + point_padding - 1) / point_padding * point_padding) {
    values.assign(static_cast<std::size_t>(stride * map.d), far_away);
    for (Index i = 0; i < map.n; ++i)
        for (Index c = 0; c < map.d; ++c) values[c * stride + i] = map.points[i * map.d + c];
}

std::unique_ptr<Repulsion> exact_repulsion(double dof) {
    return std::make_unique<ExactRepulsion>(dof);
}

std::unique_ptr<Repulsion> repulsion_by(Method method, double dof, double angle) {
    if (method == Method::exact) return exact_repulsion(dof);
    return method == Method::fourier ? fourier_repulsion(dof) : tree_repulsion(dof, angle);
}

}  // namespace stylobate::tsne
