// The rows of a table as keys: the ranks of all columns of a row side by side.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "stylobate/parallel.hpp"
#include "stylobate/simd.hpp"
#include "tree/ranked.hpp"

namespace stylobate::tree {

// Key is wide enough for the ranks and one more, which is the key of missing values.
template <class Key>
class KeyRows {
 public:
    static constexpr Key missing = std::numeric_limits<Key>::max();
    static constexpr Index lanes = key_bytes / static_cast<Index>(sizeof(Key));

    explicit KeyRows(const RankedColumns& columns)
        : cols_(columns.cols()),
          stride_((columns.cols() + lanes - 1) / lanes * lanes),
          keys_(static_cast<std::size_t>(columns.rows() * stride_), Key{0}),
          values_(static_cast<std::size_t>(columns.cols())) {
        parallel_for(cols_, [&](Index j, Checkpoint& checkpoint) {
            checkpoint();
            fill(columns, j);
        });
    }

    Index cols() const { return cols_; }
    Index stride() const { return stride_; }
    const Key* keys() const { return keys_.data(); }
    // The value of a key.
    double value(Index j, Key key) const { return values_[static_cast<std::size_t>(j)][key]; }
    // The largest key from `low` on whose value is not above a threshold (that of `low` is not).
    Key last(Index j, Key low, Key high, double threshold) const {
        const auto& values = values_[static_cast<std::size_t>(j)];
        const auto after = std::upper_bound(values.begin() + low, values.begin() + high, threshold);
        return static_cast<Key>(after - values.begin() - 1);
    }

 private:
    void fill(const RankedColumns& columns, Index j) {
        auto& values = values_[static_cast<std::size_t>(j)];
        columns.each_rank(j, [&](Index i, std::uint32_t rank) {
            keys_[static_cast<std::size_t>(i * stride_ + j)] =
                rank == missing_rank ? missing : static_cast<Key>(rank);
            if (rank == missing_rank) return;
            if (values.size() <= rank) values.resize(rank + 1);
            values[rank] = columns.value(j, i, rank);
        });
    }

    Index cols_, stride_;
    std::vector<Key> keys_;
    std::vector<std::vector<double>> values_;
};

}  // namespace stylobate::tree
