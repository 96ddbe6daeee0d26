#include "forest.hpp"

#include <algorithm>

#include "forest_grower.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::forest {
namespace {

// The rows of one tree, counted, and what they teach.
class Plot {
 public:
    Plot(const RankedColumns& columns, const ForestTarget& target, const Drawing& drawing,
         const ForestOptions& options)
        : columns_(columns), target_(target), drawing_(drawing), options_(options) {}

    GrownTree grow(std::uint32_t seed, Checkpoint& checkpoint) const {
        const std::vector<std::uint32_t> counts =
            drawing_.draws == 0
                ? std::vector<std::uint32_t>(static_cast<std::size_t>(columns_.rows()), 1)
                : tree::drawn_counts(columns_.rows(), drawing_, seed);
        const std::uint64_t key = NodeRandom(seed).next();
        if (target_.classes == 0) return of_numbers(counts, key, checkpoint);
        const bool packs = target_.weights == nullptr && target_.classes <= ClassRows::largest &&
                           *std::max_element(counts.begin(), counts.end()) <= ClassRows::largest;
        return packs ? of_counts(counts, key, checkpoint) : of_weights(counts, key, checkpoint);
    }

 private:
    // What a row of each class counts.
    std::vector<double> factors(const std::vector<std::uint32_t>& counts) const {
        std::vector<double> found(static_cast<std::size_t>(target_.classes), 1.0);
        if (!drawing_.balanced) return found;
        std::vector<double> drawn(found.size());
        double total = 0.0, present = 0.0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            drawn[static_cast<std::size_t>(target_.labels[i])] += counts[i];
            total += counts[i];
        }
        for (const double each : drawn) present += each > 0.0;
        for (std::size_t k = 0; k < found.size(); ++k) {
            if (drawn[k] > 0.0) found[k] = total / (present * drawn[k]);
        }
        return found;
    }

    double weight(std::size_t row, std::uint32_t count) const {
        return count * (target_.weights ? target_.weights[row] : 1.0);
    }

    GrownTree of_counts(const std::vector<std::uint32_t>& counts, std::uint64_t key,
                        Checkpoint& checkpoint) const {
        ClassRows rows(factors(counts));
        std::vector<TreeRow> members;
        members.reserve(counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] == 0) continue;
            const auto label = static_cast<std::uint32_t>(target_.labels[i]);
            const TreeRow member{static_cast<std::uint32_t>(i), ClassRows::pack(label, counts[i])};
            if (rows.weight_of(member) > 0.0) members.push_back(member);
        }
        return of_classes(rows, members, key, checkpoint);
    }

    GrownTree of_weights(const std::vector<std::uint32_t>& counts, std::uint64_t key,
                         Checkpoint& checkpoint) const {
        const std::vector<double> factor = factors(counts);
        std::vector<std::uint32_t> labels;
        std::vector<double> weights;
        std::vector<TreeRow> members;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const auto label = static_cast<std::uint32_t>(target_.labels[i]);
            const double each = weight(i, counts[i]) * factor[label];
            if (!(each > 0.0)) continue;
            members.push_back(
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(labels.size())});
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
            members.push_back(
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(numbers.size())});
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
    const Drawing& drawing_;
    const ForestOptions& options_;
};

}  // namespace

std::vector<GrownTree> grow_forest(const RankedColumns& columns, const ForestTarget& target,
                                   const Drawing& drawing, const ForestOptions& options,
                                   const std::vector<std::uint32_t>& seeds) {
    std::vector<GrownTree> trees(seeds.size());
    const Plot plot(columns, target, drawing, options);
    parallel_for(static_cast<Index>(seeds.size()), [&](Index tree, Checkpoint& checkpoint) {
        const auto at = static_cast<std::size_t>(tree);
        trees[at] = plot.grow(seeds[at], checkpoint);
    });
    return trees;
}

}  // namespace stylobate::forest
