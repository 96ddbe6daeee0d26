// One point against many, and the smallest of many numbers.
#include "cluster/linkage_kernels.hpp"
#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index group = 8;
constexpr Index vectors = group / lanes;

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

void store(double* p, Vector v) {
    __builtin_memcpy(p, &v, sizeof(v));
}

Vector root(Vector v) {
    Vector r;
    for (Index h = 0; h < lanes; ++h) r[h] = __builtin_sqrt(v[h]);
    return r;
}

}  // namespace

void point_distances(const double* query, const linkage::PointColumns& points, Index first,
                     Index count, int gather, double weight, double* out) {
    using linkage::Gather;
    for (Index j = 0; j < count; j += group) {
        Vector sum[vectors] = {};
        const double* column = points.data + first + j;
        for (Index l = 0; l < points.depth; ++l, column += points.ld)
            for (Index v = 0; v < vectors; ++v) {
                const Vector t = load(column + v * lanes) - query[l];
                sum[v] += __builtin_assoc_barrier(t * t);
            }
        for (Index v = 0; v < vectors; ++v) {
            double* const at = out + j + v * lanes;
            if (gather == static_cast<int>(Gather::squares)) {
                store(at, sum[v]);
            } else if (gather == static_cast<int>(Gather::most_square)) {
                const Vector held = load(at);
                store(at, choose(sum[v] > held, sum[v], held));
            } else {
                store(at, load(at) + weight * root(sum[v]));
            }
        }
    }
}

Index least_entry(const double* values, Index n) {
    double least = values[0];
    Index i = 0;
    if (n >= 2 * lanes) {
        Vector best[2] = {load(values), load(values + lanes)};
        for (i = 2 * lanes; i + 2 * lanes <= n; i += 2 * lanes)
            for (Index h = 0; h < 2; ++h) {
                const Vector v = load(values + i + h * lanes);
                best[h] = choose(v < best[h], v, best[h]);
            }
        for (Index h = 0; h < lanes; ++h) {
            least = best[0][h] < least ? best[0][h] : least;
            least = best[1][h] < least ? best[1][h] : least;
        }
    }
    for (; i < n; ++i) least = values[i] < least ? values[i] : least;
    const Vector wanted = broadcast(least);
    for (i = 0; i + lanes <= n; i += lanes) {
        const Whole equal = load(values + i) == wanted;
        long long any = 0;
        for (Index h = 0; h < lanes; ++h) any |= equal[h];
        if (any != 0) break;
    }
    while (i < n && values[i] != least) ++i;
    return i < n ? i : 0;
}

}  // namespace stylobate::STYLOBATE_ISA
