// Exponentials of many numbers at once, to about one unit in the last place.
//
// No standard headers, as in every kernel file.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef double Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef long long Whole __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef double LooseVector
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));
constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 8;

Vector choose(Whole condition, Vector yes, Vector no) {
    return (Vector)((condition & (Whole)yes) | (~condition & (Whole)no));
}

Vector broadcast(double x) {
    return x - Vector{};
}

// eˣ = 2ᵏ eʳ, k = round(x / log 2), |r| ≤ ½ log 2; eʳ by its Taylor polynomial of degree 13, whose
// remainder is below 1e-17. 2ᵏ is applied in two factors, so that results near the ends of the
// range (denormal ones too) come out right; beyond them it is 0 or ∞, and NaN stays NaN.
Vector exp_of(Vector x) {
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

// log(1 + e) for 0 ≤ e ≤ 1, as 2 artanh(e / (2 + e)): the series in s² ≤ 1/9.
Vector log1p_of(Vector e) {
    const Vector s = e / (2.0 + e), q = s * s;
    Vector sum = broadcast(1.0 / 35.0);
    for (int k = 33; k >= 1; k -= 2) sum = sum * q + 1.0 / static_cast<double>(k);
    return 2.0 * s * sum;
}

// body(vector at i) over n numbers; the last few are padded with zeros.
template <class Body>
void over(const double* x, Index n, const Body& body) {
    Index i = 0;
    for (; i + lanes <= n; i += lanes) body(*reinterpret_cast<const LooseVector*>(x + i), i, lanes);
    if (i == n) return;
    Vector last = {};
    for (Index k = 0; k < n - i; ++k) last[k] = x[i + k];
    body(last, i, n - i);
}

void put(double* out, Index at, Index count, Vector value) {
    if (count == lanes) {
        *reinterpret_cast<LooseVector*>(out + at) = value;
        return;
    }
    for (Index k = 0; k < count; ++k) out[at + k] = value[k];
}

}  // namespace

void exp(const double* x, Index n, double* out) {
    over(x, n, [&](Vector v, Index i, Index count) { put(out, i, count, exp_of(v)); });
}

void logistic(const double* z, Index n, double* probability, double* softplus) {
    over(z, n, [&](Vector v, Index i, Index count) {
        const Whole positive = v >= 0.0;
        const Vector e = exp_of(choose(positive, -v, v));
        put(probability, i, count, choose(positive, broadcast(1.0), e) / (1.0 + e));
        put(softplus, i, count, log1p_of(e));
    });
}

// One row's dot product and one row's axpy are bound by latency or loads; four rows at once are
// not.
void row_products(const double* a, Index rows, Index lda, Index cols, const double* w,
                  double* out) {
    const Index whole = cols / lanes * lanes;
    Index k = 0;
    for (; k + 4 <= rows; k += 4) {
        const double* row = a + k * lda;
        Vector sum[4] = {};
        for (Index j = 0; j < whole; j += lanes) {
            const Vector c = *reinterpret_cast<const LooseVector*>(w + j);
            for (Index r = 0; r < 4; ++r)
                sum[r] += c * *reinterpret_cast<const LooseVector*>(row + r * lda + j);
        }
        for (Index r = 0; r < 4; ++r) {
            double total = 0.0;
            for (Index l = 0; l < lanes; ++l) total += sum[r][l];
            for (Index j = whole; j < cols; ++j) total += w[j] * row[r * lda + j];
            out[k + r] = total;
        }
    }
    for (; k < rows; ++k) {
        double total = 0.0;
        for (Index j = 0; j < cols; ++j) total += w[j] * a[k * lda + j];
        out[k] = total;
    }
}

void add_rows(const double* a, Index rows, Index lda, Index cols, const double* factor,
              double* out) {
    const Index whole = cols / lanes * lanes;
    Index k = 0;
    for (; k + 4 <= rows; k += 4) {
        const double* row = a + k * lda;
        for (Index j = 0; j < whole; j += lanes) {
            Vector sum = *reinterpret_cast<const LooseVector*>(out + j);
            for (Index r = 0; r < 4; ++r)
                sum += factor[k + r] * *reinterpret_cast<const LooseVector*>(row + r * lda + j);
            *reinterpret_cast<LooseVector*>(out + j) = sum;
        }
        for (Index j = whole; j < cols; ++j)
            for (Index r = 0; r < 4; ++r) out[j] += factor[k + r] * row[r * lda + j];
    }
    for (; k < rows; ++k)
        for (Index j = 0; j < cols; ++j) out[j] += factor[k] * a[k * lda + j];
}

}  // namespace stylobate::STYLOBATE_ISA
