// What candidates would change, summed over points while their distances lie in the first cache.
//
// A candidate farther than the second medoid of a point leaves it alone: most vectors of a strip
// are passed over before their roots are taken.
#include "cluster/medoid_kernels.hpp"
#include "tile/not_above.hpp"
#include "tile/roots.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index vectors = 3;
constexpr Index width = vectors * lanes;

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}
void add(double* p, Vector v) {
    const Vector sum = load(p) + v;
    __builtin_memcpy(p, &sum, sizeof(sum));
}

// a where it is below (above) b, else b: NaN in a gives b.
Vector least(Vector a, Vector b) {
    return choose(a < b, a, b);
}
Vector most(Vector a, Vector b) {
    return choose(a > b, a, b);
}

// Calls body(point, vector of the panel, d) for every vector that may matter.
template <class Body>
void over_near(const double* c, Index points, bool root, const double* limits, const Body& body) {
    for (Index i = 0; i < points; ++i)
        for (Index v = 0; v < vectors; ++v) {
            const double* const values = c + i * width + v * lanes;
            if (not_above<1>(values, limits[i]) == 0) continue;
            body(i, v * lanes, root ? root_of(load(values)) : load(values));
        }
}

}  // namespace

void medoid_below(const double* c, Index points, bool root, const double* limits,
                  const double* levels, const double* weights, double* sums) {
    over_near(c, points, root, limits, [&](Index i, Index at, Vector d) {
        const Vector value = load(c + i * width + at);
        add(sums + at, choose(value < limits[i], (d - levels[i]) * weights[i], broadcast(0.0)));
    });
}

void medoid_swaps(const double* c, Index points, bool root, const medoids::ServedPoints& served,
                  double* gains, double* losses) {
    over_near(c, points, root, served.limits, [&](Index i, Index at, Vector d) {
        const double nearest = served.nearest[i], second = served.second[i], w = served.weights[i];
        const Vector bounded = most(least(d, broadcast(second)), broadcast(nearest));
        add(losses + static_cast<Index>(served.labels[i]) * width + at, (bounded - second) * w);
        add(gains + at, (least(d, broadcast(nearest)) - nearest) * w);
    });
}

}  // namespace stylobate::STYLOBATE_ISA
