// Rows of a kernel matrix, stored or computed when they are asked for.
#pragma once

#include "tile/row_cache.hpp"

namespace stylobate::svm {

template <class T>
class RowSource {
 public:
    virtual ~RowSource() = default;
    // Stays until the next call but one.
    virtual const T* row(Index i) = 0;
    // Whether rows cost nothing, so that many of them may be copied.
    virtual bool at_hand() const { return false; }
};

template <class T>
class StoredRows final : public RowSource<T> {
 public:
    StoredRows(const T* data, Index stride) : data_(data), stride_(stride) {}
    const T* row(Index i) override { return data_ + i * stride_; }
    bool at_hand() const override { return true; }

 private:
    const T* data_;
    Index stride_;
};

// Those used last are kept within a limit of bytes.
template <class T>
class CachedRowSource final : public RowSource<T> {
 public:
    CachedRowSource(Index rows, Index length, Index bytes, typename tile::RowCache<T>::Compute make)
        : cache_(rows, length, bytes, std::move(make)) {}
    const T* row(Index i) override {
        const int place = next_;
        next_ = 1 - next_;
        held_[place] = cache_.row(i);
        return held_[place]->data();
    }

 private:
    tile::RowCache<T> cache_;
    typename tile::RowCache<T>::Row held_[2];
    int next_ = 0;
};

}  // namespace stylobate::svm
