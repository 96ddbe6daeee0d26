// How the grower looks at one column of a node.
#pragma once

#include "scan/keys.hpp"
#include "tree/exact.hpp"

namespace stylobate::tree {

template <class Labels, class Record>
template <class Node>
Found Grower<Labels, Record>::look_at(Index j, const NodeTask& task, const Node& node,
                                      ColumnSpace& space) const {
    const Bounds bounds = bounds_of(j, task);
    Found found;
    if (shared_.columns.categories(j) > 0) {
        found = by_category(j, task, node, bounds, space);
    } else if (options().random_splits) {
        found = draw_split(j, task, node, bounds, space);
    } else if (!lists_.empty()) {
        const Index present = lists_.present(j, task.list_begin, task.count);
        found = best_split(lists_.of(j) + task.list_begin, present, task.count, node, bounds,
                           space.work);
    } else {
        const Index present = sort_rows(j, task, space);
        found = best_split(space.records.data(), present, task.count, node, bounds, space.work);
    }
    found.column = j;
    if (found.valid() && shared_.columns.has_ranks() && shared_.columns.categories(j) == 0 &&
        !options().random_splits)
        found.last_rank = shared_.columns.rank(j, global_[found.last_left]);
    return found;
}

// take(row, its rank) for the rows of a node, which increase.
template <class Labels, class Record>
template <class Take>
void Grower<Labels, Record>::each_rank(Index j, const NodeTask& task, const Take& take) const {
    if (const SparseRanks* const sparse = shared_.columns.sparse()) {
        SparseRanks::Cursor rank_of(*sparse, j, global_[row(task.begin)]);
        for (Index i = 0; i < task.count; ++i) {
            const Row at = row(task.begin + i);
            take(at, rank_of(global_[at]));
        }
        return;
    }
    const std::uint32_t* const ranks = shared_.columns.ranks(j);
    for (Index i = 0; i < task.count; ++i) {
        const Row at = row(task.begin + i);
        take(at, ranks[global_[at]]);
    }
}

// Records of the node's rows, present ones first; gives how many those are.
template <class Labels, class Record>
Index Grower<Labels, Record>::rank_rows(Index j, const NodeTask& task, ColumnSpace& space) const {
    const auto size = static_cast<std::size_t>(task.count);
    if (space.records.size() < size) space.records.resize(size);
    if (space.sorted.size() < size) space.sorted.resize(size);
    Index present = 0, lost = 0;
    each_rank(j, task, [&](Row at, std::uint32_t rank) {
        if (rank == missing_rank)
            space.sorted[static_cast<std::size_t>(lost++)] = {rank, at};
        else
            space.records[static_cast<std::size_t>(present++)] = {rank, at};
    });
    std::copy(space.sorted.begin(), space.sorted.begin() + lost, space.records.begin() + present);
    return present;
}

// The same in order of the ranks. Of sparse columns only what is not zero is sorted.
template <class Labels, class Record>
Index Grower<Labels, Record>::sort_rows(Index j, const NodeTask& task, ColumnSpace& space) const {
    if (shared_.columns.sparse() == nullptr) {
        const Index present = rank_rows(j, task, space);
        scan::sort_by_key(space.records.data(), space.sorted.data(), present);
        return present;
    }
    const std::uint32_t zero = shared_.columns.sparse()->zero(j);
    space.records.clear();  // zeros; then what is below them is put before, the rest behind
    space.stored.clear();
    space.lost.clear();
    each_rank(j, task, [&](Row at, std::uint32_t rank) {
        (rank == zero           ? space.records
         : rank == missing_rank ? space.lost
                                : space.stored)
            .push_back({rank, at});
    });
    const auto size = space.stored.size();
    if (space.sorted.size() < size) space.sorted.resize(size);
    scan::sort_by_key(space.stored.data(), space.sorted.data(), static_cast<Index>(size));
    const auto above = std::partition_point(space.stored.begin(), space.stored.end(),
                                            [&](const WideRecord& r) { return r.key < zero; });
    space.records.insert(space.records.begin(), space.stored.begin(), above);
    space.records.insert(space.records.end(), above, space.stored.end());
    space.records.insert(space.records.end(), space.lost.begin(), space.lost.end());
    return task.count - static_cast<Index>(space.lost.size());
}

// The values of the node's rows side by side.
template <class Labels, class Record>
const double* Grower<Labels, Record>::values_of(Index j, const NodeTask& task,
                                                ColumnSpace& space) const {
    const auto size = static_cast<std::size_t>(task.count);
    if (space.values.size() < size) space.values.resize(size);
    double* out = space.values.data();
    const Row* const rows = rows_.data() + task.begin;
    if (const double* const near = near_numbers_.of(j)) {
        for (Index i = 0; i < task.count; ++i) out[i] = near[rows[i]];
    } else if (const SparseRanks* const sparse = shared_.columns.sparse()) {
        each_rank(j, task, [&](Row, std::uint32_t rank) {
            *out++ = rank == missing_rank ? std::numeric_limits<double>::quiet_NaN()
                                          : sparse->value(j, rank);
        });
    } else {
        for (Index i = 0; i < task.count; ++i) out[i] = value_of(rows[i], j);
    }
    return space.values.data();
}

// A threshold drawn evenly between the smallest and the largest value of the node.
template <class Labels, class Record>
template <class Node>
Found Grower<Labels, Record>::draw_split(Index j, const NodeTask& task, const Node& node,
                                         const Bounds& bounds, ColumnSpace& space) const {
    const double* const values = values_of(j, task, space);
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr Index lanes = 4;  // each waits for itself alone
    double low[lanes], high[lanes];
    std::fill(low, low + lanes, infinite);
    std::fill(high, high + lanes, -infinite);
    Index lost = 0;
    const auto look = [&](Index i, Index lane) {
        const double value = values[i];
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
        lost += value != value ? 1 : 0;
    };
    Index i = 0;
    for (; i + lanes <= task.count; i += lanes)
        for (Index lane = 0; lane < lanes; ++lane) look(i + lane, lane);
    for (; i < task.count; ++i) look(i, 0);
    const double least = *std::min_element(low, low + lanes);
    const double most = *std::max_element(high, high + lanes);
    Found found;
    found.missing_seen = lost > 0;
    found.constant = lost == task.count || (lost == 0 && least == most);
    if (found.constant) return found;
    const Philox random(shared_.seed ^ 0x9E3779B97F4A7C15u, task.path);
    const auto draw = static_cast<std::uint64_t>(2 * j);
    const double share = random.uniform(draw);
    double threshold = least * (1.0 - share) + most * share;
    if (!(threshold < most)) threshold = least;
    found.open_end = least == most;  // then only the missing ones are told apart
    found.missing_left = found.missing_seen && !found.open_end && random.word(draw + 1) % 2 == 1;
    if (found.open_end) threshold = infinite;
    found.drawn = threshold;
    Node scan = node;
    scan.start(space.work);
    const Index count = add_those(scan, rows_.data() + task.begin, task.count,
                                  drawn_left(values, threshold, found.missing_left));
    consider(count, task.count, scan, bounds, found);
    return found;
}

// The best prefix of the categories in order; with random splits, one of them.
template <class Labels, class Record>
template <class Node>
Found Grower<Labels, Record>::by_category(Index j, const NodeTask& task, const Node& node,
                                          const Bounds& bounds, ColumnSpace& space) const {
    const std::uint32_t categories = shared_.columns.categories(j);
    const auto code_of = codes(j);
    const Row* const rows = rows_.data() + task.begin;
    const Index present = sum_by_category(labels_, code_of, rows, task.count, categories, space);
    order_categories(labels_.keys(), space);
    const auto seen = static_cast<Index>(space.codes.size());
    Index cut = 0;  // all categories of a side are tied together; 0: none are
    if (options().random_splits && seen > 2) {
        const Philox random(shared_.seed ^ 0x9E3779B97F4A7C15u, task.path);
        cut = 1 + static_cast<Index>(random.word(static_cast<std::uint64_t>(2 * j)) %
                                     static_cast<std::uint64_t>(seen - 1));
    }
    Found found;
    Index left = 0;  // categories
    if constexpr (requires(Node scan) { scan.add_sum(1.0, 1.0); }) {
        left = best_of_sums(node, bounds, cut, present, task.count, space, found);
    } else {
        records_by_category(code_of, rows, task.count, present, space);
        WideRecord* const records = space.records.data();
        for (Index i = 0; cut > 0 && i < present; ++i)
            records[i].key = records[i].key < cut ? 0 : 1;
        found = best_split(records, present, task.count, node, bounds, space.work);
        if (found.valid()) left = Index{records[found.place - 1].key} + 1;
        if (cut > 0) left = left == 1 ? cut : seen;
    }
    if (found.valid())
        found.words = category_words(space.codes, left, categories, 2 * found.place > present);
    return found;
}

}  // namespace stylobate::tree
