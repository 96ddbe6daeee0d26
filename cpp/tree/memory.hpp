// Arrays of plain numbers on large pages: leaves visit rows here and there, and a page table that
// fits the cache makes that a third faster.
#pragma once

#include <string>

#include "stylobate/buffer.hpp"
#include "tree/spilled.hpp"

namespace stylobate::boost {

template <class T>
class Array {
 public:
    Array() = default;
    // Whatever the memory holds: every entry is written before it is read. In a file of `folder`
    // where one is named.
    explicit Array(Index size, const std::string& folder = {}) : size_(size) {
        const Index bytes = area(size, static_cast<Index>(sizeof(T)));
        if (folder.empty())
            memory_ = Buffer::unset((bytes + 7) / 8);
        else
            file_ = SpilledMemory(bytes, folder);
        data_ = reinterpret_cast<T*>(folder.empty() ? static_cast<void*>(memory_.data())
                                                    : file_.data());
    }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T& operator[](Index i) { return data()[i]; }
    const T& operator[](Index i) const { return data()[i]; }
    Index size() const { return size_; }
    bool spilled() const { return file_.size() > 0; }
    // Pages of a spilled array need not stay in memory; they are read again when asked for.
    void let_go() const { let_go(0, size_); }
    void let_go(Index begin, Index end) const {
        constexpr auto width = static_cast<Index>(sizeof(T));
        file_.let_go(begin * width, end * width);
    }

 private:
    Buffer memory_;
    SpilledMemory file_;
    T* data_ = nullptr;
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
