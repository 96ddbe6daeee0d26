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

// Sets left_ for the node's rows; gives how many go left.
template <class Labels, class Record>
Index Grower<Labels, Record>::mark_left(const NodeTask& task) {
    const Found& found = task.found;
    const Index j = found.column;
    Index count = 0;
    if (!lists_.empty() && found.words.empty()) {
        const Record* const records = lists_.of(j) + task.list_begin;
        for (Index i = 0; i < task.count; ++i) {
            const bool goes =
                records[i].key == Record::missing ? found.missing_left : i < found.place;
            left_[records[i].row] = goes ? 1 : 0;
            count += goes ? 1 : 0;
        }
        return count;
    }
    each_rank(j, task, [&](Row at, std::uint32_t rank) {
        bool goes = found.missing_left;
        if (rank != missing_rank)
            goes = found.words.empty() ? rank <= found.last_rank
                                       : (found.words[rank / 32] >> rank % 32 & 1u) != 0;
        left_[at] = goes ? 1 : 0;
        count += goes ? 1 : 0;
    });
    return count;
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
    const Index count = mark_left(task);
    moved_.clear();
    Index kept = task.begin;
    for (Index i = task.begin; i < task.begin + task.count; ++i) {
        const Row at = row(i);
        if (left_[at] != 0)
            rows_[static_cast<std::size_t>(kept++)] = at;
        else
            moved_.push_back(at);
    }
    std::copy(moved_.begin(), moved_.end(), rows_.begin() + kept);
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
