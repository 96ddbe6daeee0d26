#include "tree/random_trees.hpp"

#include <memory>
#include <mutex>

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
    // Rows of one class after those of another.
    void sort(const std::int32_t* codes) {
        std::stable_sort(rows.begin(), rows.end(),
                         [&](Row a, Row b) { return codes[a] < codes[b]; });
    }
};

// Things that one loop body at a time uses, as many as there are bodies at work: made when first
// asked for, then handed on.
template <class T>
class Shelf {
 public:
    template <class Make>
    std::unique_ptr<T> take(const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                auto found = std::move(idle_.back());
                idle_.pop_back();
                return found;
            }
        }
        return make();
    }
    void put(std::unique_ptr<T> used) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(used));
    }

 private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> idle_;
};

template <class Key, class Labels>
std::vector<GrownTree> grown(const KeyRows<Key>& table, const GrowthOptions& options,
                             const Labels& labels, double total,
                             const std::vector<std::uint64_t>& seeds) {
    using Grower = RandomGrower<Key, Labels>;
    std::vector<GrownTree> trees(seeds.size());
    Shelf<Grower> growers;
    parallel_for(static_cast<Index>(seeds.size()), [&](Index t, Checkpoint& checkpoint) {
        checkpoint();
        auto grower =
            growers.take([&] { return std::make_unique<Grower>(table, options, labels, total); });
        const auto at = static_cast<std::size_t>(t);
        trees[at] = grower->grow(seeds[at], checkpoint);
        growers.put(std::move(grower));
    });
    return trees;
}

template <class Function, class Key>
std::vector<GrownTree> grown_classes(const KeyRows<Key>& table, const GrowthOptions& options,
                                     const Target& target, const Members& members,
                                     const std::vector<std::uint64_t>& seeds) {
    const Index classes = target.classes[0], stride = table.stride();
    const auto& rows = members.rows;
    if (members.ones)
        return grown(table, options, RandomClasses<Function>(target.codes, rows, classes, stride),
                     members.total, seeds);
    const WeightedClasses<Function> labels(target.codes, target.weights, rows, classes, stride);
    return grown(table, options, labels, members.total, seeds);
}

template <class Key>
std::vector<GrownTree> grown_from(const RankedColumns& columns, const Target& target,
                                  const GrowthOptions& options,
                                  const std::vector<std::uint64_t>& seeds) {
    Members members(columns.rows(), target.weights);
    const bool classes = !target.classes.empty();
    if (classes && members.ones) members.sort(target.codes);
    const auto& rows = members.rows;
    const KeyRows<Key> table(columns, rows);
    if (classes) {
        if (options.criterion == Criterion::gini)
            return grown_classes<GiniSum>(table, options, target, members, seeds);
        return grown_classes<EntropySum>(table, options, target, members, seeds);
    }
    if (members.ones) {
        const RandomNumbers labels(target.values, rows, table.stride());
        return grown(table, options, labels, members.total, seeds);
    }
    const WeightedNumbers labels(target.values, target.weights, rows, table.stride());
    return grown(table, options, labels, members.total, seeds);
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
