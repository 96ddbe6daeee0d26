// Which instructions this machine has, and the kernels compiled for them.
//
// Every file named *.kernel.cpp is compiled once per instruction set, inside the namespace that
// STYLOBATE_ISA names; callers go through kernels(), which picks the best set once.
#pragma once

#include "stylobate/views.hpp"

namespace stylobate {

enum class Isa { base, avx2, avx512, vnni };  // each has all the former have

// The best instruction set of this machine (STYLOBATE_ISA=base|avx2|avx512|vnni asks for
// a lesser one).
Isa isa();
const char* isa_name();

constexpr Index lane_rows = 32;    // rows of a group whose entries lie side by side
constexpr Index lane_outputs = 4;  // rows of a triangular factor that are packed together
constexpr Index key_bytes = 32;    // of a row's keys of several columns, looked at together

// Of one row of a tile: which of its columns (bit j) deserve a second look.
struct TileBits {
    Index row;
    unsigned long long bits;
};

// Numbers as scale · whole numbers in [−127, 127]: Σ and Σ² of those, Σ of the squares of what is
// off.
struct RowCode {
    float scale;
    double sum, squares, error;
};

// What decides about a query among codes (tile/code_filter.hpp).
struct CodeQuery {
    float scale, lift, limit;
    int start;
};

// Monomials yᵗ of several variables, by degree: term t is term parent[t] times variable axis[t],
// and scale[t] = 1 / t!.
struct MonomialTerms {
    const int* parent;
    const int* axis;
    const double* scale;
    Index count;
};

// What the gain of a cut through a node is reckoned with (tree/cuts.hpp).
struct CutGains {
    double gradient, hessian, own;  // of all rows: sums in units, and the gradient times the value
    double unit, hessian_unit, l2;
};

// `count` points, coordinate after coordinate, `ld` apart, in whole groups of 8.
struct PointGroups {
    const double* data;
    Index count, ld, depth;
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

struct Kernels {
    // C[j][i] += Σₖ a[k][i]·a[k][j] for j0 ≤ j < j1 and i ≤ j (whole vectors: entries i > j within
    // the last vector are written too and mean nothing). Rows of a and c are `lda`, `ldc` apart,
    // 64-byte aligned, zero-padded to whole vectors. While it computes, it asks the memory for
    // the `next_bytes` at `next`.
    void (*gram)(const double* a, Index rows, Index lda, Index j0, Index j1, double* c, Index ldc,
                 const void* next, Index next_bytes);

    // out[k][j] = x[k][j] − shift[j], rows of out `ld` apart.
    void (*pack_f64)(const MatrixView<double>& x, const double* shift, double* out, Index ld);
    void (*pack_f32)(const MatrixView<float>& x, const double* shift, double* out, Index ld);

    // out[k] = ‖R⁻ᵀ aₖ‖² of the rows of a, `lda` apart; r is cols × cols upper triangular,
    // column-major. `scratch`: 64-byte aligned, 64 · cols.
    void (*quadratics)(const double* a, Index rows, Index lda, const double* r, Index cols,
                       double* scratch, double* out);

    // out = eˣ of n numbers, within 1 ulp; 0 and ∞ beyond the range.
    void (*exp)(const double* x, Index n, double* out);

    // Of n margins z: 1 / (1 + e⁻ᶻ) and log(1 + e^−|z|).
    void (*logistic)(const double* z, Index n, double* probability, double* softplus);

    // out[k] = aₖ·w of the rows of a, `lda` apart.
    void (*row_products)(const double* a, Index rows, Index lda, Index cols, const double* w,
                         double* out);

    // out += Σₖ factor[k] aₖ
    void (*add_rows)(const double* a, Index rows, Index lda, Index cols, const double* factor,
                     double* out);

    // As gram, in single precision.
    void (*gram_f32)(const float* a, Index rows, Index lda, Index j0, Index j1, float* c,
                     Index ldc);

