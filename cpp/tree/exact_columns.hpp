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

// A threshold drawn evenly between the smallest and the largest value of the node.
template <class Labels, class Record>
template <class Node>
Found Grower<Labels, Record>::draw_split(Index j, const NodeTask& task, const Node& node,
                                         const Bounds& bounds, ColumnSpace& space) const {
    const Index present = rank_rows(j, task, space);
    const auto first = space.records.begin();
    const auto by_key = [](const WideRecord& a, const WideRecord& b) { return a.key < b.key; };
    Found found;
    found.missing_seen = present < task.count;
    const auto [low, high] = std::minmax_element(first, first + present, by_key);
    found.constant = present == 0 || (!found.missing_seen && low->key == high->key);
    if (found.constant) return found;
    const Philox random(shared_.seed ^ 0x9E3779B97F4A7C15u, task.path);
    const auto draw = static_cast<std::uint64_t>(2 * j);
    const double least = value_of(*low, j), most = value_of(*high, j);
    const double share = random.uniform(draw);
    double threshold = least * (1.0 - share) + most * share;
    if (!(threshold < most)) threshold = least;
    found.open_end = low->key == high->key;  // then only the missing ones are told apart
    found.missing_left = found.missing_seen && !found.open_end && random.word(draw + 1) % 2 == 1;
    if (found.open_end) threshold = std::numeric_limits<double>::infinity();
    found.drawn = threshold;
    Node scan = node;
    scan.start(space.work);
    Index count = 0;
    for (Index i = 0; i < task.count; ++i) {
        const auto& record = space.records[static_cast<std::size_t>(i)];
        if (i < present ? !(value_of(record, j) <= threshold) : !found.missing_left) continue;
        if (i < present) found.last_rank = std::max(found.last_rank, record.key);
        scan.add(record.row);
        ++count;
    }
    if (count < bounds.min_rows || task.count - count < bounds.min_rows ||
        scan.weight_left(count) < bounds.min_weight ||
        scan.weight - scan.weight_left(count) < bounds.min_weight)
        return found;
    found.value_left = bounds.monotone ? scan.value_left(count) : 0.0;
    found.value_right = bounds.monotone ? scan.value_right(count) : 0.0;
    const double gain = scan.gain(count, task.count - count);
    if (gain < std::numeric_limits<double>::infinity() &&
        (!bounds.monotone || bounds.allow(found.value_left, found.value_right)))
        found.gain = gain;
    return found;
}

// The best prefix of the categories in order; with random splits, one of them.
template <class Labels, class Record>
template <class Node>
Found Grower<Labels, Record>::by_category(Index j, const NodeTask& task, const Node& node,
                                          const Bounds& bounds, ColumnSpace& space) const {
    const std::uint32_t categories = shared_.columns.categories(j);
    const Index present =
        order_by_category(labels_, shared_.columns.ranks(j), global_.data(),
                          rows_.data() + task.begin, task.count, categories, space);
    WideRecord* const records = space.records.data();
    if (options().random_splits && space.codes.size() > 2) {  // all else is tied together
        const Philox random(shared_.seed ^ 0x9E3779B97F4A7C15u, task.path);
        const auto cut =
            1 + random.word(static_cast<std::uint64_t>(2 * j)) % (space.codes.size() - 1);
        for (Index i = 0; i < present; ++i) records[i].key = records[i].key < cut ? 0 : 1;
        Found found = best_split(records, present, task.count, node, bounds, space.work);
        if (found.valid())
            found.words = category_words(
                space.codes,
                found.open_end ? static_cast<Index>(space.codes.size()) : static_cast<Index>(cut),
                categories, 2 * found.place > present);
        return found;
    }
    Found found = best_split(records, present, task.count, node, bounds, space.work);
    if (found.valid())
        found.words = category_words(space.codes, Index{records[found.place - 1].key} + 1,
                                     categories, 2 * found.place > present);
    return found;
}

}  // namespace stylobate::tree
