// Exponentials of many numbers at once, to about one unit in the last place.
//
// No standard headers, as in every kernel file.
#include "scan/vectors.hpp"
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

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
