#include "tree/sparse_ranks.hpp"

#include <cmath>

#include "scan/keys.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tree {

SparseRanks::SparseRanks(const SparseColumns& x) : rows_(x.minor) {
    if (x.minor < 1 || x.major < 1)
        throw InvalidArgument("a tree needs at least one row and column");
    const auto cols = static_cast<std::size_t>(x.major);
    starts_.assign(x.offsets, x.offsets + cols + 1);
    row_.assign(x.indices, x.indices + starts_.back());
    rank_.resize(row_.size());
    zero_.resize(cols);
    missing_.resize(cols);
    first_value_.assign(1, 0);
    std::vector<std::vector<double>> distinct(cols);
    parallel_for(x.major, [&](Index j, Checkpoint& checkpoint) {
        checkpoint();
        rank_column(x, j, distinct[static_cast<std::size_t>(j)]);
    });
    for (const auto& each : distinct) {
        values_.insert(values_.end(), each.begin(), each.end());
        first_value_.push_back(static_cast<Index>(values_.size()));
    }
}

void SparseRanks::rank_column(const SparseColumns& x, Index j, std::vector<double>& distinct) {
    struct Placed {
        std::uint64_t key;
        Index place;
    };
    const auto at = static_cast<std::size_t>(j);
    const Index begin = starts_[at], end = starts_[at + 1];
    std::vector<Placed> placed;
    placed.reserve(static_cast<std::size_t>(end - begin) + 1);
    for (Index k = begin; k < end; ++k) {
        if (k > begin && x.indices[k] <= x.indices[k - 1])
            throw InvalidArgument("the rows of a sparse column must increase");
        if (std::isnan(x.values[k]))
            rank_[static_cast<std::size_t>(k)] = missing_rank;
        else
            placed.push_back({~scan::key_of(x.values[k]), k});
    }
    missing_[at] = end - begin - static_cast<Index>(placed.size());
    if (end - begin < rows_) placed.push_back({~scan::key_of(0.0), -1});
    std::vector<Placed> scratch(placed.size());
    scan::sort_by_key(placed.data(), scratch.data(), static_cast<Index>(placed.size()));
    for (std::size_t k = 0; k < placed.size(); ++k) {
        if (k == 0 || placed[k].key != placed[k - 1].key)
            distinct.push_back(scan::score_of<double>(~placed[k].key));
        const auto rank = static_cast<std::uint32_t>(distinct.size() - 1);
        if (placed[k].place < 0)
            zero_[at] = rank;
        else
            rank_[static_cast<std::size_t>(placed[k].place)] = rank;
    }
}

}  // namespace stylobate::tree
