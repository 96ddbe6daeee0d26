// Sums and ends of a strip's values over groups of its queries, for each column.
#include "scan/vectors.hpp"
#include "tile/kernels.hpp"
#include "tile/tile_shape.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index width = vectors * lanes;

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}
void store(double* p, Vector v) {
    __builtin_memcpy(p, &v, sizeof(v));
}

}  // namespace

void tile_group_sums(const double* c, Index rows, const unsigned* group, double* sums) {
    for (Index i = 0; i < rows; ++i, c += width) {
        double* const to = sums + static_cast<Index>(group[i]) * width;
        for (Index v = 0; v < vectors; ++v)
            store(to + v * lanes, load(to + v * lanes) + load(c + v * lanes));
    }
}

void tile_group_ends(const double* c, Index rows, const unsigned* group, double* least,
                     double* most) {
    for (Index i = 0; i < rows; ++i, c += width) {
        const Index at = static_cast<Index>(group[i]) * width;
        for (Index v = 0; v < vectors; ++v) {
            const Vector x = load(c + v * lanes);
            const Vector low = load(least + at + v * lanes), high = load(most + at + v * lanes);
            store(least + at + v * lanes, choose(x < low, x, low));
            store(most + at + v * lanes, choose(x > high, x, high));
        }
    }
}

}  // namespace stylobate::STYLOBATE_ISA
