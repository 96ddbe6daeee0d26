// How the grower splits a node.
#pragma once

#include <numeric>

#include "tree/exact.hpp"

namespace stylobate::tree {

// Half-way between the values on both sides, and never as large as the right one.
template <class Labels, class Record>
double Grower<Labels, Record>::threshold_of(const Found& found) const {
    if (!found.words.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (options().random_splits) return found.drawn;
    if (found.open_end) return std::numeric_limits<double>::infinity();
    const double low = value_of(found.last_left, found.column);
    const double high = value_of(found.first_right, found.column);
    const double middle = std::midpoint(low, high);
    return middle < high ? middle : low;
}

// Sets left_ for the node's rows by their ranks in the split's column.
template <class Labels, class Record>
void Grower<Labels, Record>::mark_left(const NodeTask& task) {
    const Found& found = task.found;
    if (lists_.empty()) {
        each_rank(found.column, task, [&](Row at, std::uint32_t rank) {
            const bool goes = rank == missing_rank ? found.missing_left : rank <= found.last_rank;
            left_[at] = goes ? 1 : 0;
        });
        return;
    }
    const Record* const records = lists_.of(found.column) + task.list_begin;
    for (Index i = 0; i < task.count; ++i) {
        const bool goes = records[i].key == Record::missing ? found.missing_left : i < found.place;
        left_[records[i].row] = goes ? 1 : 0;
    }
}

// The rows that go left first (goes: of a row's place in the node), both sides in their order;
// gives how many those are.
template <class Labels, class Record>
template <class Goes>
Index Grower<Labels, Record>::part_rows(const NodeTask& task, const Goes& goes) {
    Row* const rows = rows_.data() + task.begin;
    Row* const moved = moved_.data();
    Index kept = 0, away = 0;
    for (Index i = 0; i < task.count; ++i) {
        const Row at = rows[i];
        const Index left = goes(i) ? 1 : 0;
        left_[at] = static_cast<std::uint8_t>(left);
        rows[kept] = at;
        moved[away] = at;
        kept += left;
        away += 1 - left;
    }
    std::copy(moved, moved + away, rows + kept);
    return kept;
}

template <class Labels, class Record>
Index Grower<Labels, Record>::part_rows(const NodeTask& task) {
    const Found& found = task.found;
    const Index j = found.column;
    if (!found.words.empty()) {
        return part_rows(task, [&, code_of = codes(j)](Index i) {
            const std::uint32_t code = code_of(row(task.begin + i));
            if (code == missing_rank) return found.missing_left;
            return (found.words[code / 32] >> code % 32 & 1u) != 0;
        });
    }
    if (options().random_splits) {
        return part_rows(task,
                         drawn_left(values_of(j, task, space_), found.drawn, found.missing_left));
    }
    mark_left(task);
    return part_rows(task, [&](Index i) { return left_[row(task.begin + i)] != 0; });
}

template <class Labels, class Record>
void Grower<Labels, Record>::split_lists(const NodeTask& task, bool keep_left, bool keep_right) {
    const auto& columns = *task.columns;
    const auto count = static_cast<Index>(columns.size());
    const auto one = [&](Index k, Record* scratch) {
        const Index j = columns[static_cast<std::size_t>(k)];
        if (shared_.columns.categories(j) > 0) return;
        lists_.split(j, task.list_begin, task.count, left_.data(), keep_left, keep_right, scratch);
    };
    if (wide && task.count * count >= 1 << 16) {
        parallel_for(count, [&](Index k, Checkpoint& checkpoint) {
            checkpoint();
            std::vector<Record> scratch(static_cast<std::size_t>(task.count));
            one(k, scratch.data());
        });
    } else {
        for (Index k = 0; k < count; ++k) one(k, scratch_.data());
    }
}

// Makes the two children; says which of them may be split again.
template <class Labels, class Record>
std::pair<bool, bool> Grower<Labels, Record>::split(NodeTask& task, NodeTask* children) {
    const Found& found = task.found;
    const Index count = part_rows(task);
    const auto node = static_cast<std::size_t>(task.node);
    tree_.feature[node] = static_cast<std::int32_t>(found.column);
    tree_.threshold[node] = threshold_of(found);
    // where none was missing, missing ones go with the many
    tree_.missing_left[node] = found.missing_seen ? found.missing_left : 2 * count > task.count;
    if (!found.words.empty()) {
        tree_.category_start[node] = static_cast<std::int32_t>(tree_.categories.size());
        tree_.categories.push_back(static_cast<std::uint32_t>(found.words.size()));
        tree_.categories.insert(tree_.categories.end(), found.words.begin(), found.words.end());
    }
    bool goes_on[2];
    for (int side = 0; side < 2; ++side) {
        NodeTask& child = children[side];
        child.begin = side == 0 ? task.begin : task.begin + count;
        child.count = side == 0 ? count : task.count - count;
        child.depth = task.depth + 1;
        child.path = (task.path * 2 + static_cast<std::uint64_t>(side)) * 0xBF58476D1CE4E5B9u + 1;
        child.lower = task.lower;
        child.upper = task.upper;
        child.columns = task.columns;
        if (options().monotone != nullptr && options().monotone[found.column] != 0) {
            const double middle = 0.5 * (found.value_left + found.value_right);
            const bool below = (side == 0) == (options().monotone[found.column] > 0);
            (below ? child.upper : child.lower) = middle;
        }
        goes_on[side] = add_node(child);
        (side == 0 ? tree_.left : tree_.right)[node] = child.node;
    }
    if (!lists_.empty() && (goes_on[0] || goes_on[1])) split_lists(task, goes_on[0], goes_on[1]);
    children[0].list_begin = task.list_begin;
    children[1].list_begin = goes_on[0] ? task.list_begin + count : task.list_begin;
    return {goes_on[0], goes_on[1]};
}

}  // namespace stylobate::tree
