#include "tile/row_cache.hpp"

#include <algorithm>
#include <string>

#include "stylobate/errors.hpp"

namespace stylobate::tile {
namespace {

constexpr Index together = 32;  // rows computed at a time: whole panels of queries

}  // namespace

template <class T>
RowCache<T>::RowCache(Index rows, Index length, Index bytes, Compute compute)
    : rows_(rows),
      length_(length),
      capacity_(std::max<Index>(bytes, 0) /
                std::max<Index>(length * static_cast<Index>(sizeof(T)), 1)),
      compute_(std::move(compute)) {}

template <class T>
typename RowCache<T>::Row RowCache<T>::row(Index i) {
    return rows(&i, 1)[0];
}

template <class T>
std::vector<typename RowCache<T>::Row> RowCache<T>::rows(const Index* which, Index count) {
    for (Index k = 0; k < count; ++k)
        if (which[k] < 0 || which[k] >= rows_)
            throw InvalidArgument("there is no row " + std::to_string(which[k]) + " of " +
                                  std::to_string(rows_));
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Row> found(static_cast<std::size_t>(count));
    std::vector<Index> missing;
    std::unordered_map<Index, Row> made;
    for (Index k = 0; k < count; ++k) {
        found[k] = known(which[k]);
        if (!found[k] && made.emplace(which[k], nullptr).second) missing.push_back(which[k]);
    }
    misses_ += static_cast<std::int64_t>(missing.size());
    hits_ += count - static_cast<Index>(missing.size());
    for (std::size_t k = 0; k < missing.size(); k += together)
        compute_some(&missing[k], std::min<Index>(together, static_cast<Index>(missing.size() - k)),
                     made);
    for (Index k = 0; k < count; ++k)
        if (!found[k]) found[k] = made.at(which[k]);
    return found;
}

template <class T>
void RowCache<T>::compute_some(const Index* which, Index count,
                               std::unordered_map<Index, Row>& made) {
    scratch_.resize(static_cast<std::size_t>(count * length_));
    compute_(which, count, scratch_.data());
    for (Index k = 0; k < count; ++k) {
        const auto first = scratch_.begin() + k * length_;
        const Row row = std::make_shared<const std::vector<T>>(first, first + length_);
        made[which[k]] = row;
        keep(which[k], row);
    }
}

template <class T>
typename RowCache<T>::Row RowCache<T>::known(Index i) {
    const auto place = places_.find(i);
    if (place == places_.end()) return nullptr;
    order_.splice(order_.begin(), order_, place->second);
    return place->second->second;
}

template <class T>
void RowCache<T>::keep(Index i, const Row& row) {
    if (capacity_ == 0) return;
    if (static_cast<Index>(order_.size()) == capacity_) {
        places_.erase(order_.back().first);
        order_.pop_back();
    }
    order_.emplace_front(i, row);
    places_[i] = order_.begin();
}

template <class T>
Index RowCache<T>::kept() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<Index>(order_.size());
}

template <class T>
std::int64_t RowCache<T>::hits() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return hits_;
}

template <class T>
std::int64_t RowCache<T>::misses() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return misses_;
}

template class RowCache<double>;
template class RowCache<float>;

}  // namespace stylobate::tile