    // c[i][j] += Σₗ a[i·row_stride + l·col_stride]·b[l][j] for `inner` l and j < cols, rounded up
    // to whole vectors (the rows of b and c have room for them).
    void (*multiply)(const double* a, Index rows, Index row_stride, Index col_stride, Index inner,
                     const double* b, Index ldb, Index cols, double* c, Index ldc);

    // Keys in the order of n numbers (none NaN; −0 and 0 have one), and hashes of them.
    void (*real_keys)(const double* x, Index n, unsigned long long* keys,
                      unsigned long long* hashes);
    void (*hash_keys)(const unsigned long long* keys, Index n, unsigned long long* hashes);

    // Whether none of n numbers is NaN or infinite.
    bool (*all_finite)(const double* x, Index n);

    // out = sum, smallest, largest, zeros and negatives of n finite numbers.
    void (*extent)(const double* x, Index n, double* out);

    // out[k − 1] = Σ (scale · x − shift)^k, k = 1 … 4.
    void (*power_sums)(const double* x, Index n, double shift, double scale, double* out);

    // Of columns in rows `ld` apart, NaN left out: out[0 … 4] = Σ w x, count, Σ w, smallest,
    // largest. At least 8 columns; w may be null for ones.
    void (*column_extent)(const double* x, Index rows, Index ld, Index cols, const double* w,
                          double* const* out);

    // The same: Σ w d and Σ w d², d = (x − mean) · scale.
    void (*column_squares)(const double* x, Index rows, Index ld, Index cols, const double* w,
                           const double* mean, const double* scale, double* first, double* second);
    // With s the centre of row k's class (classes × cols), w its weight (null: 1) and d = aₖ − s:
    // adds w·d to the class's sums and w·d² to its squares.
    void (*add_class_rows)(const double* a, Index rows, Index lda, Index cols, const Index* codes,
                           const double* weights, const double* center, double* sums,
                           double* squares);

    // Of groups of `lane_rows` rows, transposed: entry j of row k of group g is
    // z[(g·cols + j)·lane_rows + k]; out[c·ldo + g·lane_rows + k] is its value under class c.
    //
    // Packs up to a whole number of groups of rows, less `shift`; missing rows of the last lanes
    // are zeros.
    void (*lane_pack)(const double* rows, Index count, Index ld, Index cols, const double* shift,
                      double* z);
    // bias[c] + Σⱼ w[c][j]·zⱼ
    void (*lane_linear)(const double* z, Index groups, Index cols, const double* w,
                        const double* bias, Index classes, double* out, Index ldo);
    // bias[c] − ½ Σⱼ (scale[c][j]·zⱼ − mean[c][j])²
    void (*lane_squares)(const double* z, Index groups, Index cols, const double* scale,
                         const double* mean, const double* bias, Index classes, double* out,
                         Index ldo);
    // bias − ½ ‖F(z − mean)‖² under one class, F lower triangular: `lane_outputs` of its rows at a
    // time, each as long as the last of them, stored column by column. `scratch`: as large as z.
    void (*lane_triangular)(const double* z, Index groups, Index cols, const double* mean,
                            const double* factor, double bias, double* scratch, double* out);
    // The highest of scores[c·rows + k] over the classes, and the first class that has it.
    void (*lane_highest)(const double* scores, Index rows, Index classes, double* best,
                         double* which);

    // Tiles of pairs of rows (tile/). A panel of queries holds `tile_queries()` of them, a panel of
    // rows `tile_bytes()` / item size, both column after column, padded with zeros. A strip c is
    // `panels` · tile_queries() queries × one panel of rows, row-major.
    Index (*tile_queries)();
    Index (*tile_bytes)();

    // c[i][j] = bias[j] + qᵢ·rⱼ
    void (*tile_product_f64)(const double* q, Index panels, const double* r, Index depth,
                             const double* bias, double* c);
    void (*tile_product_f32)(const float* q, Index panels, const float* r, Index depth,
                             const float* bias, float* c);

    // Lists the entries of a strip's first `rows` that are not above their row's limit (NaN is in).
    Index (*tile_candidates_f64)(const double* c, Index rows, const double* limits, TileBits* out);
    Index (*tile_candidates_f32)(const float* c, Index rows, const float* limits, TileBits* out);

