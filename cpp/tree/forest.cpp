#include "forest.hpp"

#include <algorithm>
#include <bit>
#include <random>

#include "forest_grower.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::tree {
namespace {

// The rows of one tree, counted, and what they teach.
class Plot {
 public:
    Plot(const RankedColumns& columns, const ForestTarget& target, const ForestDraws& draws,
         const ForestOptions& options)
        : columns_(columns), target_(target), draws_(draws), options_(options) {}

    GrownTree grow(Index tree, Checkpoint& checkpoint) const {
        const std::vector<std::uint32_t> counts = counted(tree);
        const double* const factors =
            draws_.class_factors ? draws_.class_factors + tree * target_.classes : nullptr;
        const std::uint64_t key = NodeRandom(draws_.seeds[tree]).next();
        if (target_.classes == 0) return of_numbers(counts, key, checkpoint);
        const bool packs = target_.weights == nullptr && target_.classes <= ClassRows::largest &&
                           *std::max_element(counts.begin(), counts.end()) <= ClassRows::largest;
        return packs ? of_counts(counts, factors, key, checkpoint)
                     : of_weights(counts, factors, key, checkpoint);
    }

 private:
    std::vector<std::uint32_t> counted(Index tree) const {
        const auto n = static_cast<std::size_t>(columns_.rows());
        if (draws_.counts != nullptr) {
            const std::uint32_t* const first = draws_.counts + tree * columns_.rows();
            return {first, first + n};
        }
        if (draws_.count == 0) return std::vector<std::uint32_t>(n, 1);
        std::vector<std::uint32_t> counts(n);
        draw_counts(draws_.seeds[tree], columns_.rows(), draws_.count, counts.data());
        return counts;
    }

    double weight(std::size_t row, std::uint32_t count) const {
        return count * (target_.weights ? target_.weights[row] : 1.0);
    }

    GrownTree of_counts(const std::vector<std::uint32_t>& counts, const double* factors,
                        std::uint64_t key, Checkpoint& checkpoint) const {
        ClassRows rows(target_.classes, factors);
        std::vector<TreeRow> members;
        members.reserve(counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] == 0) continue;
            const auto label = static_cast<std::uint32_t>(target_.labels[i]);
            const TreeRow member{static_cast<std::uint32_t>(i),
                                 ClassRows::pack(label, counts[i])};
            if (rows.weight_of(member) > 0.0) members.push_back(member);
        }
        return of_classes(rows, members, key, checkpoint);
    }

    GrownTree of_weights(const std::vector<std::uint32_t>& counts, const double* factors,
                         std::uint64_t key, Checkpoint& checkpoint) const {
        std::vector<std::uint32_t> labels;
        std::vector<double> weights;
        std::vector<TreeRow> members;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const auto label = static_cast<std::uint32_t>(target_.labels[i]);
            const double each = weight(i, counts[i]) * (factors ? factors[label] : 1.0);
            if (!(each > 0.0)) continue;
            members.push_back({static_cast<std::uint32_t>(i),
                               static_cast<std::uint32_t>(labels.size())});
            labels.push_back(label);
            weights.push_back(each);
        }
        WeightedClassRows rows(target_.classes, std::move(labels), std::move(weights));
        return of_classes(rows, members, key, checkpoint);
    }

    template <class Rows>
    GrownTree of_classes(Rows& rows, std::vector<TreeRow>& members, std::uint64_t key,
                         Checkpoint& checkpoint) const {
        if (options_.criterion == ForestCriterion::entropy) {
            return grown<Entropy<Rows>>(rows, members, key, checkpoint);
        }
        if (target_.classes == 2) {
            return grown<TwoClassGini<Rows>>(rows, members, key, checkpoint);
        }
        return grown<Gini<Rows>>(rows, members, key, checkpoint);
    }

    GrownTree of_numbers(const std::vector<std::uint32_t>& counts, std::uint64_t key,
                         Checkpoint& checkpoint) const {
        std::vector<double> numbers, weights;
        std::vector<TreeRow> members;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const double each = weight(i, counts[i]);
            if (!(each > 0.0)) continue;
            members.push_back({static_cast<std::uint32_t>(i),
                               static_cast<std::uint32_t>(numbers.size())});
            numbers.push_back(target_.numbers[i]);
            weights.push_back(each);
        }
        NumberRows rows(std::move(numbers), std::move(weights));
        return grown<SquaredError>(rows, members, key, checkpoint);
    }

    template <class Accumulator, class Rows>
    GrownTree grown(Rows& rows, std::vector<TreeRow>& members, std::uint64_t key,
                    Checkpoint& checkpoint) const {
        if (members.empty()) throw InvalidArgument("a tree has drawn no row of positive weight");
        double total = 0.0;
        for (const TreeRow& member : members) total += rows.weight_of(member);
        Grower<Accumulator, Rows> grower(columns_, options_, rows, members, total);
        return grower.grow({0, members.size(), 0, key, -1}, checkpoint);
    }

    const RankedColumns& columns_;
    const ForestTarget& target_;
    const ForestDraws& draws_;
    const ForestOptions& options_;
};

}  // namespace

void draw_counts(std::uint32_t seed, Index rows, Index count, std::uint32_t* counts) {
    std::fill_n(counts, rows, 0u);
    if (rows == 1) {  // NumPy draws nothing where there is nothing to choose
        counts[0] = static_cast<std::uint32_t>(count);
        return;
    }
    std::mt19937 random(seed);
    const auto most = static_cast<std::uint32_t>(rows - 1);
    const std::uint32_t mask = std::bit_ceil(std::uint64_t{most} + 1) - 1;
    for (Index i = 0; i < count; ++i) {
        auto row = static_cast<std::uint32_t>(random()) & mask;
        while (row > most) row = static_cast<std::uint32_t>(random()) & mask;
        ++counts[row];
    }
}

std::vector<GrownTree> grow_forest(const RankedColumns& columns, const ForestTarget& target,
                                   const ForestDraws& draws, const ForestOptions& options) {
    std::vector<GrownTree> trees(static_cast<std::size_t>(draws.trees));
    const Plot plot(columns, target, draws, options);
    parallel_for(draws.trees, [&](Index tree, Checkpoint& checkpoint) {
        trees[static_cast<std::size_t>(tree)] = plot.grow(tree, checkpoint);
    });
    return trees;
}

}  // namespace stylobate::tree
