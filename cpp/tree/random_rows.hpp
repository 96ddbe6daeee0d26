// Where the rows of the nodes of a tree of random splits lie.
#pragma once

#include "tree/key_kernels.hpp"
#include "tree/key_rows.hpp"

namespace stylobate::tree {

// Rows `begin` … `begin + count − 1` of the tree's rows, which every split puts in a new order.
struct RowSpan {
    enum class Home : std::uint8_t { table, list, copy };
    Index begin = 0, count = 0;
    Home home = Home::table;
    std::uint8_t side = 0;  // which of two places: a split reads from one and writes to the other
};

// Writes what goes left, and after it what goes right, by masks: no branch to guess.
template <class T>
class TwoWays {
 public:
    TwoWays(T* out, Index left) : out_(out), right_(left) {}
    void put(T value, bool goes_left) {
        const Index mask = -static_cast<Index>(goes_left);
        out_[(left_ & mask) | (right_ & ~mask)] = value;
        left_ -= mask;
        right_ += 1 + mask;
    }

 private:
    T* out_;
    Index left_ = 0, right_;
};

// Rows of large nodes are listed. Those of nodes that the second cache holds are copied, and every
// split copies them side by side again: passes read one row after the other.
template <class Key>
class RandomRows {
 public:
    explicit RandomRows(const KeyRows<Key>& table)
        : table_(table),
          near_(std::max<Index>(near_bytes / (table.stride() * Index{sizeof(Key)}), 2)) {
        const auto rows = static_cast<std::size_t>(table.rows());
        if (table.rows() > near_)
            for (auto& list : lists_) list.resize(rows);
        for (auto& copy : copies_)
            copy = boost::Array<Key>(area(std::min(table.rows(), near_), table.stride()));
    }

    RowSpan all() const { return {0, table_.rows(), RowSpan::Home::table, 0}; }

    // The rows of a node, brought near if they are few. Its rows are looked at before those of any
    // node that waits: there is one place for copies.
    RowSpan fetched(RowSpan span) {
        if (span.home == RowSpan::Home::table) first_ = 0;
        if (span.home != RowSpan::Home::list || span.count > near_) return span;
        const Row* const rows = lists_[span.side].data() + span.begin;
        const Index stride = table_.stride();
        Key* out = copies_[span.side].data();
        for (Index i = 0; i < span.count; ++i, out += stride)
            std::copy_n(table_.keys() + rows[i] * stride, stride, out);
        first_ = span.begin;
        span.home = RowSpan::Home::copy;
        return span;
    }

    KeyView<Key> view(const RowSpan& span) const {
        if (span.home == RowSpan::Home::table) return {table_.keys(), nullptr};
        if (span.home == RowSpan::Home::list)
            return {table_.keys(), lists_[span.side].data() + span.begin};
        return {copies_[span.side].data() + place(span.begin), nullptr};
    }

    struct Parts {
        RowSpan left, right;
    };
    Parts parts(const RowSpan& span, Index left) const {
        const bool near = span.home == RowSpan::Home::copy || table_.rows() <= near_;
        const auto home = near ? RowSpan::Home::copy : RowSpan::Home::list;
        const auto side = static_cast<std::uint8_t>(1 - span.side);
        return {{span.begin, left, home, side}, {span.begin + left, span.count - left, home, side}};
    }

    // Puts the rows where the parts are; goes_left[i] is 1 for those of the left, unless null.
    void part(const RowSpan& span, const Parts& parts, Index column, Key shift, Key limit,
              std::uint8_t* goes_left) {
        const KeyView<Key> from = view(span);
        if (parts.left.home == RowSpan::Home::copy) {
            Key* const out = copies_[parts.left.side].data();
            KeyKernels<Key>::part()(from.keys, table_.stride(), span.count, column, shift, limit,
                                    out + place(parts.left.begin), out + place(parts.right.begin),
                                    goes_left);
            return;
        }
        TwoWays<Row> out(lists_[parts.left.side].data() + span.begin, parts.left.count);
        for (Index i = 0; i < span.count; ++i) {
            const Row row = from.rows != nullptr ? from.rows[i] : static_cast<Row>(i);
            const Key key = from.keys[row * table_.stride() + column];
            const bool goes = static_cast<Key>(key + shift) <= limit;
            out.put(row, goes);
            if (goes_left != nullptr) goes_left[i] = goes;
        }
    }

 private:
    static constexpr Index near_bytes = Index{2} << 20;

    Index place(Index row) const { return (row - first_) * table_.stride(); }

    const KeyRows<Key>& table_;
    Index near_;
    Index first_ = 0;  // row of the tree that lies first among the copies
    std::vector<Row> lists_[2];
    boost::Array<Key> copies_[2];
};

}  // namespace stylobate::tree
