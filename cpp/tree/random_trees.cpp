#include "tree/random_trees.hpp"

#include "tree/random_grower.hpp"

namespace stylobate::tree {
namespace {

// A look at the rows costs as much for so many columns as for one.
constexpr Index columns_at_once = 16;

// The most distinct values of a column.
Index most_ranks(const RankedColumns& columns) {
    std::vector<Index> found(static_cast<std::size_t>(columns.cols()), 0);
    parallel_for(columns.cols(), [&](Index j, Checkpoint& checkpoint) {
        checkpoint();
        Index& most = found[static_cast<std::size_t>(j)];
        for (Index i = 0; i < columns.rows(); ++i)
            if (columns.ranks(j)[i] != missing_rank)
                most = std::max(most, Index{columns.ranks(j)[i]} + 1);
    });
    return *std::max_element(found.begin(), found.end());
}

template <class Key, class Labels>
std::vector<GrownTree> grown(const KeyRows<Key>& table, const GrowthOptions& options,
                             const Labels& labels, Index rows,
                             const std::vector<std::uint64_t>& seeds) {
    std::vector<GrownTree> trees(seeds.size());
    parallel_for(static_cast<Index>(seeds.size()), [&](Index t, Checkpoint& checkpoint) {
        checkpoint();
        const auto at = static_cast<std::size_t>(t);
        Labels own = labels;
        RandomGrower<Key, Labels> grower(table, options, own, rows, seeds[at]);
        trees[at] = grower.grow(own, checkpoint);
    });
    return trees;
}

template <class Key>
std::vector<GrownTree> grown_from(const RankedColumns& columns, const Target& target,
                                  const GrowthOptions& options,
                                  const std::vector<std::uint64_t>& seeds) {
    const KeyRows<Key> table(columns);
    const Index n = columns.rows(), stride = table.stride();
    if (target.classes.empty())
        return grown(table, options, RandomNumbers(target.values, n, stride), n, seeds);
    const Index classes = std::max(Index{target.classes[0]}, Index{2});
    if (options.criterion == Criterion::gini)
        return grown(table, options, RandomClasses<GiniSum>(target.codes, n, classes, stride), n,
                     seeds);
    return grown(table, options, RandomClasses<EntropySum>(target.codes, n, classes, stride), n,
                 seeds);
}

}  // namespace

bool splits_all_columns(const RankedColumns& columns, const Target& target,
                        const GrowthOptions& options, const Drawing& drawing) {
    if (columns.sparse() != nullptr) return false;
    for (Index j = 0; j < columns.cols(); ++j)
        if (columns.categories(j) > 0) return false;
    const Index asked = options.max_features > 0 ? options.max_features : columns.cols();
    const bool known = options.criterion == Criterion::gini ||
                       options.criterion == Criterion::entropy ||
                       options.criterion == Criterion::squared_error;
    const bool classes =
        target.classes.empty() ||
        (target.classes[0] >= 2 && target.classes[0] <= RandomClasses<GiniSum>::most_classes);
    return options.random_splits && known && classes && target.outputs == 1 &&
           target.weights == nullptr && drawing.draws == 0 && !drawing.balanced &&
           options.max_leaf_nodes == 0 && options.monotone == nullptr &&
           asked * columns_at_once >= columns.cols();
}

std::vector<GrownTree> grow_random_trees(const RankedColumns& columns, const Target& target,
                                         const GrowthOptions& options,
                                         const std::vector<std::uint64_t>& seeds) {
    if (most_ranks(columns) < KeyRows<std::uint16_t>::missing)
        return grown_from<std::uint16_t>(columns, target, options, seeds);
    return grown_from<std::uint32_t>(columns, target, options, seeds);
}

}  // namespace stylobate::tree
