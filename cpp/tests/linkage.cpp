// Kernels of hierarchies against loops; rounds and chains against each other on odd sizes.
#include <algorithm>
#include <vector>

#include "check.hpp"
#include "cluster/connected_linkage.hpp"
#include "cluster/linkage_kernels.hpp"
#include "cluster/minimax_linkage.hpp"
#include "cluster/point_linkage.hpp"
#include "cluster/spanning_tree.hpp"
#include "cluster/stored_linkage.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace cluster;
using linkage::Gather;

// Numbers without pattern or ties.
std::vector<double> numbers(Index n) {
    std::vector<double> values;
    double state = 0.37;
    for (Index i = 0; i < n; ++i) {
        state = std::fmod(state * 997.31 + 0.123456789, 1.0);
        values.push_back(4.0 * state - 2.0);
    }
    return values;
}

std::vector<double> pairs_of(const MatrixView<double>& x) {
    std::vector<double> values;
    for (Index i = 0; i < x.rows; ++i)
        for (Index j = i + 1; j < x.rows; ++j) {
            double sum = 0.0;
            for (Index l = 0; l < x.cols; ++l) sum += (x(i, l) - x(j, l)) * (x(i, l) - x(j, l));
            values.push_back(std::sqrt(sum));
        }
    return values;
}

template <class Body>
void with_checkpoint(const Body& body) {
    parallel_for(1, [&](Index, Checkpoint& checkpoint) { body(checkpoint); });
}

TEST(linkage_kernels_follow_their_loops) {
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512, Isa::vnni}) {
        const linkage::Kernels* const kernels = linkage::kernels_of(isa);
        if (kernels == nullptr) continue;
        for (const Index n : {1, 7, 8, 9, 33}) {
            const Index depth = 3, ld = n + 8;
            const std::vector<double> points = numbers(ld * depth), query = numbers(depth);
            std::vector<double> out(n + 8, 0.5), most(n + 8, 0.5), sums(n + 8, 0.5);
            const linkage::PointColumns columns{points.data(), ld, depth};
            kernels->point_distances(query.data(), columns, 0, n, int(Gather::squares), 1.0,
                                     out.data());
            kernels->point_distances(query.data(), columns, 0, n, int(Gather::most_square), 1.0,
                                     most.data());
            kernels->point_distances(query.data(), columns, 0, n, int(Gather::sum_of_roots), 2.0,
                                     sums.data());
            for (Index j = 0; j < n; ++j) {
                double sum = 0.0;
                for (Index l = 0; l < depth; ++l)
                    sum += (points[l * ld + j] - query[l]) * (points[l * ld + j] - query[l]);
                CHECK_CLOSE(out[j], sum, 1e-14 * (1.0 + sum));
                CHECK_CLOSE(most[j], std::max(sum, 0.5), 1e-14 * (1.0 + sum));
                CHECK_CLOSE(sums[j], 0.5 + 2.0 * std::sqrt(sum), 1e-13 * (1.0 + sum));
            }
            const Index least =
                std::min_element(points.begin(), points.begin() + n) - points.begin();
            CHECK(kernels->least_entry(points.data(), n) == least);
        }
    }
}

TEST(rounds_chains_and_stored_pairs_agree) {
    for (const Index n : {2, 3, 17, 200})
        for (const Index depth : {1, 3, 9}) {
            const std::vector<double> data = numbers(n * depth);
            const MatrixView<double> x{data.data(), n, depth, depth, 1};
            for (const Linkage linkage : {Linkage::complete, Linkage::average, Linkage::weighted,
                                          Linkage::ward, Linkage::centroid, Linkage::median}) {
                std::vector<double> values = pairs_of(x), expected;
                const bool rising = linkage != Linkage::centroid && linkage != Linkage::median;
                with_checkpoint([&](Checkpoint& checkpoint) {
                    expected = linkage_matrix(
                        n, stored_linkage(values.data(), single_rows(n), linkage, checkpoint),
                        rising);
                });
                for (const Index rest : {0, 1, 5}) {
                    const auto z = linkage_matrix(n, point_linkage(x, linkage, rest), rising);
                    CHECK(z.size() == expected.size());
                    for (std::size_t k = 0; k < z.size(); ++k)
                        CHECK_CLOSE(z[k], expected[k], 1e-9 * (1.0 + std::fabs(expected[k])));
                }
            }
        }
}

TEST(spanning_trees_and_stored_pairs_agree) {
    for (const Index n : {2, 5, 40, 300})
        for (const Index depth : {1, 2, 9}) {
            const std::vector<double> data = numbers(n * depth);
            const MatrixView<double> x{data.data(), n, depth, depth, 1};
            const SpanningTree tree = spanning_tree(x, {});
            std::vector<double> values = pairs_of(x);
            std::vector<Merge> merges;
            with_checkpoint([&](Checkpoint& checkpoint) {
                merges = stored_linkage(values.data(), single_rows(n), Linkage::single, checkpoint);
            });
            std::sort(merges.begin(), merges.end(),
                      [](const Merge& a, const Merge& b) { return a.height < b.height; });
            CHECK(tree.lengths.size() == merges.size());
            for (std::size_t k = 0; k < merges.size(); ++k)
                CHECK_CLOSE(std::sqrt(tree.lengths[k]), merges[k].height, 1e-12);
        }
}

TEST(minimax_of_three_points_and_a_chain_of_neighbours) {
    std::vector<double> values{1.0, 3.0, 2.0};  // points 0, 1, 3
    const double places[] = {0.0, 1.0, 3.0};
    const std::int64_t offsets[] = {0, 1, 3, 4}, indices[] = {1, 0, 2, 1};
    with_checkpoint([&](Checkpoint& checkpoint) {
        const PrototypeMerges found = minimax_linkage(values.data(), 3, checkpoint);
        CHECK(found.merges.size() == 2);
        CHECK(found.merges[1].height == 2.0);
        CHECK(found.prototypes[1] == 1);
        const ConnectedTree tree = connected_linkage(
            {offsets, indices, nullptr, 3}, {places, 3, 1, 1, 1}, Linkage::ward, 1, checkpoint);
        CHECK(tree.children == (std::vector<std::int64_t>{0, 1, 2, 3}));
        CHECK_CLOSE(tree.heights[0], 1.0, 1e-15);
    });
}

}  // namespace
}  // namespace stylobate
