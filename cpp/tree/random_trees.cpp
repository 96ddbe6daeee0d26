#include "tree/random_trees.hpp"

#include "stylobate/errors.hpp"
#include "tree/random_grower.hpp"
#include "tree/random_weighted.hpp"

namespace stylobate::tree {
namespace {

// A look at the rows costs as much for so many columns as for one.
constexpr Index columns_at_once = 16;

constexpr Index most_sparse = Index{1} << 24;  // cells of sparse columns that get keys

// The most distinct values of a column.
Index most_ranks(const RankedColumns& columns) {
    std::vector<Index> found(static_cast<std::size_t>(columns.cols()), 0);
    parallel_for(columns.cols(), [&](Index j, Checkpoint& checkpoint) {
        checkpoint();
        Index& most = found[static_cast<std::size_t>(j)];
        columns.each_rank(j, [&](Index, std::uint32_t rank) {
            if (rank != missing_rank) most = std::max(most, Index{rank} + 1);
        });
    });
    return *std::max_element(found.begin(), found.end());
}

// Rows that count, and what they weigh together.
struct Members {
    std::vector<Row> rows;
    double total = 0.0;
    bool ones = true;

    Members(Index n, const double* weights) {
        for (Index i = 0; i < n; ++i) {
            const double w = weights != nullptr ? weights[i] : 1.0;
            if (!(w > 0.0)) continue;
            rows.push_back(static_cast<Row>(i));
            total += w;
            ones = ones && w == 1.0;
        }
        if (rows.empty()) throw InvalidArgument("no row has a positive weight");
    }
};

template <class Key, class Labels>
std::vector<GrownTree> grown(const KeyRows<Key>& table, const GrowthOptions& options,
                             const Labels& labels, const Members& members,
                             const std::vector<std::uint64_t>& seeds) {
    std::vector<GrownTree> trees(seeds.size());
    parallel_for(static_cast<Index>(seeds.size()), [&](Index t, Checkpoint& checkpoint) {
        checkpoint();
        const auto at = static_cast<std::size_t>(t);
        Labels own = labels;
        RandomGrower<Key, Labels> grower(table, options, own, members.rows, members.total,
                                         seeds[at]);
        trees[at] = grower.grow(own, checkpoint);
    });
    return trees;
}

template <class Function, class Key>
std::vector<GrownTree> grown_classes(const KeyRows<Key>& table, const GrowthOptions& options,
                                     const Target& target, Index n, const Members& members,
                                     const std::vector<std::uint64_t>& seeds) {
    const Index classes = target.classes[0], stride = table.stride();
    if (members.ones)
        return grown(table, options, RandomClasses<Function>(target.codes, n, classes, stride),
                     members, seeds);
    const WeightedClasses<Function> labels(target.codes, target.weights, n, classes, stride);
    return grown(table, options, labels, members, seeds);
}

template <class Key>
std::vector<GrownTree> grown_from(const RankedColumns& columns, const Target& target,
                                  const GrowthOptions& options,
                                  const std::vector<std::uint64_t>& seeds) {
    const KeyRows<Key> table(columns);
    const Index n = columns.rows(), stride = table.stride();
    const Members members(n, target.weights);
    if (!target.classes.empty()) {
        if (options.criterion == Criterion::gini)
            return grown_classes<GiniSum>(table, options, target, n, members, seeds);
        return grown_classes<EntropySum>(table, options, target, n, members, seeds);
    }
    if (members.ones)
        return grown(table, options, RandomNumbers(target.values, n, stride), members, seeds);
    const WeightedNumbers labels(target.values, target.weights, n, stride);
    return grown(table, options, labels, members, seeds);
}

}  // namespace

bool splits_all_columns(const RankedColumns& columns, const Target& target,
                        const GrowthOptions& options, const Drawing& drawing) {
    // sparse columns are not to take the memory of a table
    if (columns.sparse() != nullptr && columns.rows() * columns.cols() > most_sparse) return false;
    for (Index j = 0; j < columns.cols(); ++j)
        if (columns.categories(j) > 0) return false;
    const Index asked = options.max_features > 0 ? options.max_features : columns.cols();
    const bool known = options.criterion == Criterion::gini ||
                       options.criterion == Criterion::entropy ||
                       options.criterion == Criterion::squared_error;
    const bool classes =
        target.classes.empty() ||
        (target.classes[0] >= 2 && target.classes[0] <= RandomClasses<GiniSum>::most_classes);
    return options.random_splits && known && classes && target.outputs == 1 && drawing.draws == 0 &&
           !drawing.balanced && options.max_leaf_nodes == 0 && options.monotone == nullptr &&
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
