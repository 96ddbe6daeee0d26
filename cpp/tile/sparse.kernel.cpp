// Sparse rows against a panel of sparse rows: the panel's entries lie side by side, one slot of
// panel width for each column it has (slot 0: the columns it has not).
#include "scan/vectors.hpp"
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index vectors = 3;
constexpr Index width = vectors * lanes;

template <class Term>
void strip(const double* values, const Index* slots, Index count, const double* panel, double* c,
           const Term& term) {
    Vector sum[vectors] = {};
    for (Index k = 0; k < count; ++k) {
        const double* p = panel + slots[k] * width;
        for (Index v = 0; v < vectors; ++v) {
            Vector y;
            __builtin_memcpy(&y, p + v * lanes, sizeof(y));
            sum[v] += term(values[k], y);
        }
    }
    __builtin_memcpy(c, sum, sizeof(sum));
}

Vector absolute(Vector x) {
    return (Vector)((Whole)x & 0x7fffffffffffffffLL);
}

}  // namespace

void tile_sparse_product(const double* values, const Index* slots, Index count, const double* panel,
                         double* c) {
    strip(values, slots, count, panel, c, [](double x, Vector y) { return x * y; });
}

void tile_sparse_manhattan(const double* values, const Index* slots, Index count,
                           const double* panel, double* c) {
    strip(values, slots, count, panel, c,
          [](double x, Vector y) { return absolute(x - y) - absolute(y); });
}

}  // namespace stylobate::STYLOBATE_ISA
