// Fourier transforms of float sequences of length 2ᵃ3ᵇ5ᶜ, eight at a time: one in each lane, so
// that no pass needs a shuffle. Stockham's algorithm, decimation in frequency. The inverse (without
// its factor 1/n) is the same with real and imaginary parts exchanged.
#include "embed/singles.hpp"
#include "embed/tsne_kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

struct Complex {
    Eight re, im;
};

Complex operator+(Complex a, Complex b) {
    return {a.re + b.re, a.im + b.im};
}
Complex operator-(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
}
Complex operator*(float s, Complex a) {
    return {s * a.re, s * a.im};
}
Complex times_i(Complex a) {
    return {-a.im, a.re};
}
Complex turned(Complex a, const float* w) {
    return {a.re * w[0] - a.im * w[1], a.re * w[1] + a.im * w[0]};
}

template <int radix>
void butterfly(Complex* v);

template <>
void butterfly<2>(Complex* v) {
    const Complex a = v[0], b = v[1];
    v[0] = a + b;
    v[1] = a - b;
}

template <>
void butterfly<3>(Complex* v) {
    const Complex sum = v[1] + v[2], turn = times_i(0.86602540378443865F * (v[1] - v[2]));
    const Complex middle = v[0] - 0.5F * sum;
    v[0] = v[0] + sum;
    v[1] = middle - turn;
    v[2] = middle + turn;
}

template <>
void butterfly<4>(Complex* v) {
    const Complex even = v[0] + v[2], odd = v[0] - v[2], sum = v[1] + v[3];
    const Complex turn = times_i(v[1] - v[3]);
    v[0] = even + sum;
    v[1] = odd - turn;
    v[2] = even - sum;
    v[3] = odd + turn;
}

template <>
void butterfly<5>(Complex* v) {
    constexpr float c1 = 0.30901699437494742F, c2 = -0.80901699437494742F;
    constexpr float s1 = 0.95105651629515357F, s2 = 0.58778525229247313F;
    const Complex a = v[1] + v[4], b = v[2] + v[3], p = v[1] - v[4], q = v[2] - v[3];
    const Complex near = v[0] + c1 * a + c2 * b, far = v[0] + c2 * a + c1 * b;
    const Complex near_turn = times_i(s1 * p + s2 * q), far_turn = times_i(s2 * p - s1 * q);
    v[0] = v[0] + a + b;
    v[1] = near - near_turn;
    v[2] = far - far_turn;
    v[3] = far + far_turn;
    v[4] = near + near_turn;
}

template <int radix, Index re, Index im>
void run_pass(const tsne::FourierPass& pass, const float* x, float* y) {
    const Index s = pass.stride, m = pass.count;
    for (Index p = 0; p < m; ++p) {
        const float* const twiddles = pass.twiddles + p * 2 * (radix - 1);
        for (Index q = 0; q < s; ++q) {
            Complex v[radix];
            for (int k = 0; k < radix; ++k) {
                const float* const at = x + (q + s * (p + m * k)) * tsne::block;
                v[k] = {load_eight(at + re), load_eight(at + im)};
            }
            butterfly<radix>(v);
            for (int k = 0; k < radix; ++k) {
                float* const at = y + (q + s * (radix * p + k)) * tsne::block;
                const Complex value = k == 0 || p == 0 ? v[k] : turned(v[k], twiddles + 2 * k - 2);
                store_eight(at + re, value.re);
                store_eight(at + im, value.im);
            }
        }
    }
}

template <Index re, Index im>
float* run_passes(const tsne::FourierPasses& passes, float* x, float* y) {
    for (Index i = 0; i < passes.count; ++i) {
        const tsne::FourierPass& pass = passes.passes[i];
        if (pass.radix == 4)
            run_pass<4, re, im>(pass, x, y);
        else if (pass.radix == 2)
            run_pass<2, re, im>(pass, x, y);
        else if (pass.radix == 3)
            run_pass<3, re, im>(pass, x, y);
        else
            run_pass<5, re, im>(pass, x, y);
        float* const swapped = x;
        x = y;
        y = swapped;
    }
    return x;
}

// Rows and columns of an 8 × 8 matrix exchanged, row i at from + i · stride.
void transpose(const float* from, Index from_stride, float* const* to) {
    Eight r[8], t[8];
    for (Index i = 0; i < 8; ++i) r[i] = load_eight(from + i * from_stride);
    for (Index i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (Index i = 0; i < 8; i += 4)
        for (Index j = 0; j < 2; ++j) {
            r[i + j] = __builtin_shufflevector(t[i + j], t[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            r[i + j + 2] =
                __builtin_shufflevector(t[i + j], t[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (Index j = 0; j < 4; ++j) {
        store_eight(to[j], __builtin_shufflevector(r[j], r[j + 4], 0, 1, 2, 3, 8, 9, 10, 11));
        store_eight(to[j + 4], __builtin_shufflevector(r[j], r[j + 4], 4, 5, 6, 7, 12, 13, 14, 15));
    }
}

}  // namespace

float* tsne_fourier(const tsne::FourierPasses& passes, float* data, float* work, bool inverse) {
    return inverse ? run_passes<8, 0>(passes, data, work) : run_passes<0, 8>(passes, data, work);
}

void tsne_rows_to_lanes(const float* rows, Index row_stride, Index blocks, float* lanes) {
    for (Index b = 0; b < blocks; ++b)
        for (Index part = 0; part < 2; ++part) {
            float* to[8];
            for (Index j = 0; j < 8; ++j) to[j] = lanes + (b * 8 + j) * tsne::block + part * 8;
            transpose(rows + b * tsne::block + part * 8, row_stride, to);
        }
}

void tsne_lanes_to_rows(const float* lanes, Index blocks, float* const* rows) {
    for (Index b = 0; b < blocks; ++b)
        for (Index part = 0; part < 2; ++part) {
            float* to[8];
            for (Index j = 0; j < 8; ++j) to[j] = rows[j] + b * tsne::block + part * 8;
            transpose(lanes + b * 8 * tsne::block + part * 8, tsne::block, to);
        }
}

void tsne_multiply(const float* spectrum, Index columns, const tsne::KernelRows& kernels,
                   float* direct, float* opposite, float* sums) {
    Eight sum = load_eight(sums);
    for (Index k = 0; k < columns; ++k) {
        const float* const at = spectrum + k * tsne::block;
        const float* const other = spectrum + (k == 0 ? 0 : columns - k) * tsne::block;
        const Eight re = load_eight(at), im = load_eight(at + 8);
        const Eight other_re = load_eight(other), other_im = load_eight(other + 8);
        const Eight a = load_eight(kernels.along_rows + k * 8);
        const Eight b = load_eight(kernels.along_columns + k * 8);
        sum += load_eight(kernels.value + k * 8) * (re * re + im * im);
        store_eight(direct + k * tsne::block, b * re + a * im);
        store_eight(direct + k * tsne::block + 8, b * im - a * re);
        store_eight(opposite + k * tsne::block, b * other_re + a * other_im);
        store_eight(opposite + k * tsne::block + 8, a * other_re - b * other_im);
    }
    store_eight(sums, sum);
}

}  // namespace stylobate::STYLOBATE_ISA