    // The code of n (a multiple of 8) numbers factor · v, with a scale not below `smallest`.
    RowCode (*tile_encode)(const double* v, Index n, double factor, double smallest,
                           signed char* codes);

    // Codes of queries and of one panel of rows, those of a row plus 128, four columns of a panel
    // at a time, as wide as panels of floats. With p = start + Σ q·r: c[i][j] = offsets[j] −
    // scale·p; lists those entries of the first `rows` where c − lift · inverses[j] is not above
    // the limit, and writes c for the rows it lists.
    Index (*tile_codes)(const signed char* q, Index rows, const unsigned char* r, Index fours,
                        const float* offsets, const float* inverses, const CodeQuery* queries,
                        float* c, TileBits* out);
    bool quick_codes;  // quicker than products of floats

    // c[i][j] += query_norms[i]; lists entries up to share · (query_norms[i] + row_norms[j]).
    Index (*tile_squares)(double* c, Index rows, const double* query_norms, const double* row_norms,
                          double share, TileBits* out);

    // A strip of a tile::Measure computed term by term.
    void (*tile_direct)(int measure, const double* q, Index panels, const double* r, Index depth,
                        const double* weights, double p, double* c);

    // c[j] of one query and a block of 16 rows, column after column; bit j: not above the limit.
    // ‖x − y‖² is summed in the order of the columns, without fused steps.
    unsigned (*leaf_values)(int measure, const double* query, const double* block, Index depth,
                            const double* weights, double p, double limit, double* c);

    // c[j] = Σ x·y, or Σ |x − y| − |y|, of `count` entries and the panel's slots for their columns.
    void (*tile_sparse_product)(const double* values, const Index* slots, Index count,
                                const double* panel, double* c);
    void (*tile_sparse_manhattan)(const double* values, const Index* slots, Index count,
                                  const double* panel, double* c);

    // c ← map(c) of n numbers (tile::Map with its a, b, p); false where this one is not vectorised.
    bool (*tile_map)(int map, double a, double b, double p, double* c, Index n);

    // Σ weights·c, or Σ c where weights are null
    double (*tile_sum)(const double* c, const double* weights, Index n);

    // Bumps (tile/bumps.cpp): out[i] += Σⱼ w[j] map(‖qᵢ − xⱼ‖²), with exponents + b.
    void (*bump_sums)(int map, double a, double b, const PointGroups& queries,
                      const PointGroups& points, const double* w, double* out);

    // out[t] = Σⱼ w[j] e^(b − ½‖y − distance‖²) yᵗ / t!, y = (xⱼ − centre) · inverse_width
    void (*bump_moments)(const PointGroups& points, const double* w, const double* centre,
                         const double* distance, double inverse_width, double b,
                         const MonomialTerms& terms, double* out);

    // out[i] += e^(−½‖yᵢ‖² − distance·yᵢ) Σₜ moments[t] yᵢᵗ of the monomials, term after term, of
    // queries.count queries `queries.ld` apart
    void (*bump_series)(const double* moments, Index terms, const double* distance,
                        const PointGroups& queries, double* out);

    // ‖x − y‖² and x·y of two contiguous rows, in double precision
    double (*squared_distance_f64)(const double* x, const double* y, Index n);
    double (*squared_distance_f32)(const float* x, const float* y, Index n);
    double (*inner_product_f64)(const double* x, const double* y, Index n);
    double (*inner_product_f32)(const float* x, const float* y, Index n);

    // Distances of a code and the codes which[0], which[1] … of rows `stride` bytes apart, by a
    // tile::CodeMeasure: whole numbers, or the bits of floats that are not negative.
    void (*code_distances)(int measure, const unsigned char* query, const unsigned char* rows,
                           Index stride, const unsigned* which, Index count, unsigned* out);

    // Trees (tree/). The bin of each of n numbers: how many of the edges are below it. There are
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

}  // namespace stylobate
