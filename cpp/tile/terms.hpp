// What a column adds to the value of a pair, for each measure, of a vector of rows at a time.
// Kernel files only: compiled once per instruction set, inside its namespace.
#pragma once

#include "scan/vectors.hpp"
#include "tile/measure.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

[[maybe_unused]] Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

[[maybe_unused]] Vector absolute(Vector x) {
    return (Vector)((Whole)x & 0x7fffffffffffffffLL);
}

// log x for normal x > 0: exponent and 2 artanh of the mantissa's (m − 1) / (m + 1), |s| < 0.172.
[[maybe_unused]] Vector log_of(Vector x) {
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
[[maybe_unused]] Vector sin_of(Vector x) {
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
struct Ruzicka : Two {
    static void add(Vector& a, Vector& b, Vector x, Vector y, double w, double) {
        a += w * absolute(x - y);
        b += w * (x + y);
    }
    static Vector finish(Vector a, Vector b, double p) {
        return choose(a > 0.0, p * a / (b + (p - 1.0) * a), broadcast(0.0));
    }
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

[[maybe_unused]] Vector haversine_of(double latitude, double longitude, double cosine,
                                     Vector latitudes, Vector longitudes, Vector cosines) {
    const Vector down = sin_of(latitude - latitudes), across = sin_of(longitude - longitudes);
    return down * down + cosine * cosines * (across * across);
}

// take(term of the measure)
template <class Take>
void with_term(int measure, double p, const Take& take) {
    using tile::Measure;
    switch (static_cast<Measure>(measure)) {
        case Measure::manhattan:
            return take(Manhattan{});
        case Measure::chebyshev:
            return take(Chebyshev{});
        case Measure::power:
            if (p == static_cast<double>(static_cast<int>(p)) && p >= 3.0 && p <= 16.0)
                return take(WholePower{});
            return take(RealPower{});
        case Measure::canberra:
            return take(Canberra{});
        case Measure::hamming:
            return take(Hamming{});
        case Measure::braycurtis:
            return take(BrayCurtis{});
        case Measure::ruzicka:
            return take(Ruzicka{});
        case Measure::nan_squared:
            return take(NanSquared{});
        case Measure::chi_square:
            return take(ChiSquare{});
        case Measure::gower:
            return take(Gower{});
        default:
            return take(Squared{});
    }
}

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
