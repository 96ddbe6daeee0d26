// Kernels of pairs of rows.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate {

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

// `count` centres as 16-bit numbers, two columns at a time, in groups as even as can be of at most
// tile_queries(); what their products with a row start from; the lowest bits of a result, which
// hold the centre's number.
struct CentreCodes {
    const short* codes;
    const int* starts;
    Index count, pairs;
    int label_bits;
};

// Of a panel of rows (bit j: row j): whether its two nearest centres cannot be told apart, and
// whether the nearest is another than it was.
struct PanelLook {
    unsigned long long doubtful, moved;
};

// The worth of codes: of Σ of the squares of a row's, of a result, how far squares may be off, and
// how far a row may be from its code.
struct CodeScales {
    float square, product, off, row;
};

// A row that goes from one centre to another.
struct RowMove {
    Index row;
    int from, to;
};

// Monomials yᵗ of several variables, by degree: term t is term parent[t] times variable axis[t],
// and scale[t] = 1 / t!.
struct MonomialTerms {
    const int* parent;
    const int* axis;
    const double* scale;
    Index count;
};

// `count` points, coordinate after coordinate, `ld` apart, in whole groups of 8.
struct PointGroups {
    const double* data;
    Index count, ld, depth;
};

namespace tile {

struct Kernels {
    // A panel of queries holds `tile_queries()` of them, a panel of rows `tile_bytes()` / item
    // size, both column after column, padded with zeros. A strip c is `panels` · tile_queries()
    // queries × one panel of rows, row-major.
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

    // out[i][j] = c[i][j] of rows `ld` and `stride` apart; `past_cache`: written around the caches,
    // for matrices that do not fit into them
    void (*tile_put)(const double* c, Index rows, Index cols, Index ld, double* out, Index stride,
                     bool past_cache);
    // out[j][i] = c[i][j] of the first `rows` of a strip; rows of out are `stride` apart
    void (*tile_transpose)(const double* c, Index rows, double* out, Index stride);

    // Σ weights·c, or Σ c where weights are null
    double (*tile_sum)(const double* c, const double* weights, Index n);

    // sums[group[i]][j] += c[i][j] for the strip's first `rows`; sums as wide as a panel
    void (*tile_group_sums)(const double* c, Index rows, const unsigned* group, double* sums);

    // The smallest and the largest of the same values, beside those that are there already.
    void (*tile_group_ends)(const double* c, Index rows, const unsigned* group, double* least,
                            double* most);

    // Of `count` rows of a strip, numbered from `first`: keeps for each column the smallest value,
    // its number (of equal ones the first) and the second smallest, beside those kept already.
    void (*tile_two_nearest)(const double* c, Index count, double first, double* best,
                             double* second, double* label);

    // sums[label[r]] += weights[r] (row r of the panel − centres[label[r]]) for the first `rows`;
    // centres and sums `ld` (whole vectors) apart, zero after the depth. Weights may be null
    // (ones); scratch: zeros, a panel's rows `ld` apart.
    void (*tile_add_rows)(const double* panel, Index rows, Index depth, const double* label,
                          const double* weights, const double* centres, Index ld, double* scratch,
                          double* sums);

    // Of `count` centres in whole panels of queries, times −2, and their squared norms: for each
    // row of a panel the smallest norms[i] + qᵢ·r, its number (of equal ones the first), and the
    // second smallest.
    void (*tile_nearest_f64)(const double* q, Index count, const double* norms, const double* r,
                             Index depth, double* best, double* second, double* label);
    void (*tile_nearest_f32)(const float* q, Index count, const float* norms, const float* r,
                             Index depth, float* best, float* second, float* label);

    // Of each row of a panel, from what tile_nearest_f32 found, the squared norms of the rows and
    // the largest of the centres', products being off by share · (both norms): a bound from below
    // of the distance to the second centre, the same less one from above of that to the first, and
    // whether the two cannot be told apart.
    void (*tile_leads)(const float* best, const float* second, const float* norms, float largest,
                       float share, float* lead, float* lower, int* doubtful);

    // sums[labels[i]] += weights[i] (xᵢ − centres[labels[i]]) of rows `stride` apart; weights may
    // be null (ones). Returns Σ weights[i] ‖xᵢ − centres[labels[i]]‖².
    double (*add_rows_f64)(const double* x, Index stride, const int* labels, const double* weights,
                           Index rows, Index depth, const double* centres, double* sums);
    double (*add_rows_f32)(const float* x, Index stride, const int* labels, const double* weights,
                           Index rows, Index depth, const double* centres, double* sums);

    // Codes of one panel of rows `stride` apart less the origin, in units of 1 / factor, two
    // columns at a time, and Σ of their squares. Bit j of the result: row j has none, for that
    // would be above `most`, which must be below 32767².
    unsigned long long (*encode_rows_f64)(const double* x, Index stride, Index rows, Index depth,
                                          const double* origin, double factor, double most,
                                          short* out, float* squares);
    unsigned long long (*encode_rows_f32)(const float* x, Index stride, Index rows, Index depth,
                                          const double* origin, double factor, double most,
                                          short* out, float* squares);

    // Of each row of a panel of codes the two smallest start + product, their lowest bits replaced
    // by the centre's number; doubtful where they differ by no more than the limit.
    PanelLook (*nearest_codes)(const CentreCodes& centres, const short* panel, int limit,
                               const int* labels, int* best, int* second);

    // The same bounds as of tile_leads, from what nearest_codes found; to the lead is added the
    // drift of the nearest centre (cluster/row_bounds.hpp).
    void (*code_leads)(const int* best, const int* second, const float* squares,
                       const CodeScales& scales, int label_bits, const float* drift, float* lead,
                       float* lower);

    // Bit j of at most 64 rows: lead[j] is not above the limit of its label.
    unsigned long long (*open_rows)(const float* lead, const int* labels, const float* limits,
                                    Index rows);

    // sums[to] += weights[row] (x[row] − origin), and sums[from] less by as much, in the order of
    // the moves; weights may be null (ones).
    void (*move_rows_f64)(const double* x, Index stride, const RowMove* moves, Index count,
                          const double* weights, Index depth, const double* origin, double* sums);
    void (*move_rows_f32)(const float* x, Index stride, const RowMove* moves, Index count,
                          const double* weights, Index depth, const double* origin, double* sums);

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
};

const Kernels& kernels();              // of isa()
const Kernels* kernels_of(Isa which);  // null where this machine has no such instructions

}  // namespace tile
}  // namespace stylobate
