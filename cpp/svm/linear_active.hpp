// The rows that coordinate descent in a dual still visits, and when it looks at all of them again.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "descend/losses.hpp"
#include "descend/row_access.hpp"
#include "descend/shuffle.hpp"

namespace stylobate::svm {

constexpr Index work_between = 100000;  // multiplications between questions whether to go on
constexpr Index rows_between = 1024;
constexpr std::size_t ahead = 2;  // rows asked of the memory before their turn

class ActiveRows {
 public:
    ActiveRows(Index n, std::uint64_t seed) : random_(seed, 0), order_(n), count_(order_.size()) {
        std::iota(order_.begin(), order_.end(), descend::RowNumber{0});
    }

    std::size_t count() const { return count_; }
    Index row(std::size_t k) const { return order_[k]; }

    void shuffle(Index epoch) {
        descend::EpochWords words(random_, static_cast<std::uint64_t>(epoch));
        descend::shuffle(order_.begin(), count_, words);
    }

    // Rows firmer at their corner than the worst violation of the epoch before are dropped.
    double limit() const { return limit_; }
    void drop(std::size_t k) { std::swap(order_[k], order_[--count_]); }

    // Called after each epoch with the worst violation met: whether to look at all rows again,
    // which is after a violation has fallen to a tenth, or after some epochs.
    bool settled(double worst) {
        limit_ = worst > 0.0 ? worst : infinity;
        if (first_ < 0.0) first_ = worst;
        return worst <= share * first_ || ++since_ >= most_epochs || count_ == 0;
    }
    void restore() {
        count_ = order_.size();
        limit_ = infinity;
        first_ = -1.0, since_ = 0;
    }

 private:
    static constexpr double share = 0.1, infinity = descend::infinity;
    static constexpr int most_epochs = 25;
    Philox random_;
    std::vector<descend::RowNumber> order_;
    std::size_t count_;
    double limit_ = infinity, first_ = -1.0;
    int since_ = 0;
};

// Instantiates `Function(const Rows&, …)` for every kind of rows.
#define STYLOBATE_FOR_ALL_ROWS(Function, ...)                                \
    Function(const descend::DenseRows<double>&, __VA_ARGS__);                \
    Function(const descend::DenseRows<float>&, __VA_ARGS__);                 \
    Function(const descend::SparseRows<double, std::int32_t>&, __VA_ARGS__); \
    Function(const descend::SparseRows<double, std::int64_t>&, __VA_ARGS__); \
    Function(const descend::SparseRows<float, std::int32_t>&, __VA_ARGS__);  \
    Function(const descend::SparseRows<float, std::int64_t>&, __VA_ARGS__);

}  // namespace stylobate::svm
