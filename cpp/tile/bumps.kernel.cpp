// Sums of bumps: pair by pair, and by series for Gaussian ones.
#include "scan/vectors.hpp"
#include "tile/kernels.hpp"
#include "tile/measure.hpp"
#include "tile/roots.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

Vector load(const double* p) {
    return *reinterpret_cast<const LooseVector*>(p);
}

void store(double* p, Vector v) {
    *reinterpret_cast<LooseVector*>(p) = v;
}

double total_of(Vector v) {
    double total = 0.0;
    for (Index h = 0; h < lanes; ++h) total += v[h];
    return total;
}

// cos(π u / 2) of 0 ≤ u ≤ 1, by the series of the nearer end, so that values near 0 keep their
// digits.
Vector quarter_cosine(Vector u) {
    const Whole near = u < 0.5;
    const Vector y = choose(near, u, 1.0 - u) * 1.5707963267948966, q = y * y;
    Vector even = broadcast(1.0), odd = broadcast(1.0);
    for (int k = 18; k >= 2; k -= 2) {
        even = 1.0 - even * q / static_cast<double>(k * (k - 1));
        odd = 1.0 - odd * q / static_cast<double>(k * (k + 1));
    }
    return choose(near, even, y * odd);
}

// Depth 0: known at run time only.
template <int Depth, class Height>
void sums(const PointGroups& queries, const PointGroups& points, const double* w, double* out,
          const Height& height) {
    const Index depth = Depth == 0 ? points.depth : Depth;
    for (Index i = 0; i < queries.count; ++i) {
        Vector total = {};
        for (Index j = 0; j < points.count; j += lanes) {
            Vector square = {};
            for (Index l = 0; l < depth; ++l) {
                const Vector t =
                    load(points.data + l * points.ld + j) - queries.data[l * queries.ld + i];
                square += t * t;
            }
            total += load(w + j) * height(square);
        }
        out[i] += total_of(total);
    }
}

template <class Height>
void sums_of_depth(const PointGroups& queries, const PointGroups& points, const double* w,
                   double* out, const Height& height) {
    switch (points.depth) {
        case 1:
            return sums<1>(queries, points, w, out, height);
        case 2:
            return sums<2>(queries, points, w, out, height);
        case 3:
            return sums<3>(queries, points, w, out, height);
        default:
            return sums<0>(queries, points, w, out, height);
    }
}

constexpr Index most_terms = 256;
constexpr Index side_by_side = 2;  // vectors of points whose monomials lie in the first cache

template <Index Width>
void add_moments(const Vector* y, const Vector* factor, const MonomialTerms& terms, Vector* sum) {
    Vector monomial[most_terms * Width];
    for (Index v = 0; v < Width; ++v) {
        monomial[v] = factor[v];
        sum[0] += factor[v];
    }
    for (Index t = 1; t < terms.count; ++t) {
        const Vector* const from = monomial + terms.parent[t] * Width;
        const Vector* const by = y + terms.axis[t] * Width;
        Vector total = sum[t];
        for (Index v = 0; v < Width; ++v) {
            const Vector product = from[v] * by[v];
            monomial[t * Width + v] = product;
            total += product;
        }
        sum[t] = total;
    }
}

constexpr Index most_depth = 16;

}  // namespace

void bump_sums(int map, double a, double b, const PointGroups& queries, const PointGroups& points,
               const double* w, double* out) {
    using tile::Map;
    const auto with = [&](const auto& height) { sums_of_depth(queries, points, w, out, height); };
    const Vector one = broadcast(1.0), zero = {};
    switch (static_cast<Map>(map)) {
        case Map::exponential:
            return with([&](Vector v) { return exp_of(a * v + b); });
        case Map::root_exponential:
            return with([&](Vector v) { return exp_of(a * root_of(v) + b); });
        case Map::tophat:
            return with([&](Vector v) { return choose(a * v < 1.0, one, zero); });
        case Map::epanechnikov:
            return with([&](Vector v) { return choose(a * v < 1.0, 1.0 - a * v, zero); });
        case Map::linear:
            return with([&](Vector v) { return choose(a * v < 1.0, 1.0 - root_of(a * v), zero); });
        default:
            return with([&](Vector v) {
                const Whole inside = a * v < 1.0;
                return choose(inside, quarter_cosine(root_of(choose(inside, a * v, zero))), zero);
            });
    }
}

void bump_moments(const PointGroups& points, const double* w, const double* centre,
                  const double* distance, double inverse_width, double b,
                  const MonomialTerms& terms, double* out) {
    Vector sum[most_terms];
    for (Index t = 0; t < terms.count; ++t) sum[t] = Vector{};
    Vector y[most_depth * side_by_side], factor[side_by_side];
    const auto prepare = [&](Index j, Index v, Index width) {
        Vector square = {};
        for (Index l = 0; l < points.depth; ++l) {
            const Vector scaled =
                (load(points.data + l * points.ld + j) - centre[l]) * inverse_width;
            const Vector rest = scaled - distance[l];
            y[l * width + v] = scaled;
            square += rest * rest;
        }
        factor[v] = load(w + j) * exp_of(b - 0.5 * square);
    };
    Index j = 0;
    for (; j + side_by_side * lanes <= points.count; j += side_by_side * lanes) {
        for (Index v = 0; v < side_by_side; ++v) prepare(j + v * lanes, v, side_by_side);
        add_moments<side_by_side>(y, factor, terms, sum);
    }
    for (; j < points.count; j += lanes) {
        prepare(j, 0, 1);
        add_moments<1>(y, factor, terms, sum);
    }
    for (Index t = 0; t < terms.count; ++t) out[t] = terms.scale[t] * total_of(sum[t]);
}

void bump_series(const double* moments, Index terms, const double* distance,
                 const PointGroups& queries, double* out) {
    for (Index i = 0; i < queries.count; i += lanes) {
        Vector exponent = {};
        for (Index l = 0; l < queries.depth; ++l) {
            const Vector y = load(queries.data + (1 + l) * queries.ld + i);
            exponent -= y * (0.5 * y + distance[l]);
        }
        Vector even = {}, odd = {};
        Index t = 0;
        for (; t + 2 <= terms; t += 2) {
            even += moments[t] * load(queries.data + t * queries.ld + i);
            odd += moments[t + 1] * load(queries.data + (t + 1) * queries.ld + i);
        }
        if (t < terms) even += moments[t] * load(queries.data + t * queries.ld + i);
        store(out + i, load(out + i) + (even + odd) * exp_of(exponent));
    }
}

}  // namespace stylobate::STYLOBATE_ISA
