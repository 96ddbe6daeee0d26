// Histograms of gradients: for every feature and bin the sums of the rows' gradients and Hessians
// and their count. They add over rows, so they merge, and a node's less one child's is the other's.
//
// Gradients are whole multiples of a small unit, several sums share one word, and one addition per
// row and feature counts all three. Sums of whole numbers are exact in any order: the same bits for
// any number of threads, without a fixed order of the work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tree/bins.hpp"
#include "tree/memory.hpp"

namespace stylobate::boost {

// First and second derivative of the loss of a row.
struct Pair {
    float gradient, hessian;
};

// How a row's pair and its count of one lie in words.
enum class Packing : int {
    narrow,    // one word: 15 bits of gradient and of Hessian
    constant,  // one word: 23 bits of gradient; all Hessians are one
    wide,      // two words: up to 40 bits of gradient, 36 of Hessian
};

// Pairs of all rows as multiples of powers of two.
class PackedPairs {
 public:
    PackedPairs() = default;
    // In a file of `folder` where one is named.
    explicit PackedPairs(Index rows, const std::string& folder = {}) : words_(2 * rows, folder) {}

    // Those of `rows` rows, which begin at `from`. `choice` overrules how they are packed (for
    // tests).
    void pack(const Array<Pair>& all, Index from, Index rows, bool constant_hessian,
              const Packing* choice = nullptr);

    Packing packing() const { return packing_; }
    double gradient_unit() const { return gradient_unit_; }
    double hessian_unit() const { return hessian_unit_; }
    const std::int64_t* words() const { return words_.data(); }
    // Of words in a file: those of some rows make room for others.
    void let_go(Index begin, Index end) const {
        const Index width = packing_ == Packing::wide ? 2 : 1;
        words_.let_go(begin * width, end * width);
    }

 private:
    Packing packing_ = Packing::wide;
    double gradient_unit_ = 1.0, hessian_unit_ = 1.0;
    Array<std::int64_t> words_;
};

// Sums in units: whole numbers below 2⁵³, so that doubles hold them exactly. Bins of feature f
// start at f · bin_slots.
class Histogram {
 public:
    explicit Histogram(Index features)
        : gradient(features * bin_slots),
          hessian(features * bin_slots),
          count(features * bin_slots) {}
    Array<double> gradient, hessian;
    Array<std::int32_t> count;
};

// Adds `size` rows to the sums of a block's features: rows[0 … size) or, where null, those from
// `first` on. `afresh`: the sums start from zero.
void add_rows(const BinnedRows& bins, const BinnedRows::Block& block, const PackedPairs& pairs,
              const std::int32_t* rows, Index first, Index size, bool afresh, Histogram& out);

// One feature of `into` += `other`, and of `into` = `into` − `other`.
void merge_feature(const BinnedRows& bins, Index f, const Histogram& other, Histogram& into);
void subtract_feature(const BinnedRows& bins, Index f, const Histogram& other, Histogram& into);

}  // namespace stylobate::boost
