// Loops without branches over entries that lie side by side, for the compiler to make vectors of.
#include "network/tabular_kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::tabular::Dropout;

constexpr double pi = 3.14159265358979323846;

// Polynomials as long as their type needs them.
template <class T>
struct Digits;
template <>
struct Digits<float> {
    static constexpr int exponential = 7, circle = 7;
    static constexpr float rounder = 12582912.0f;  // 1.5·2²³: adding it rounds to whole numbers
    static float power(float n) {                  // 2ⁿ
        return __builtin_bit_cast(float, (static_cast<int>(n) + 127) << 23);
    }
};
template <>
struct Digits<double> {
    static constexpr int exponential = 13, circle = 10;
    static constexpr double rounder = 6755399441055744.0;
    static double power(double n) {
        return __builtin_bit_cast(double, (static_cast<long long>(n) + 1023) << 52);
    }
};

// eˣ for −80 ≤ x ≤ 80: 2ⁿ times the series of what is left
template <class T>
inline T exponential(T x) {
    const T n = (x * T(1.44269504088896341) + Digits<T>::rounder) - Digits<T>::rounder;
    const T r = (x - n * T(0.693145751953125)) - n * T(1.42860682030941723212e-6);
    T sum = T(1);
    for (int k = Digits<T>::exponential; k >= 1; --k) sum = T(1) + sum * r * T(1.0 / k);
    return sum * Digits<T>::power(n);
}

template <class T>
void mish_all(T* z, T* slope, Index n) {
    for (Index i = 0; i < n; ++i) {
        const T x = z[i], low = x > T(-80) ? x : T(-80);
        const T e = exponential(low < T(20) ? low : T(20));
        const T top = e * (e + T(2)), inverse = T(1) / (top + T(2)), t = top * inverse;
        z[i] = x * t;
        slope[i] = t + T(4) * low * (e * inverse) * ((T(1) + e) * inverse);
    }
}

// Series of sin and cos of πt, |t| ≤ ½; twice the angle by the addition theorem.
template <class T>
void angles_all(const T* w, const T* b, T x, T* cosine, T* sine, Index n) {
    for (Index i = 0; i < n; ++i) {
        const T turn = w[i] * x + b[i];
        const T t = T(pi) * (turn - ((turn + Digits<T>::rounder) - Digits<T>::rounder));
        const T square = t * t;
        T s = T(1), c = T(1);
        for (int k = Digits<T>::circle; k >= 1; --k) {
            s = T(1) - s * square * T(1.0 / (2.0 * k * (2.0 * k + 1.0)));
            c = T(1) - c * square * T(1.0 / (2.0 * k * (2.0 * k - 1.0)));
        }
        s *= t;
        cosine[i] = T(1) - T(2) * s * s;
        sine[i] = T(2) * s * c;
    }
}

template <class T>
void drop_all(const Dropout& dropout, T* a, T* slope, Index n) {
    const T scale = static_cast<T>(dropout.scale);
    for (Index i = 0; i < n; ++i) {
        unsigned int h = dropout.key + static_cast<unsigned int>(i) * 0x9E3779B9u;
        h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
        h = (h ^ (h >> 13)) * 0xC2B2AE35u;
        h ^= h >> 16;
        const T factor = (h >> 8) < dropout.threshold ? T(0) : scale;
        a[i] *= factor;
        slope[i] *= factor;
    }
}

template <class T>
void scaled_all(const T* x, const T* f, T* y, Index n) {
    for (Index i = 0; i < n; ++i) y[i] = x[i] * f[i];
}

template <class T>
void add_scaled_all(const T* x, const T* f, T* y, Index n) {
    for (Index i = 0; i < n; ++i) y[i] += x[i] * f[i];
}

}  // namespace

void mish_f32(float* z, float* slope, Index n) {
    mish_all(z, slope, n);
}
void mish_f64(double* z, double* slope, Index n) {
    mish_all(z, slope, n);
}
void angles_f32(const float* w, const float* b, float x, float* cosine, float* sine, Index n) {
    angles_all(w, b, x, cosine, sine, n);
}
void angles_f64(const double* w, const double* b, double x, double* cosine, double* sine, Index n) {
    angles_all(w, b, x, cosine, sine, n);
}
void drop_f32(const Dropout& dropout, float* a, float* slope, Index n) {
    drop_all(dropout, a, slope, n);
}
void drop_f64(const Dropout& dropout, double* a, double* slope, Index n) {
    drop_all(dropout, a, slope, n);
}
void scaled_f32(const float* x, const float* f, float* y, Index n) {
    scaled_all(x, f, y, n);
}
void scaled_f64(const double* x, const double* f, double* y, Index n) {
    scaled_all(x, f, y, n);
}
void add_scaled_f32(const float* x, const float* f, float* y, Index n) {
    add_scaled_all(x, f, y, n);
}
void add_scaled_f64(const double* x, const double* f, double* y, Index n) {
    add_scaled_all(x, f, y, n);
}

}  // namespace stylobate::STYLOBATE_ISA
