#include "tree/exact.hpp"

#include <cmath>
#include <optional>

#include "stylobate/errors.hpp"
#include "tree/counts.hpp"
#include "tree/growth.hpp"
#include "tree/medians.hpp"
#include "tree/random_trees.hpp"

namespace stylobate::tree {
namespace {

void require(bool condition, const char* message) {
    if (!condition) throw InvalidArgument(message);
}

// Sorted lists cost a pass over every column of a node; sorting a column anew costs about four.
bool keeps_lists(const GrowthOptions& options, Index cols) {
    const Index asked = options.max_features > 0 ? options.max_features : cols;
    return !options.random_splits && 4 * asked >= cols;
}

void append_node(GrownTree& tree, const GrownTree& from, std::size_t node, Index width) {
    tree.left.push_back(-1);
    tree.right.push_back(-1);
    tree.feature.push_back(from.feature[node]);
    tree.threshold.push_back(from.threshold[node]);
    tree.missing_left.push_back(from.missing_left[node]);
    tree.impurity.push_back(from.impurity[node]);
    tree.samples.push_back(from.samples[node]);
    tree.weight.push_back(from.weight[node]);
    const auto value = from.value.begin() + static_cast<Index>(node) * width;
    tree.value.insert(tree.value.end(), value, value + width);
    tree.category_start.push_back(-1);
    if (from.category_start[node] < 0) return;
    const auto words = from.categories.begin() + from.category_start[node];
    tree.category_start.back() = static_cast<std::int32_t>(tree.categories.size());
    tree.categories.insert(tree.categories.end(), words, words + *words + 1);
}

// The whole tree in the order "node, left, right", the parts of others put in their places.
GrownTree assemble(const GrownTree& top, const std::vector<NodeTask>& handed_on,
                   const std::vector<GrownTree>& parts, Index width) {
    std::vector<const GrownTree*> part_of(top.left.size(), nullptr);
    for (std::size_t k = 0; k < parts.size(); ++k)
        part_of[static_cast<std::size_t>(handed_on[k].node)] = &parts[k];
    struct Waiting {
        const GrownTree* from;
        std::size_t node;
        std::int32_t parent;
        bool right;
    };
    GrownTree tree;
    std::vector<Waiting> waiting{{&top, 0, -1, false}};
    while (!waiting.empty()) {
        Waiting next = waiting.back();
        waiting.pop_back();
        if (next.from == &top && part_of[next.node] != nullptr)
            next = {part_of[next.node], 0, next.parent, next.right};
        const auto at = static_cast<std::int32_t>(tree.left.size());
        append_node(tree, *next.from, next.node, width);
        if (next.parent >= 0)
            (next.right ? tree.right : tree.left)[static_cast<std::size_t>(next.parent)] = at;
        if (next.from->left[next.node] < 0) continue;
        const auto left = static_cast<std::size_t>(next.from->left[next.node]);
        const auto right = static_cast<std::size_t>(next.from->right[next.node]);
        waiting.push_back({next.from, right, at, true});
        waiting.push_back({next.from, left, at, false});
    }
    return tree;
}

template <class Labels, class Record>
void fill_lists(const Shared& shared, const std::vector<Row>& rows,
                Grower<Labels, Record>& grower) {
    const Index n = shared.columns.rows(), cols = shared.columns.cols();
    std::vector<std::int32_t> local(static_cast<std::size_t>(n), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) local[rows[i]] = static_cast<std::int32_t>(i);
    grower.lists() = SortedLists<Record>(cols, static_cast<Index>(rows.size()));
    parallel_for(cols, [&](Index j, Checkpoint& checkpoint) {
        checkpoint();
        if (shared.columns.categories(j) == 0) grower.lists().fill(shared.columns, j, local);
    });
}

// A node of a large problem as a problem of its own, grown to the end.
template <class Labels, class Record>
GrownTree grow_part(const Shared& shared, Grower<Labels, Record>& from, const NodeTask& task,
                    Checkpoint& checkpoint) {
    Grower<Labels, NarrowRecord> part(shared, from.labels_of(task), from.global_of(task));
    if (shared.lists) {
        std::vector<std::uint32_t> local(static_cast<std::size_t>(from.size()));
        for (Index i = 0; i < task.count; ++i)
            local[from.row(task.begin + i)] = static_cast<std::uint32_t>(i);
        part.lists() = SortedLists<NarrowRecord>(shared.columns.cols(), task.count);
        for (const Index j : *task.columns)
            if (shared.columns.categories(j) == 0)
                part.lists().fill(from.lists().of(j) + task.list_begin, j, local.data());
    }
    part.bring_near(*task.columns);
    part.grow(task, checkpoint);
    return std::move(part.tree());
}

template <class Labels, class Record>
GrownTree grow_with(const Shared& shared, Labels labels, const std::vector<Row>& rows) {
    const Index width = labels.width();
    Grower<Labels, Record> grower(shared, std::move(labels), rows);
    if (shared.lists) fill_lists(shared, rows, grower);
    std::vector<Index> columns(static_cast<std::size_t>(shared.columns.cols()));
    std::iota(columns.begin(), columns.end(), Index{0});
    NodeTask root;
    root.columns = std::make_shared<const std::vector<Index>>(std::move(columns));
    if constexpr (std::is_same_v<Record, WideRecord>) {
        std::atomic<bool> stop{false};
        Checkpoint here(stop, false);  // the loops over columns ask for themselves
        grower.grow(std::move(root), here);
    } else {  // no loops over columns in it
        parallel_for(1, [&](Index, Checkpoint& here) { grower.grow(root, here); });
    }
    auto& handed_on = grower.handed_on();
    std::stable_sort(handed_on.begin(), handed_on.end(),
                     [](const NodeTask& a, const NodeTask& b) { return a.count > b.count; });
    std::vector<GrownTree> parts(handed_on.size());
    parallel_for(static_cast<Index>(parts.size()), [&](Index k, Checkpoint& checkpoint) {
        const auto at = static_cast<std::size_t>(k);
        parts[at] = grow_part(shared, grower, handed_on[at], checkpoint);
    });
    return assemble(grower.tree(), handed_on, parts, width);
}

template <class Labels>
GrownTree grow_labels(Shared shared, Labels labels, const std::vector<Row>& rows) {
    const auto n = static_cast<Index>(rows.size());
    if (shared.options.max_leaf_nodes > 0 && n <= NarrowRecord::most_rows)
        return grow_with<Labels, NarrowRecord>(shared, std::move(labels), rows);
    if (shared.options.max_leaf_nodes == 0)
        shared.hand_on = std::clamp(n / 16, Index{4096}, Index{32768});
    return grow_with<Labels, WideRecord>(shared, std::move(labels), rows);
}

// --- labels ------------------------------------------------------------------------------------

constexpr double most_whole = 1 << 26;

bool whole_numbers(const std::vector<double>& weights, double most) {
    double total = 0.0;
    for (const double w : weights) {
        if (w != std::floor(w)) return false;
        total += w;
    }
    return total <= most;
}

template <class T, class From>
std::vector<T> picked(const From* from, Index width, const std::vector<Row>& rows) {
    std::vector<T> out;
    out.reserve(rows.size() * static_cast<std::size_t>(width));
    for (const Row row : rows)
        for (Index k = 0; k < width; ++k)
            out.push_back(static_cast<T>(from[static_cast<Index>(row) * width + k]));
    return out;
}

GrownTree grow_classes(const Shared& shared, const Target& target, const std::vector<Row>& rows,
                       std::vector<double> weights) {
    const Index outputs = target.outputs;
    const Index classes = *std::max_element(target.classes.begin(), target.classes.end());
    const auto n = static_cast<Index>(rows.size());
    const Criterion criterion = shared.options.criterion;
    if (criterion == Criterion::gini && outputs == 1 && classes == 2) {
        auto y = picked<std::uint8_t>(target.codes, 1, rows);
        if (weights.empty())
            return grow_labels(
                shared, OneMean<std::uint8_t, Weighing::alike>(std::move(y), {}, inverses(n)),
                rows);
        if (whole_numbers(weights, most_whole))
            return grow_labels(shared,
                               OneMean<std::uint8_t, Weighing::whole>(
                                   std::move(y), {weights.begin(), weights.end()},
                                   inverses(static_cast<Index>(shared.total_weight))),
                               rows);
        return grow_labels(
            shared,
            OneMean<std::uint8_t, Weighing::any>(std::move(y), std::move(weights), inverses(0)),
            rows);
    }
    auto codes = picked<std::uint32_t>(target.codes, outputs, rows);
    const auto with = [&](auto function) {
        using Function = decltype(function);
        return grow_labels(shared,
                           Counts<Function>(outputs, classes, std::move(codes), std::move(weights),
                                            std::move(function)),
                           rows);
    };
    if (criterion == Criterion::gini) return with(GiniFunction{});
    if (criterion == Criterion::misclassification) return with(ErrorFunction{});
    const double total = shared.total_weight;
    return with(EntropyFunction{whole_numbers(weights, most_whole) && total <= most_whole
                                    ? EntropyFunction::whole_numbers(static_cast<Index>(total))
                                    : nullptr});
}

GrownTree grow_numbers(const Shared& shared, const Target& target, const std::vector<Row>& rows,
                       std::vector<double> weights) {
    auto y = picked<double>(target.values, target.outputs, rows);
    const auto n = static_cast<Index>(rows.size());
    switch (shared.options.criterion) {
        case Criterion::absolute_error:
            return grow_labels(shared, Medians(target.outputs, std::move(y), std::move(weights)),
                               rows);
        case Criterion::poisson:
            return grow_labels(shared,
                               Means<true>(target.outputs, std::move(y), std::move(weights)), rows);
        default:
            break;
    }
    if (target.outputs > 1)
        return grow_labels(shared, Means<false>(target.outputs, std::move(y), std::move(weights)),
                           rows);
    if (weights.empty())
        return grow_labels(shared, OneMean<double, Weighing::alike>(std::move(y), {}, inverses(n)),
                           rows);
    return grow_labels(
        shared, OneMean<double, Weighing::any>(std::move(y), std::move(weights), inverses(0)),
        rows);
}

void check(const RankedColumns& columns, const Target& target, const GrowthOptions& options) {
    const bool numbers = options.criterion == Criterion::squared_error ||
                         options.criterion == Criterion::absolute_error ||
                         options.criterion == Criterion::poisson;
    require(target.outputs >= 1, "a tree needs a target");
    require(numbers ? target.values != nullptr : target.codes != nullptr,
            "the criterion is of another kind of target");
    require(options.min_samples_leaf >= 1 && options.min_samples_split >= 2,
            "leaves need a row, splits two");
    require(options.max_features <= columns.cols(), "max_features exceeds the columns");
    const auto wanted = wanted_columns(options, columns.cols());
    require(columns.sparse() != nullptr ||
                ((columns.has_order() || !wanted.order) && (columns.has_ranks() || !wanted.ranks)),
            "the columns were not made ready for these options");
    if (numbers) return;
    require(static_cast<Index>(target.classes.size()) == target.outputs,
            "the number of classes of every output is needed");
    for (Index i = 0; i < columns.rows() * target.outputs; ++i)
        require(target.codes[i] >= 0 &&
                    static_cast<std::uint32_t>(target.codes[i]) <
                        target.classes[static_cast<std::size_t>(i % target.outputs)],
                "a class's code exceeds the classes");
}

// `counts`: how often each row is in the sample; null: once.
GrownTree grow_sample(const RankedColumns& columns, const Target& target,
                      const GrowthOptions& options, const std::vector<std::uint32_t>* counts,
                      bool balanced, std::uint64_t seed) {
    std::vector<Row> rows;
    std::vector<double> weights;
    bool ones = true;
    for (Index i = 0; i < columns.rows(); ++i) {
        double w = target.weights != nullptr ? target.weights[i] : 1.0;
        if (counts != nullptr) w *= (*counts)[static_cast<std::size_t>(i)];
        if (!(w > 0.0)) continue;
        rows.push_back(static_cast<Row>(i));
        weights.push_back(w);
        ones = ones && w == 1.0;
    }
    require(!rows.empty(), "no row has a positive weight");
    if (balanced && !target.classes.empty()) {
        for (Index k = 0; k < target.outputs; ++k) {
            std::vector<double> drawn(target.classes[static_cast<std::size_t>(k)], 0.0);
            double total = 0.0;
            const auto code = [&](Row row) {
                return static_cast<std::size_t>(
                    target.codes[static_cast<Index>(row) * target.outputs + k]);
            };
            for (const Row row : rows) {
                const double count = counts != nullptr ? (*counts)[row] : 1.0;
                drawn[code(row)] += count;
                total += count;
            }
            const auto present = static_cast<double>(
                std::count_if(drawn.begin(), drawn.end(), [](double c) { return c > 0.0; }));
            for (std::size_t i = 0; i < rows.size(); ++i)
                weights[i] *= total / (present * drawn[code(rows[i])]);
        }
        ones = false;
    }
    Shared shared{columns, options,
                  options.max_features > 0 ? options.max_features : columns.cols(), seed,
                  columns.sparse() == nullptr && keeps_lists(options, columns.cols())};
    shared.total_weight = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (ones) weights.clear();
    return target.classes.empty() ? grow_numbers(shared, target, rows, std::move(weights))
                                  : grow_classes(shared, target, rows, std::move(weights));
}

}  // namespace

RankedColumns::Wanted wanted_columns(const GrowthOptions& options, Index cols) {
    const bool lists = keeps_lists(options, cols);
    return {lists, !lists};
}

GrownTree grow(const RankedColumns& columns, const Target& target, const GrowthOptions& options,
               std::uint64_t seed) {
    check(columns, target, options);
    return grow_sample(columns, target, options, nullptr, false, seed);
}

std::vector<GrownTree> grow_forest(const RankedColumns& columns, const Target& target,
                                   const GrowthOptions& options, const Drawing& drawing,
                                   const std::vector<std::uint64_t>& seeds) {
    check(columns, target, options);
    if (splits_all_columns(columns, target, options, drawing))
        return grow_random_trees(columns, target, options, seeds);
    std::vector<GrownTree> trees(seeds.size());
    parallel_for(static_cast<Index>(seeds.size()), [&](Index t, Checkpoint& checkpoint) {
        checkpoint();
        const auto at = static_cast<std::size_t>(t);
        std::optional<std::vector<std::uint32_t>> counts;
        if (drawing.draws > 0) counts = drawn_counts(columns.rows(), drawing, seeds[at]);
        trees[at] = grow_sample(columns, target, options, counts ? &*counts : nullptr,
                                drawing.balanced, seeds[at]);
    });
    return trees;
}

}  // namespace stylobate::tree
