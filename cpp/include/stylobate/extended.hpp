// Double-double arithmetic: an unevaluated sum hi + lo, about 32 digits (Dekker 1971; Knuth, TAOCP
// 2).
//
// Compile without contraction (-ffp-contract=off): a fused multiply-add in the wrong place breaks
// the error-free transformations.
#pragma once

#include <cmath>

namespace stylobate {

struct Extended {
    double hi = 0.0, lo = 0.0;
    Extended() = default;
    Extended(double x) : hi(x) {}
    Extended(double h, double l) : hi(h), lo(l) {}
    explicit operator double() const { return hi + lo; }
};

inline Extended quick_two_sum(double a, double b) {  // |a| ≥ |b|
    const double s = a + b;
    return {s, b - (s - a)};
}

inline Extended two_sum(double a, double b) {
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}

inline Extended two_product(double a, double b) {
    const double p = a * b;
    return {p, std::fma(a, b, -p)};
}

inline Extended operator-(Extended a) {
    return {-a.hi, -a.lo};
}

inline Extended operator+(Extended a, Extended b) {
    const Extended s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    const Extended u = quick_two_sum(s.hi, s.lo + t.hi);
    return quick_two_sum(u.hi, u.lo + t.lo);
}

inline Extended operator-(Extended a, Extended b) {
    return a + -b;
}

inline Extended operator*(Extended a, Extended b) {
    const Extended p = two_product(a.hi, b.hi);
    return quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline Extended operator/(Extended a, Extended b) {
    const double q1 = a.hi / b.hi;
    const Extended r1 = a - b * Extended(q1);
    const double q2 = r1.hi / b.hi;
    const Extended r2 = r1 - b * Extended(q2);
    return quick_two_sum(q1, q2) + Extended(r2.hi / b.hi);
}

inline Extended& operator+=(Extended& a, Extended b) {
    return a = a + b;
}
inline Extended& operator-=(Extended& a, Extended b) {
    return a = a - b;
}

inline bool is_negative(Extended a) {
    return a.hi < 0.0;
}
inline bool is_negative(double a) {
    return a < 0.0;
}
inline bool is_zero(Extended a) {
    return a.hi == 0.0;
}
inline bool is_zero(double a) {
    return a == 0.0;
}

inline double square_root(double a) {
    return std::sqrt(a);
}
inline Extended square_root(
    Extended a) {  // one Newton step from the double root (Karp & Markstein)
    if (a.hi <= 0.0) return {};
    const double root = std::sqrt(a.hi);
    const Extended rest = a - two_product(root, root);
    return two_sum(root, rest.hi / (2.0 * root));
}

}  // namespace stylobate
