// The rows of a table as keys: the ranks of all columns of a row side by side.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "stylobate/parallel.hpp"
#include "tree/kernels.hpp"
#include "tree/key_values.hpp"
#include "tree/memory.hpp"
#include "tree/ranked.hpp"

namespace stylobate::tree {

// Key is wide enough for the ranks and one more, which is the key of missing values.
template <class Key>
class KeyRows {
 public:
    static constexpr Key missing = std::numeric_limits<Key>::max();
    static constexpr Index lanes = key_bytes / static_cast<Index>(sizeof(Key));

    // Of the rows listed, in their order.
    KeyRows(const RankedColumns& columns, const std::vector<Row>& rows)
        : rows_(static_cast<Index>(rows.size())),
          stride_((columns.cols() + lanes - 1) / lanes * lanes),
          keys_(area(rows_, stride_)),
          values_(static_cast<std::size_t>(columns.cols())) {
        std::fill_n(keys_.data(), keys_.size(), Key{0});
        std::vector<Row> places(static_cast<std::size_t>(columns.rows()), not_listed);
        for (std::size_t i = 0; i < rows.size(); ++i) places[rows[i]] = static_cast<Row>(i);
        parallel_for(columns.cols(), [&](Index j, Checkpoint& checkpoint) {
            checkpoint();
            fill(columns, j, places);
        });
        for (Index j = 0; j < columns.cols(); ++j)
            gaps_ = gaps_ || columns.present(j) < columns.rows();
    }

    Index rows() const { return rows_; }
    Index cols() const { return static_cast<Index>(values_.size()); }
    Index stride() const { return stride_; }
    bool gaps() const { return gaps_; }  // some value may be missing
    const Key* keys() const { return keys_.data(); }
    const KeyValues& values(Index j) const { return values_[static_cast<std::size_t>(j)]; }

 private:
    static constexpr Row not_listed = std::numeric_limits<Row>::max();

    void fill(const RankedColumns& columns, Index j, const std::vector<Row>& places) {
        std::vector<double> values;
        columns.each_rank(j, [&](Index i, std::uint32_t rank) {
            const Row place = places[static_cast<std::size_t>(i)];
            if (place != not_listed)
                keys_[place * stride_ + j] =
                    rank == missing_rank ? missing : static_cast<Key>(rank);
            if (rank == missing_rank) return;
            if (values.size() <= rank) values.resize(rank + 1);
            values[rank] = columns.value(j, i, rank);
        });
        values_[static_cast<std::size_t>(j)] = KeyValues(std::move(values));
    }

    Index rows_, stride_;
    bool gaps_ = false;
    boost::Array<Key> keys_;  // a row lies in whole cache lines, or two in one
    std::vector<KeyValues> values_;
};

}  // namespace stylobate::tree
