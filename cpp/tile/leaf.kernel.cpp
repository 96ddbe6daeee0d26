// One query against a leaf of a tree: a block of 16 rows, column after column.
#include "stylobate/simd.hpp"
#include "tile/not_above.hpp"
#include "tile/terms.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index width = 16;
constexpr Index vectors = width / lanes;

void store(double* c, Vector value) {
    __builtin_memcpy(c, &value, sizeof(value));
}

// As one pair at a time is summed (exact.kernel.cpp): every square is rounded before it is added.
struct PlainSquared : One {
    static void add(Vector& a, Vector&, Vector x, Vector y, double, double) {
        const Vector t = x - y;
        a += __builtin_assoc_barrier(t * t);
    }
};

template <class Term>
void values(const double* query, const double* block, Index depth, const double* weights, double p,
            double* c) {
    Vector a[vectors] = {}, b[Term::two ? vectors : 1] = {};
    for (Index l = 0; l < depth; ++l, block += width) {
        const Vector x = broadcast(query[l]);
        const double w = weights == nullptr ? 1.0 : weights[l];
        for (Index v = 0; v < vectors; ++v)
            Term::add(a[v], b[Term::two ? v : 0], x, load(block + v * lanes), w, p);
    }
    for (Index v = 0; v < vectors; ++v)
        store(c + v * lanes, Term::finish(a[v], b[Term::two ? v : 0], p));
}

}  // namespace

unsigned leaf_values(int measure, const double* query, const double* block, Index depth,
                     const double* weights, double p, double limit, double* c) {
    using tile::Measure;
    if (static_cast<Measure>(measure) == Measure::squared) {
        values<PlainSquared>(query, block, depth, weights, p, c);
    } else if (static_cast<Measure>(measure) == Measure::haversine) {
        for (Index v = 0; v < width; v += lanes)
            store(c + v, haversine_of(query[0], query[1], query[2], load(block + v),
                                      load(block + width + v), load(block + 2 * width + v)));
    } else {
        with_term(measure, p,
                  [&](auto term) { values<decltype(term)>(query, block, depth, weights, p, c); });
    }
    return static_cast<unsigned>(not_above<vectors>(c, limit));
}

}  // namespace stylobate::STYLOBATE_ISA
