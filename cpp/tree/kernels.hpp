// Kernels of trees.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate {

constexpr Index key_bytes = 32;  // of a row's keys of several columns, looked at together

// What the gain of a cut through a node is reckoned with (tree/cuts.hpp).
struct CutGains {
    double gradient, hessian, own;  // of all rows: sums in units, and the gradient times the value
    double unit, hessian_unit, l2;
};

// Distinct thresholds of one column in ascending order, ∞ after the last for 2·first_step + 8
// more, and where those of each bucket start. Bucket ⌊(x − low)·scale⌋, x held within [low, high],
// has at most 2·first_step − 1 of them.
struct RankTable {
    const double* thresholds;
    const unsigned short* starts;
    double low, high, scale;
    Index first_step;

    // Never falls as x rises, so the thresholds of a bucket lie together. NaN lies in the first.
    [[gnu::always_inline]] int bucket(double x) const {
        const double above = x > low ? x : low;
        return static_cast<int>(((above < high ? above : high) - low) * scale);
    }
};

// Three levels of a tree in one cache line: split s has the splits 2s + 1 and 2s + 2 below it, and
// the last four the ways out, in order. A rank above the threshold goes right; with the highest
// bit of the feature set the missing one, 65535, goes left. A child with the highest bit set is a
// leaf.
struct alignas(64) TreeCell {
    unsigned short feature[7];
    unsigned short threshold[7];
    unsigned child[8];
};

constexpr Index small_keys = 128;  // rows of a node that are sorted in registers

// Draws of a node of two classes, those of the second, and what a draw of each class weighs.
struct TwoClassNode {
    double draws, ones;
    double weight[2];
};

// A key is the rank, the class (one bit) and the count of a row; gains are known up to
// gain · margin − slack.
struct TwoClassKeys {
    int rank_shift, count_bits;
    float margin, slack;
};

// What splits of a node of so many rows must have: rows on both sides and gain; gains are known up
// to gain · margin − slack.
struct TwoClassRule {
    Index rows, least;
    float floor, margin, slack;
};

// A split after the key `at`, with the draws on its left.
struct TwoClassCut {
    int at;
    unsigned draws, ones;
    float gain;
};

// Of rows in a step of a column's ranks, in one word: draws, those of the second class, and rows.
struct StepCell {
    using Word = unsigned long long;
    static constexpr int bits = 22;
};

namespace tree {

struct Kernels {
    // The bin of each of n numbers: how many of the edges are below it. There are
    // 2·first_step − 1 edges, ∞ after the last; NaN lies in `missing`.
    void (*find_bins)(const double* x, Index n, const double* edges, Index first_step,
                      unsigned char missing, unsigned char* out);

    // Keys of the columns of a row lie side by side, rows `stride` (whole vectors) apart; the key
    // of a missing value is the largest there is. Of n rows, those listed or where null the first
    // ones, column by column: the smallest and the largest key, and one more than the largest that
    // is not missing (0: all are); not asked for where `present` is null.
    void (*key_extremes_16)(const unsigned short* keys, Index stride, const unsigned* rows, Index n,
                            unsigned short* least, unsigned short* most, unsigned short* present);
    void (*key_extremes_32)(const unsigned* keys, Index stride, const unsigned* rows, Index n,
                            unsigned* least, unsigned* most, unsigned* present);

    // Rows of one class after those of another, of_class[c] each. Of each class and column, how
    // many have key + shift ≤ limit (a missing key plus 1 is 0): counts[class][column], rows
    // `stride` apart.
    void (*key_counts_16)(const unsigned short* keys, Index stride, const unsigned* rows,
                          const unsigned* of_class, Index classes, const unsigned short* shift,
                          const unsigned short* limit, unsigned* counts);
    void (*key_counts_32)(const unsigned* keys, Index stride, const unsigned* rows,
                          const unsigned* of_class, Index classes, const unsigned* shift,
                          const unsigned* limit, unsigned* counts);

    // Of each column, Σ (y − centre) over those rows, and how many they are; y[i] is that of the
    // i-th row meant.
    void (*key_sums_16)(const unsigned short* keys, Index stride, const unsigned* rows, Index n,
                        const unsigned short* shift, const unsigned short* limit, const double* y,
                        double centre, double* sums, unsigned* counts);
    void (*key_sums_32)(const unsigned* keys, Index stride, const unsigned* rows, Index n,
                        const unsigned* shift, const unsigned* limit, const double* y,
                        double centre, double* sums, unsigned* counts);

