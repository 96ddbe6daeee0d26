#include "forest.hpp"

#include <algorithm>
#include <bit>

#include "forest_impurity.hpp"
#include "forest_numbers.hpp"
#include "forest_pieces.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::forest {
namespace {

// The rows of one tree, counted, and what they teach.
class Plot {
 public:
    Plot(const RankedColumns& columns, const ForestTarget& target, const Drawing& drawing,
         const ForestOptions& options)
        : columns_(columns),
          target_(target),
          drawing_(drawing),
          options_(options),
          shelf_(columns) {
        const Index most = std::max(columns.rows(), drawing.draws);
        if (options.criterion != ForestCriterion::entropy || target.weights || most > table_size) {
            return;
        }
        logarithms_.resize(1 + static_cast<std::size_t>(most));
        for (std::size_t x = 0; x < logarithms_.size(); ++x) {
            logarithms_[x] = x_log_x(static_cast<double>(x));
        }
    }

    // The tree of a seed; without a checkpoint of an enclosing loop by all threads.
    GrownTree grow(std::uint32_t seed, Checkpoint* checkpoint) const {
        const std::vector<std::uint32_t> counts =
            drawing_.draws == 0
                ? std::vector<std::uint32_t>(static_cast<std::size_t>(columns_.rows()), 1)
                : tree::drawn_counts(columns_.rows(), drawing_, seed);
        const std::uint64_t key = NodeRandom(seed).next();
        if (target_.classes == 0) return of_numbers(counts, key, checkpoint);
        const std::uint32_t most = *std::max_element(counts.begin(), counts.end());
        const int count_bits = std::bit_width(most);
        const int label_bits = std::bit_width(static_cast<std::uint32_t>(target_.classes - 1));
        return target_.weights == nullptr && count_bits + label_bits < 32
                   ? of_counts(counts, count_bits, key, checkpoint)
                   : of_weights(counts, key, checkpoint);
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

    GrownTree of_counts(const std::vector<std::uint32_t>& counts, int count_bits, std::uint64_t key,
                        Checkpoint* checkpoint) const {
        const ClassRows rows(factors(counts), count_bits,
                             logarithms_.empty() ? nullptr : logarithms_.data());
        std::vector<TreeRow> members(counts.size());
        std::size_t drawn = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const auto label = static_cast<std::uint32_t>(target_.labels[i]);
            members[drawn] = {static_cast<std::uint32_t>(i), rows.pack(label, counts[i])};
            drawn += counts[i] > 0;  // no branch to guess
        }
        members.resize(drawn);
        if (target_.classes == 2 && options_.criterion == ForestCriterion::gini) {
            return grown<CountedGini>(rows, members, key, checkpoint);
        }
        return of_classes(rows, members, key, checkpoint);
    }

    GrownTree of_weights(const std::vector<std::uint32_t>& counts, std::uint64_t key,
                         Checkpoint* checkpoint) const {
        const std::vector<double> factor = factors(counts);
        std::vector<WeightedClassRows::Each> all;
        std::vector<TreeRow> members;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const auto label = static_cast<std::uint32_t>(target_.labels[i]);
            const double each = weight(i, counts[i]) * factor[label];
            if (!(each > 0.0)) continue;
            members.push_back(
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(all.size())});
            all.push_back({each, label});
        }
        const WeightedClassRows rows(target_.classes, all);
        if (target_.classes == 2 && options_.criterion == ForestCriterion::gini) {
            return grown<TwoClassGini<WeightedClassRows>>(rows, members, key, checkpoint);
        }
        return of_classes(rows, members, key, checkpoint);
    }

    template <class Rows>
    GrownTree of_classes(const Rows& rows, std::vector<TreeRow>& members, std::uint64_t key,
                         Checkpoint* checkpoint) const {
        if (options_.criterion == ForestCriterion::entropy) {
            return grown<Impurity<Rows, EntropyFunction>>(rows, members, key, checkpoint);
        }
        return grown<Impurity<Rows, GiniFunction>>(rows, members, key, checkpoint);
    }

    GrownTree of_numbers(const std::vector<std::uint32_t>& counts, std::uint64_t key,
                         Checkpoint* checkpoint) const {
        std::vector<NumberRows::Pair> all;
        std::vector<TreeRow> members;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const double each = weight(i, counts[i]);
            if (!(each > 0.0)) continue;
            members.push_back(
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(all.size())});
            all.push_back({each, target_.numbers[i]});
        }
        const NumberRows rows(all);
        return grown<SquaredError>(rows, members, key, checkpoint);
    }

    template <class Accumulator, class Rows>
    GrownTree grown(const Rows& rows, std::vector<TreeRow>& members, std::uint64_t key,
                    Checkpoint* checkpoint) const {
        if (members.empty()) throw InvalidArgument("a tree has drawn no row of positive weight");
        double total = 0.0;
        for (const TreeRow& member : members) total += rows.weight_of(member);
        const auto make = [&] {
            return Grower<Accumulator, Rows>(columns_, options_, rows, members.data(), total,
                                             shelf_);
        };
        const Seedling root{0, members.size(), 0, key, -1};
        if (checkpoint == nullptr) return PiecewiseGrowth(make, members.size()).grow(root);
        return make().grow(root, *checkpoint);
    }

    static constexpr Index table_size = 1 << 24;
    const RankedColumns& columns_;
    const ForestTarget& target_;
    const Drawing& drawing_;
    const ForestOptions& options_;
    mutable ScratchShelf shelf_;
    std::vector<double> logarithms_;  // x log₂ x of whole numbers
};

}  // namespace

std::vector<GrownTree> grow_forest(const RankedColumns& columns, const ForestTarget& target,
                                   const Drawing& drawing, const ForestOptions& options,
                                   const std::vector<std::uint32_t>& seeds) {
    std::vector<GrownTree> trees(seeds.size());
    const Plot plot(columns, target, drawing, options);
    // As many trees as keep all threads busy by themselves; then, if few are left, one by one.
    const auto count = static_cast<Index>(seeds.size()), left = count % threads();
    const Index whole = threads() > 1 && 2 * left <= threads() ? count - left : count;
    parallel_for(whole, [&](Index tree, Checkpoint& checkpoint) {
        const auto at = static_cast<std::size_t>(tree);
        trees[at] = plot.grow(seeds[at], &checkpoint);
    });
    for (auto at = static_cast<std::size_t>(whole); at < seeds.size(); ++at) {
        trees[at] = plot.grow(seeds[at], nullptr);
    }
    return trees;
}

}  // namespace stylobate::forest
