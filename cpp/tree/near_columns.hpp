// Columns of a problem of few rows, side by side: what its nodes look at again and again stays in
// cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tree/ranked.hpp"

namespace stylobate::tree {

template <class T>
class NearColumns {
 public:
    NearColumns() = default;
    NearColumns(Index cols, Index rows) : rows_(rows), values_(std::move(kept())) {
        values_.resize(std::max(values_.size(), static_cast<std::size_t>(cols * rows)));
    }
    NearColumns(NearColumns&&) = default;
    NearColumns& operator=(NearColumns&&) = default;
    ~NearColumns() {
        if (!values_.empty() && values_.size() <= most_kept) kept() = std::move(values_);
    }

    const T* of(Index column) const {
        return values_.empty() ? nullptr : values_.data() + column * rows_;
    }
    // value(i) is that of the problem's row i.
    template <class Value>
    void fill(Index column, const Value& value) {
        T* const out = values_.data() + column * rows_;
        for (Index i = 0; i < rows_; ++i) out[i] = value(static_cast<Row>(i));
    }

 private:
    // Memory for the thread's next problem: the system's pages come cleared, which costs as much
    // as a pass.
    static constexpr std::size_t most_kept = (std::size_t{4} << 20) / sizeof(T);
    static std::vector<T>& kept() {
        static thread_local std::vector<T> values;
        return values;
    }

    Index rows_ = 0;
    std::vector<T> values_;
};

// One column of a problem's rows: from near by if it was brought there, else from the table.
template <class T, class Far>
class ColumnOfRows {
 public:
    ColumnOfRows(const T* near, Far far) : near_(near), far_(far) {}
    T operator()(Row row) const { return near_ != nullptr ? near_[row] : far_(row); }

 private:
    const T* near_;
    Far far_;
};

}  // namespace stylobate::tree
