// Arrays of plain numbers on large pages: leaves visit rows here and there, and a page table that
// fits the cache makes that a third faster.
#pragma once

#include "stylobate/buffer.hpp"

namespace stylobate::boost {

template <class T>
class Array {
 public:
    Array() = default;
    // Whatever the memory holds: every entry is written before it is read.
    explicit Array(Index size)
        : memory_(Buffer::unset((area(size, static_cast<Index>(sizeof(T))) + 7) / 8)),
          size_(size) {}
    T* data() { return reinterpret_cast<T*>(memory_.data()); }
    const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }
    T& operator[](Index i) { return data()[i]; }
    const T& operator[](Index i) const { return data()[i]; }
    Index size() const { return size_; }

 private:
    Buffer memory_;
    Index size_ = 0;
};

// Rows of a fixed chunk of a pass over all rows.
constexpr Index chunk_rows = 4096;

struct Range {
    Index begin, end;
    Index size() const { return end - begin; }
};

inline Index chunks_of(Index n, Index length) {
    return (n + length - 1) / length;
}

inline Range chunk_of(Index chunk, Index n, Index length) {
    const Index begin = chunk * length;
    return {begin, begin + length < n ? begin + length : n};
}

}  // namespace stylobate::boost
