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

// Where eˣ and every step of it are normal numbers.
constexpr double exp_least = -708.0, exp_most = 709.0;

// x = k log 2 + r, |r| ≤ ½ log 2; k also as a whole number in the low bits of `shifted`.
struct ExpParts {
    Vector r, shifted;
};
constexpr double exp_shifter = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to a whole number

[[maybe_unused]] ExpParts exp_parts(Vector x) {
    const Vector shifted = x * 1.4426950408889634 + exp_shifter;
    const Vector k = shifted - exp_shifter;
    return {(x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10, shifted};
}

// eʳ by the Taylor series economised to degree 11 on |r| ≤ ½ log 2: the error is below 2e-17. In
// pairs of terms, whose chain is half as long as Horner's.
[[maybe_unused]] Vector exp_series(Vector r) {
    const Vector s = r * r, q = s * s;
    const Vector high = (2.5114871476164666e-08 * r + 2.7632642183752185e-07) * s +
                        (2.755722495233711e-06 * r + 2.4801485475140074e-05);
    const Vector middle = (1.9841269909223923e-04 * r + 1.3888888952321853e-03) * s +
                          (8.333333333309524e-03 * r + 4.1666666666488064e-02);
    const Vector low = 1.6666666666666702e-01 * r + 5.000000000000019e-01;
    return ((high * q + middle) * s + low) * s + r + 1.0;
}

// eˣ = 2ᵏ eʳ. 2ᵏ is applied in two factors, so that results near the ends of the range (denormal
// ones too) come out right; beyond them it is 0 or ∞, and NaN stays NaN.
[[maybe_unused]] Vector exp_of(Vector x) {
    const Whole is_nan = x != x;
    const Vector bounded =
        choose(x > 710.0, broadcast(710.0), choose(x < -746.0, broadcast(-746.0), x));
    const ExpParts parts = exp_parts(bounded);
    const Whole bits = (Whole)parts.shifted - (Whole)broadcast(exp_shifter);
    const Whole half = bits >> 1;
    const Vector first = (Vector)((half + 1023) << 52);
    const Vector second = (Vector)((bits - half + 1023) << 52);
    return choose(is_nan, x, exp_series(parts.r) * first * second);
}

// The same bits for x in (exp_least, exp_most), `count` vectors side by side so that their steps
// do not wait for each other: k is added to the exponent.
template <Index count>
[[maybe_unused]] void exp_in_range(Vector* x) {
    ExpParts parts[count];
    for (Index v = 0; v < count; ++v) parts[v] = exp_parts(x[v]);
    for (Index v = 0; v < count; ++v)
        x[v] = (Vector)((Whole)exp_series(parts[v].r) + ((Whole)parts[v].shifted << 52));
}

}  // namespace
}  // namespace stylobate::STYLOBATE_ISA
