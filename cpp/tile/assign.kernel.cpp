// Rows and the centre nearest to them: what is kept of a strip of distances, and sums of a panel's
// rows by centre.
#include "scan/vectors.hpp"
#include "tile/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index vectors = 3;
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

void tile_two_nearest(const double* c, Index count, double first, double* best, double* second,
                      double* label) {
    for (Index v = 0; v < vectors; ++v) {
        Vector least = load(best + v * lanes), next = load(second + v * lanes);
        Vector which = load(label + v * lanes);
        const double* value = c + v * lanes;
        for (Index i = 0; i < count; ++i, value += width) {
            const Vector x = load(value);
            const Whole nearer = x < least;  // of equal ones the first stays
            const Vector other = choose(nearer, least, x);
            next = choose(other < next, other, next);
            which = choose(nearer, broadcast(first + static_cast<double>(i)), which);
            least = choose(nearer, x, least);
        }
        store(best + v * lanes, least);
        store(second + v * lanes, next);
        store(label + v * lanes, which);
    }
}

void tile_add_rows(const double* panel, Index rows, Index depth, const double* label,
                   const double* weights, const double* centres, Index ld, double* scratch,
                   double* sums) {
    for (Index l = 0; l < depth; ++l)
        for (Index r = 0; r < width; ++r) scratch[r * ld + l] = panel[l * width + r];
    for (Index r = 0; r < rows; ++r) {
        const Index at = static_cast<Index>(label[r]) * ld;
        const double weight = weights == nullptr ? 1.0 : weights[r];
        for (Index l = 0; l < ld; l += lanes)
            store(sums + at + l, load(sums + at + l) + weight * (load(scratch + r * ld + l) -
                                                                 load(centres + at + l)));
    }
}

}  // namespace stylobate::STYLOBATE_ISA
