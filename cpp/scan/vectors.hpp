// Vectors of doubles and functions of them, for kernel files only: everything here is compiled once
// per instruction set, inside its namespace.
#pragma once

#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef double Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef long long Whole __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef double LooseVector
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));
constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 8;

[[maybe_unused]] Vector choose(Whole condition, Vector yes, Vector no) {
    return (Vector)((condition & (Whole)yes) | (~condition & (Whole)no));
}

[[maybe_unused]] Vector broadcast(double x) {
    return x - Vector{};
}

// eˣ = 2ᵏ eʳ, k = round(x / log 2), |r| ≤ ½ log 2; eʳ by its Taylor polynomial of degree 13, whose
// remainder is below 1e-17. 2ᵏ is applied in two factors, so that results near the ends of the
// range (denormal ones too) come out right; beyond them it is 0 or ∞, and NaN stays NaN.
[[maybe_unused]] Vector exp_of(Vector x) {
    const Whole is_nan = x != x;
    const Vector bounded =
        choose(x > 710.0, broadcast(710.0), choose(x < -746.0, broadcast(-746.0), x));
    constexpr double shifter = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to a whole number
    const Vector shifted = bounded * 1.4426950408889634 + shifter;
    const Vector k = shifted - shifter;
    const Vector r = (bounded - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    Vector e = broadcast(1.0 / 6227020800.0);
    e = e * r + 1.0 / 479001600.0;
    e = e * r + 1.0 / 39916800.0;
    e = e * r + 1.0 / 3628800.0;
    e = e * r + 1.0 / 362880.0;
    e = e * r + 1.0 / 40320.0;
    e = e * r + 1.0 / 5040.0;
    e = e * r + 1.0 / 720.0;
    e = e * r + 1.0 / 120.0;
    e = e * r + 1.0 / 24.0;
    e = e * r + 1.0 / 6.0;
    e = e * r + 0.5;
    e = e * r + 1.0;
    e = e * r + 1.0;
    const Whole bits = (Whole)shifted - (Whole)broadcast(shifter);
    const Whole half = bits >> 1;
    const Vector first = (Vector)((half + 1023) << 52);
    const Vector second = (Vector)((bits - half + 1023) << 52);
    return choose(is_nan, x, e * first * second);
}

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
