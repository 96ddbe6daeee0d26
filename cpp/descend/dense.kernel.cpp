// Products of vectors: the inner loops of coordinate descent, its working sets and factorisations.
//
// No standard headers, as in every kernel file.
#include "stylobate/views.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef double Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef double LooseVector
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));
constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 8;
typedef float HalfVector
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2), aligned(4), may_alias));

[[gnu::always_inline]] inline Vector load(const double* at) {
    return *reinterpret_cast<const LooseVector*>(at);
}
[[gnu::always_inline]] inline Vector load(const float* at) {
    return __builtin_convertvector(*reinterpret_cast<const HalfVector*>(at), Vector);
}
// What is summed: a value of x, or its square.
struct Itself {
    template <class V>
    static V of(const V& x) {
        return x;
    }
};
struct Square {
    template <class V>
    static V of(const V& x) {
        return x * x;
    }
};

[[gnu::always_inline]] inline double sum(const Vector& v) {
    double total = 0.0;
    for (Index l = 0; l < lanes; ++l) total += v[l];
    return total;
}

// sums[i][j] of n_a × n_b vectors at once: each loaded vector is used several times.
template <Index n_a, Index n_b, class Of = Itself, class T>
[[gnu::always_inline]] inline void dots(const T* a, Index lda, const double* b, Index ldb, Index n,
                                        double* out, Index ldo, Index out_step) {
    Vector total[n_a][n_b] = {};
    Index k = 0;
    for (; k + lanes <= n; k += lanes) {
        Vector y[n_b];
        for (Index j = 0; j < n_b; ++j) y[j] = load(b + j * ldb + k);
        for (Index i = 0; i < n_a; ++i) {
            const Vector x = Of::of(load(a + i * lda + k));
            for (Index j = 0; j < n_b; ++j) total[i][j] += x * y[j];
        }
    }
    for (Index i = 0; i < n_a; ++i)
        for (Index j = 0; j < n_b; ++j) {
            double rest = sum(total[i][j]);
            for (Index l = k; l < n; ++l)
                rest += Of::of(static_cast<double>(a[i * lda + l])) * b[j * ldb + l];
            out[i * ldo + j * out_step] += rest;
        }
}

template <Index n_a>
void products_of(const double* a, Index lda, const double* b, Index n_b, Index ldb, Index n,
                 double* out, Index ldo) {
    Index j = 0;
    for (; j + 4 <= n_b; j += 4) dots<n_a, 4>(a, lda, b + j * ldb, ldb, n, out + j, ldo, 1);
    for (; j < n_b; ++j) dots<n_a, 1>(a, lda, b + j * ldb, ldb, n, out + j, ldo, 1);
}

template <Index n_r, class Of, class T>
void correlate_row_block(const T* x, Index rows, Index row_stride, Index cols, const double* r,
                         Index ldr, double* out, Index ldo) {
    constexpr Index group = 8;
    Index i = 0;
    for (; i + group <= rows; i += group) {
        const T* row = x + i * row_stride;
        Index j = 0;
        for (; j + lanes <= cols; j += lanes) {
            Vector v[group];
            for (Index g = 0; g < group; ++g) v[g] = Of::of(load(row + g * row_stride + j));
            for (Index f = 0; f < n_r; ++f) {
                Vector total = load(out + f * ldo + j);
                for (Index g = 0; g < group; ++g) total += v[g] * r[f * ldr + i + g];
                *reinterpret_cast<LooseVector*>(out + f * ldo + j) = total;
            }
        }
        for (; j < cols; ++j)
            for (Index f = 0; f < n_r; ++f)
                for (Index g = 0; g < group; ++g)
                    out[f * ldo + j] +=
                        Of::of(static_cast<double>(row[g * row_stride + j])) * r[f * ldr + i + g];
    }
    for (; i < rows; ++i)
        for (Index f = 0; f < n_r; ++f)
            for (Index j = 0; j < cols; ++j)
                out[f * ldo + j] +=
                    Of::of(static_cast<double>(x[i * row_stride + j])) * r[f * ldr + i];
}

template <class Of, class T>
void correlate_rows(const T* x, Index rows, Index row_stride, Index cols, const double* r,
                    Index n_r, Index ldr, double* out, Index ldo) {
    Index f = 0;
    if (n_r == 5) {  // the usual number of folds: one reading of x instead of two
        correlate_row_block<5, Of>(x, rows, row_stride, cols, r, ldr, out, ldo);
        return;
    }
    for (; f + 4 <= n_r; f += 4)
        correlate_row_block<4, Of>(x, rows, row_stride, cols, r + f * ldr, ldr, out + f * ldo, ldo);
    for (; f + 2 <= n_r; f += 2)
        correlate_row_block<2, Of>(x, rows, row_stride, cols, r + f * ldr, ldr, out + f * ldo, ldo);
    for (; f < n_r; ++f)
        correlate_row_block<1, Of>(x, rows, row_stride, cols, r + f * ldr, ldr, out + f * ldo, ldo);
}

template <Index n_r, class Of, class T>
void correlate_column_block(const T* x, Index rows, Index col_stride, Index cols, const double* r,
                            Index ldr, double* out, Index ldo) {
    Index j = 0;
    for (; j + 4 <= cols; j += 4)
        dots<4, n_r, Of>(x + j * col_stride, col_stride, r, ldr, rows, out + j, 1, ldo);
    for (; j < cols; ++j)
        dots<1, n_r, Of>(x + j * col_stride, col_stride, r, ldr, rows, out + j, 1, ldo);
}

