// Tiles of pairs for measures that are no function of the inner product: term by term.
//
// Same panels as the product; a tile holds the queries' accumulators of one vector of rows, one or
// two for each query. Every pair is summed in the order of its columns, whatever the tile.
#include "scan/vectors.hpp"
#include "stylobate/simd.hpp"
#include "tile/measure.hpp"
#include "tile/terms.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index queries = STYLOBATE_TILE_COLUMNS;
constexpr Index vectors = 3;
constexpr Index width = vectors * lanes;

template <class Term>
void strip(const double* q, Index panels, const double* r, Index depth, const double* weights,
           double p, double* c) {
    for (Index i = 0; i < panels; ++i)
        for (Index v = 0; v < vectors; ++v) {
            Vector a[queries] = {}, b[Term::two ? queries : 1] = {};
            const double* x = q + i * depth * queries;
            const double* y = r + v * lanes;
            for (Index l = 0; l < depth; ++l, x += queries, y += width) {
                const Vector row = load(y);
                const double w = weights == nullptr ? 1.0 : weights[l];
                for (Index k = 0; k < queries; ++k)
                    Term::add(a[k], b[Term::two ? k : 0], broadcast(x[k]), row, w, p);
            }
            for (Index k = 0; k < queries; ++k) {
                const Vector value = Term::finish(a[k], b[Term::two ? k : 0], p);
                __builtin_memcpy(c + (i * queries + k) * width + v * lanes, &value, sizeof(value));
            }
        }
}

// Columns: half the latitude, half the longitude, the cosine of the latitude.
void haversine(const double* q, Index panels, const double* r, double* c) {
    for (Index i = 0; i < panels; ++i)
        for (Index v = 0; v < vectors; ++v)
            for (Index k = 0; k < queries; ++k) {
                const double* x = q + i * 3 * queries + k;
                const double* y = r + v * lanes;
                const Vector value = haversine_of(x[0], x[queries], x[2 * queries], load(y),
                                                  load(y + width), load(y + 2 * width));
                __builtin_memcpy(c + (i * queries + k) * width + v * lanes, &value, sizeof(value));
            }
}

}  // namespace

void tile_direct(int measure, const double* q, Index panels, const double* r, Index depth,
                 const double* weights, double p, double* c) {
    if (static_cast<tile::Measure>(measure) == tile::Measure::haversine)
        return haversine(q, panels, r, c);
    if (static_cast<tile::Measure>(measure) == tile::Measure::nan_squared)
        p = static_cast<double>(depth);
    with_term(measure, p,
              [&](auto term) { strip<decltype(term)>(q, panels, r, depth, weights, p, c); });
}

}  // namespace stylobate::STYLOBATE_ISA
