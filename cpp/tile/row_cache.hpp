// Rows of a matrix too large to be held: those used last are kept, within a limit of bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tile {

// Several threads may ask at once; one of them computes at a time. A row lives as long as someone
// holds it, kept or not: the limit is on the rows kept.
template <class T>
class RowCache {
 public:
    using Row = std::shared_ptr<const std::vector<T>>;
    // Writes `count` rows, one after the other.
    using Compute = std::function<void(const Index* which, Index count, T* out)>;

    // A limit below one row keeps none.
    RowCache(Index rows, Index length, Index bytes, Compute compute);

    Row row(Index i);
    // Rows that are missing are computed together, a few at a time.
    std::vector<Row> rows(const Index* which, Index count);

    Index capacity() const { return capacity_; }  // rows kept at most
    Index kept() const;
    std::int64_t hits() const;
    std::int64_t misses() const;

 private:
    using Order = std::list<std::pair<Index, Row>>;  // the one used last first

    Row known(Index i);
    void keep(Index i, const Row& row);
    void compute_some(const Index* which, Index count, std::unordered_map<Index, Row>& made);

    Index rows_, length_, capacity_;
    Compute compute_;
    mutable std::mutex mutex_;
    Order order_;
    std::unordered_map<Index, typename Order::iterator> places_;
    std::vector<T> scratch_;
    std::int64_t hits_ = 0, misses_ = 0;
};

}  // namespace stylobate::tile
