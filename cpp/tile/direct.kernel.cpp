// Tiles of pairs for measures that are no function of the inner product: term by term.
//
// Same panels as the product; a tile holds the queries' accumulators of one vector of rows, one or
// two for each query. Every pair is summed in the order of its columns, whatever the tile.
#include "scan/vectors.hpp"
#include "stylobate/simd.hpp"
#include "tile/measure.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index queries = STYLOBATE_TILE_COLUMNS;
constexpr Index vectors = 3;
constexpr Index width = vectors * lanes;

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

Vector absolute(Vector x) {
    return (Vector)((Whole)x & 0x7fffffffffffffffLL);
}

// log x for normal x > 0: exponent and 2 artanh of the mantissa's (m − 1) / (m + 1), |s| < 0.172.
Vector log_of(Vector x) {
    const Whole bits = (Whole)x;
    Whole exponent = (bits >> 52) - 1023;
    Vector m = (Vector)((bits & 0xfffffffffffffLL) | 0x3ff0000000000000LL);
    const Whole large = m > 1.4142135623730951;
    m = choose(large, m * 0.5, m);
    exponent -= large;  // true is −1
    const Vector s = (m - 1.0) / (m + 1.0), q = s * s;
    Vector sum = broadcast(1.0 / 25.0);
    for (int k = 23; k >= 1; k -= 2) sum = sum * q + 1.0 / static_cast<double>(k);
    const Vector e = __builtin_convertvector(exponent, Vector);
    return e * 6.93147180369123816490e-01 + (2.0 * s * sum + e * 1.90821492927058770002e-10);
}

// sin x by reduction to |r| ≤ π/2 and its Taylor polynomial of degree 23.
Vector sin_of(Vector x) {
    constexpr double shifter = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to a whole number
    const Vector shifted = x * 0.31830988618379067 + shifter;
    const Vector k = shifted - shifter;
    const Vector r = (x - k * 3.1415926535897931) - k * 1.2246467991473532e-16;
    const Vector q = r * r;
    Vector sum = broadcast(1.0);
    for (int n = 22; n >= 2; n -= 2) sum = 1.0 - sum * q * (1.0 / static_cast<double>(n * (n + 1)));
    const Vector value = r * sum;
    const Whole odd = ((Whole)shifted & 1) != 0;
    return choose(odd, -value, value);
}

struct One {
    static constexpr bool two = false;
    static Vector finish(Vector a, Vector, double) { return a; }
};
struct Two {
    static constexpr bool two = true;
};

