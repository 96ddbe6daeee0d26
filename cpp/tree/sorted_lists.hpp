// A problem's rows in the order of every column, kept sorted while nodes are split.
#pragma once

#include <algorithm>
#include <memory>

#include "tree/ranked.hpp"
#include "tree/scan.hpp"

namespace stylobate::tree {

using ColumnSet = std::shared_ptr<const std::vector<Index>>;

// One list of records per column; a node's rows are the same stretch of each list. A split moves
// the rows of the left child to the front of the stretch, keeping their order: one sequential pass
// instead of a sort.
template <class Record>
class SortedLists {
 public:
    SortedLists() = default;
    SortedLists(Index cols, Index rows)
        : rows_(rows), records_(new Record[static_cast<std::size_t>(cols * rows)]) {}

    bool empty() const { return records_ == nullptr; }
    const Record* of(Index column) const { return records_.get() + column * rows_; }
    Record* of(Index column) { return records_.get() + column * rows_; }

    // From the order of a column: rows that are in the problem (local[row] >= 0).
    void fill(const RankedColumns& columns, Index column, const std::vector<std::int32_t>& local) {
        Record* out = of(column);
        const Row* const order = columns.order(column);
        const Index present = columns.present(column);
        std::uint32_t rank = 0;
        bool larger = false, any = false;
        for (Index k = 0; k < columns.rows(); ++k) {
            const Row row = order[k] & ~RankedColumns::larger_bit;
            larger = larger || (order[k] & RankedColumns::larger_bit) != 0;
            if (local[row] < 0) continue;
            if (larger && any) ++rank;
            larger = false;
            any = true;
            *out++ = Record::of(k < present ? rank : Record::missing, static_cast<Row>(local[row]));
        }
    }

    // From a stretch of another problem's list, its rows renumbered.
    template <class Other>
    void fill(const Other* from, Index column, const std::uint32_t* local) {
        Record* const out = of(column);
        std::uint32_t rank = 0;
        for (Index k = 0; k < rows_; ++k) {
            if (k > 0 && from[k].key != from[k - 1].key) ++rank;
            out[k] = Record::of(from[k].key == Other::missing ? Record::missing : rank,
                                local[from[k].row]);
        }
    }

    // The rows of a stretch that are not missing.
    Index present(Index column, Index begin, Index count) const {
        const Record* const first = of(column) + begin;
        if (first[count - 1].key != Record::missing) return count;
        return std::partition_point(first, first + count,
                                    [](const Record& r) { return r.key != Record::missing; }) -
               first;
    }

    // Rows with left[row] = 1 to the front; a child nobody looks at again need not be kept, and
    // then the other one starts at the front.
    void split(Index column, Index begin, Index count, const std::uint8_t* left, bool keep_left,
               bool keep_right, Record* scratch) {
        Record* const first = of(column) + begin;
        Index to_left = 0, to_right = 0;
        if (keep_left && keep_right) {
            for (Index i = 0; i < count; ++i) {
                const Record record = first[i];
                const Index goes = left[record.row];
                first[to_left] = record;
                scratch[to_right] = record;
                to_left += goes;
                to_right += 1 - goes;
            }
            std::copy(scratch, scratch + to_right, first + to_left);
            return;
        }
        const std::uint8_t wanted = keep_left ? 1 : 0;
        for (Index i = 0; i < count; ++i) {
            const Record record = first[i];
            first[to_left] = record;
            to_left += left[record.row] == wanted ? 1 : 0;
        }
    }

 private:
    Index rows_ = 0;
    std::unique_ptr<Record[]> records_;
};

}  // namespace stylobate::tree