template <class Of, class T>
void correlate_columns(const T* x, Index rows, Index col_stride, Index cols, const double* r,
                       Index n_r, Index ldr, double* out, Index ldo) {
    Index f = 0;
    for (; f + 4 <= n_r; f += 4)
        correlate_column_block<4, Of>(x, rows, col_stride, cols, r + f * ldr, ldr, out + f * ldo,
                                      ldo);
    for (; f < n_r; ++f)
        correlate_column_block<1, Of>(x, rows, col_stride, cols, r + f * ldr, ldr, out + f * ldo,
                                      ldo);
}

}  // namespace

double descend_dot(const double* x, const double* y, Index n) {
    double out = 0.0;
    Vector total[4] = {};
    Index k = 0;
    for (; k + 4 * lanes <= n; k += 4 * lanes)
        for (Index v = 0; v < 4; ++v) total[v] += load(x + k + v * lanes) * load(y + k + v * lanes);
    for (; k + lanes <= n; k += lanes) total[0] += load(x + k) * load(y + k);
    for (; k < n; ++k) out += x[k] * y[k];
    return out + sum((total[0] + total[1]) + (total[2] + total[3]));
}

void descend_axpy(double a, const double* x, double* y, Index n) {
    Index k = 0;
    for (; k + lanes <= n; k += lanes)
        *reinterpret_cast<LooseVector*>(y + k) = load(y + k) + load(x + k) * a;
    for (; k < n; ++k) y[k] += a * x[k];
}

void descend_products(const double* a, Index n_a, Index lda, const double* b, Index n_b, Index ldb,
                      Index n, double* out, Index ldo) {
    constexpr Index length = 512, group = 32;  // group × length of b stay in the second cache
    for (Index k = 0; k < n; k += length) {
        const Index m = n - k < length ? n - k : length;
        for (Index j = 0; j < n_b; j += group) {
            const Index width = n_b - j < group ? n_b - j : group;
            const double* part = b + j * ldb + k;
            Index i = 0;
            for (; i + 4 <= n_a; i += 4)
                products_of<4>(a + i * lda + k, lda, part, width, ldb, m, out + i * ldo + j, ldo);
            for (; i < n_a; ++i)
                products_of<1>(a + i * lda + k, lda, part, width, ldb, m, out + i * ldo + j, ldo);
        }
    }
}

void descend_dots(const double* const* x, Index count, const double* y, Index n, double* out) {
    constexpr Index group = 4;
    Index c = 0;
    for (; c + group <= count; c += group) {
        Vector total[group][2] = {};
        Index k = 0;
        for (; k + 2 * lanes <= n; k += 2 * lanes)
            for (Index half = 0; half < 2; ++half) {
                const Vector v = load(y + k + half * lanes);
                for (Index g = 0; g < group; ++g)
                    total[g][half] += load(x[c + g] + k + half * lanes) * v;
            }
        for (Index g = 0; g < group; ++g) {
            double rest = sum(total[g][0] + total[g][1]);
            for (Index l = k; l < n; ++l) rest += x[c + g][l] * y[l];
            out[c + g] = rest;
        }
    }
    for (; c < count; ++c) out[c] = descend_dot(x[c], y, n);
}

void descend_combine(const double* const* x, const double* a, Index count, double* y, Index n) {
    constexpr Index group = 8;
    Index c = 0;
    for (; c + group <= count; c += group) {
        Index k = 0;
        for (; k + lanes <= n; k += lanes) {
            Vector even = load(y + k), odd = {};
            for (Index g = 0; g < group; g += 2) {
                even += load(x[c + g] + k) * a[c + g];
                odd += load(x[c + g + 1] + k) * a[c + g + 1];
            }
            *reinterpret_cast<LooseVector*>(y + k) = even + odd;
        }
        for (; k < n; ++k)
            for (Index g = 0; g < group; ++g) y[k] += a[c + g] * x[c + g][k];
    }
    for (; c < count; ++c) descend_axpy(a[c], x[c], y, n);
}

#define STYLOBATE_SUMS(name, kernel, Of, T)                                                 \
    void name(const T* x, Index rows, Index stride, Index cols, const double* r, Index n_r, \
              Index ldr, double* out, Index ldo) {                                          \
        kernel<Of>(x, rows, stride, cols, r, n_r, ldr, out, ldo);                           \
    }
STYLOBATE_SUMS(correlate_rows_f64, correlate_rows, Itself, double)
STYLOBATE_SUMS(correlate_rows_f32, correlate_rows, Itself, float)
STYLOBATE_SUMS(correlate_columns_f64, correlate_columns, Itself, double)
STYLOBATE_SUMS(correlate_columns_f32, correlate_columns, Itself, float)
STYLOBATE_SUMS(squares_rows_f64, correlate_rows, Square, double)
STYLOBATE_SUMS(squares_rows_f32, correlate_rows, Square, float)
STYLOBATE_SUMS(squares_columns_f64, correlate_columns, Square, double)
STYLOBATE_SUMS(squares_columns_f32, correlate_columns, Square, float)

}  // namespace stylobate::STYLOBATE_ISA