    // Copies n rows, in their order, to the left if a column's key + shift ≤ limit, else to the
    // right; goes_left[i] is 1 for those of the left, unless null.
    void (*key_part_16)(const unsigned short* keys, Index stride, Index n, Index column,
                        unsigned short shift, unsigned short limit, unsigned short* left,
                        unsigned short* right, unsigned char* goes_left);
    void (*key_part_32)(const unsigned* keys, Index stride, Index n, Index column, unsigned shift,
                        unsigned limit, unsigned* left, unsigned* right, unsigned char* goes_left);

    // sums[f][bin f of row] += cells[row] for the first `count` ≤ 32 features of n rows: those
    // listed, or where null those from `first` on. Cells are one word, or two where `wide`.
    void (*histogram_add)(bool wide, Index count, const unsigned char* bins, Index stride,
                          const long long* cells, const int* rows, Index first, Index n,
                          long long* sums);

    // Adds the sums of n bins that share words (boost::Packing) to arrays of their own, and
    // empties them.
    void (*histogram_unpack)(int packing, long long* sums, Index n, double* gradient,
                             double* hessian, int* count);

    // Running sums cut after begin … end − 1 (at most 256 of them): the first cut that gains most,
    // if that is more than `gain`, which it then becomes; else −1.
    Index (*best_gain)(const double* gradient, const double* hessian, Index begin, Index end,
                       const CutGains& node, double& gain);

    // Writes those of n rows (listed, or where null from `first` on) whose bin goes left to `left`,
    // the others to `right`, in their order; returns how many go left. Both have room for n rows,
    // and 3 bytes after the column may be read. last ≥ 0: these are the bins up to `last`, and
    // `also`.
    Index (*part_rows)(const unsigned char* column, const int* rows, Index first, Index n,
                       const bool* goes_left, int last, int also, int* left, int* right);

    // out[i · stride] = how many thresholds lie below x[i], or 65535 for NaN; whether there was
    // one.
    bool (*find_ranks)(const double* x, Index n, const RankTable& table, unsigned short* out,
                       Index stride);

    // at[i] = the leaf (its highest bit cleared) that row i of ranks, `width` apart, reaches from
    // the first cell. Rows of 32 or 64 ranks are 64-byte aligned. `gaps`: some rank is missing;
    // `scratch`: room for 2 n.
    void (*walk_cells)(const TreeCell* cells, const unsigned short* rows, Index width, Index n,
                       bool gaps, unsigned* at, unsigned* scratch);

    // Sorts n ≤ small_keys keys; there is room for that many, and what follows the n is lost.
    void (*sort_keys)(unsigned* keys, Index n);

    // Lists the splits between n sorted keys of different ranks with at least `least` keys on both
    // sides whose gain may be the largest, and is at least `floor`. Keys have room for one vector
    // more; draws² < 2³¹.
    Index (*two_class_cuts)(const unsigned* keys, Index n, const TwoClassKeys& form,
                            const TwoClassNode& node, Index least, float floor, TwoClassCut* out);

    // The same between the codes of a column that has at most 256, in any order. cells[c]: of the
    // rows of code c, zero up to a whole number of 8 cells; before: of rows that go left anyway.
    Index (*two_class_codes)(const unsigned long long* cells, Index codes,
                             unsigned long long before, const TwoClassNode& node,
                             const TwoClassRule& rule, TwoClassCut* out);

    // The largest gain of a split between steps with `least` rows on both sides; −1: there is none.
    // cells[s]: sums of the first s steps, s = 0 … steps.
    float (*best_step_gain)(const unsigned long long* cells, Index steps, const TwoClassNode& node,
                            Index least);

    // open[s] ≠ 0: a split inside step s, or at its ends, may gain more than `floor`. Whether any.
    bool (*open_steps)(const unsigned long long* cells, Index steps, const TwoClassNode& node,
                       float floor, long long* open);
};

const Kernels& kernels();              // of isa()
const Kernels* kernels_of(Isa which);  // null where this machine has no such instructions

}  // namespace tree
}  // namespace stylobate