struct Squared : One {
    static void add(Vector& a, Vector&, Vector x, Vector y, double, double) {
        a += (x - y) * (x - y);
    }
};
struct Manhattan : One {
    static void add(Vector& a, Vector&, Vector x, Vector y, double, double) {
        a += absolute(x - y);
    }
};
struct Chebyshev : One {
    static void add(Vector& a, Vector&, Vector x, Vector y, double, double) {
        const Vector t = absolute(x - y);
        a = choose(t > a, t, a);
    }
};
struct WholePower : One {  // p = 3, 4, …
    static void add(Vector& a, Vector&, Vector x, Vector y, double, double p) {
        const Vector t = absolute(x - y);
        Vector power = t * t;
        for (int k = 2; k < static_cast<int>(p); ++k) power *= t;
        a += power;
    }
};
struct RealPower : One {
    static void add(Vector& a, Vector&, Vector x, Vector y, double, double p) {
        const Vector t = absolute(x - y);
        const Whole some = t > 1e-300;
        const Vector safe = choose(some, t, broadcast(1.0));
        a += choose(some, exp_of(p * log_of(safe)), broadcast(0.0));
    }
};
struct Canberra : One {
    static void add(Vector& a, Vector&, Vector x, Vector y, double w, double) {
        const Vector size = absolute(x) + absolute(y);
        a += w * choose(size > 0.0, absolute(x - y) / size, broadcast(0.0));
    }
};
struct Hamming : One {
    static void add(Vector& a, Vector&, Vector x, Vector y, double w, double) {
        a += choose(x != y, broadcast(w), broadcast(0.0));
    }
};
struct BrayCurtis : Two {
    static void add(Vector& a, Vector& b, Vector x, Vector y, double, double) {
        a += absolute(x - y);
        b += absolute(x + y);
    }
    static Vector finish(Vector a, Vector b, double) { return a / b; }
};
struct NanSquared : Two {  // over the columns both rows have, as if there were all of them
    static void add(Vector& a, Vector& b, Vector x, Vector y, double, double) {
        const Vector t = x - y;
        const Whole both = t == t;
        a += choose(both, t * t, broadcast(0.0));
        b += choose(both, broadcast(1.0), broadcast(0.0));
    }
    static Vector finish(Vector a, Vector b, double columns) {
        return choose(b > 0.0, a * (columns / b), broadcast(__builtin_nan("")));
    }
};
struct Gower : Two {  // columns of negative weight hold codes, which are equal or not
    static void add(Vector& a, Vector& b, Vector x, Vector y, double w, double) {
        const Vector t = x - y;
        const Whole both = t == t;
        const double weight = w < 0.0 ? -w : w;
        const Whole nominal = (w < 0.0 ? -1LL : 0LL) - Whole{};
        const Vector differ = choose(t != 0.0, broadcast(1.0), broadcast(0.0));
        const Vector term = choose(nominal, differ, absolute(t));
        a += choose(both, weight * term, broadcast(0.0));
        b += choose(both, broadcast(weight), broadcast(0.0));
    }
    static Vector finish(Vector a, Vector b, double) { return a / b; }  // nothing in common: NaN
};
struct ChiSquare : One {
    static void add(Vector& a, Vector&, Vector x, Vector y, double, double) {
        const Vector size = x + y;
        a += choose(size != 0.0, (x - y) * (x - y) / size, broadcast(0.0));
    }
};

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
                const Vector down = sin_of(x[0] - load(y));
                const Vector across = sin_of(x[queries] - load(y + width));
                const Vector value =
                    down * down + x[2 * queries] * load(y + 2 * width) * (across * across);
                __builtin_memcpy(c + (i * queries + k) * width + v * lanes, &value, sizeof(value));
            }
}

}  // namespace

void tile_direct(int measure, const double* q, Index panels, const double* r, Index depth,
                 const double* weights, double p, double* c) {
    using tile::Measure;
    switch (static_cast<Measure>(measure)) {
        case Measure::manhattan:
            return strip<Manhattan>(q, panels, r, depth, weights, p, c);
        case Measure::chebyshev:
            return strip<Chebyshev>(q, panels, r, depth, weights, p, c);
        case Measure::power:
            if (p == static_cast<double>(static_cast<int>(p)) && p >= 3.0 && p <= 16.0)
                return strip<WholePower>(q, panels, r, depth, weights, p, c);
            return strip<RealPower>(q, panels, r, depth, weights, p, c);
        case Measure::canberra:
            return strip<Canberra>(q, panels, r, depth, weights, p, c);
        case Measure::hamming:
            return strip<Hamming>(q, panels, r, depth, weights, p, c);
        case Measure::braycurtis:
            return strip<BrayCurtis>(q, panels, r, depth, weights, p, c);
        case Measure::nan_squared:
            return strip<NanSquared>(q, panels, r, depth, weights, static_cast<double>(depth), c);
        case Measure::chi_square:
            return strip<ChiSquare>(q, panels, r, depth, weights, p, c);
        case Measure::gower:
            return strip<Gower>(q, panels, r, depth, weights, p, c);
        case Measure::haversine:
            return haversine(q, panels, r, c);
        default:
            return strip<Squared>(q, panels, r, depth, weights, p, c);
    }
}

}  // namespace stylobate::STYLOBATE_ISA
