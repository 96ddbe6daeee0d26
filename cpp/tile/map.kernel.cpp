// What becomes of the values of a tile, while they lie in the first cache.
#include "scan/vectors.hpp"
#include "stylobate/simd.hpp"
#include "tile/measure.hpp"
#include "tile/roots.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

// tanh by 1 − 2 / (e²ᶻ + 1), which loses the digits of small z: there by a rational function
// (W. Cody, W. Waite, Software Manual for the Elementary Functions, 1980).
Vector tanh_of(Vector z) {
    const Vector size = choose(z < 0.0, -z, z);
    const Vector far = 1.0 - 2.0 / (exp_of(2.0 * size) + 1.0);
    const Vector q = z * z;
    const Vector top =
        (-9.64399179425052238628e-1 * q - 9.92877231001918586564e1) * q - 1.61468768441708447952e3;
    const Vector bottom = ((q + 1.12811678491632931402e2) * q + 2.23548839060100448583e3) * q +
                          4.84406305325125486048e3;
    const Vector near = z + z * q * (top / bottom);
    return choose(size < 0.625, near, choose(z < 0.0, -far, far));
}

template <class Function>
void each(double* c, Index n, const Function& function) {
    Index j = 0;
    for (; j + lanes <= n; j += lanes) {
        Vector v;
        __builtin_memcpy(&v, c + j, sizeof(v));
        v = function(v);
        __builtin_memcpy(c + j, &v, sizeof(v));
    }
    if (j == n) return;
    Vector last = {};
    for (Index h = 0; h < n - j; ++h) last[h] = c[j + h];
    last = function(last);
    for (Index h = 0; h < n - j; ++h) c[j + h] = last[h];
}

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

bool all_of(Whole condition) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)condition, (__m512i)condition) == 0xff;
#elif defined(__AVX2__)
    return _mm256_movemask_pd((__m256d)condition) == 0xf;
#else
    bool all = true;
    for (Index h = 0; h < lanes; ++h) all = all && condition[h] != 0;
    return all;
#endif
}

// e^(a v + b), three vectors at a time where all lie in the range of the quick way.
void exponentials(double a, double b, double* c, Index n) {
    constexpr Index together = 3;  // divides a panel of any width
    Index j = 0;
    for (; j + together * lanes <= n; j += together * lanes) {
        Vector x[together];
        Whole within = ~Whole{};
        for (Index v = 0; v < together; ++v) {
            x[v] = a * load(c + j + v * lanes) + b;
            within &= (x[v] > exp_least) & (x[v] < exp_most);
        }
        if (all_of(within))
            exp_in_range<together>(x);
        else
            for (Vector& v : x) v = exp_of(v);
        __builtin_memcpy(c + j, x, sizeof(x));
    }
    each(c + j, n - j, [&](Vector v) { return exp_of(a * v + b); });
}

Vector whole_power(Vector x, int degree) {
    Vector power = broadcast(1.0);
    for (; degree > 0; degree >>= 1, x *= x)
        if (degree & 1) power *= x;
    return power;
}

}  // namespace

bool tile_map(int map, double a, double b, double p, double* c, Index n) {
    using tile::Map;
    switch (static_cast<Map>(map)) {
        case Map::identity:
            return true;
        case Map::scale:
        case Map::log_exponent:
            each(c, n, [&](Vector v) { return a * v; });
            return true;
        case Map::root:
            each(c, n, [](Vector v) { return root_of(v); });
            return true;
        case Map::exponential:
            exponentials(a, b, c, n);
            return true;
        case Map::root_exponential:
            each(c, n, [&](Vector v) { return exp_of(a * root_of(v)); });
            return true;
        case Map::log_root_exponent:
            each(c, n, [&](Vector v) { return a * root_of(v); });
            return true;
        case Map::polynomial:
            if (p != static_cast<double>(static_cast<int>(p)) || p < 0.0 || p > 1024.0)
                return false;
            each(c, n, [&](Vector v) { return whole_power(a * v + b, static_cast<int>(p)); });
            return true;
        case Map::sigmoid:
            each(c, n, [&](Vector v) { return tanh_of(a * v + b); });
            return true;
        case Map::tophat:
            each(c, n, [&](Vector v) {
                return choose(a * v < 1.0, broadcast(1.0), choose(v == v, broadcast(0.0), v));
            });
            return true;
        case Map::epanechnikov:
            each(c, n, [&](Vector v) {
                return choose(a * v < 1.0, 1.0 - a * v, choose(v == v, broadcast(0.0), v));
            });
            return true;
        case Map::linear:
            each(c, n, [&](Vector v) {
                return choose(a * v < 1.0, 1.0 - root_of(a * v), choose(v == v, broadcast(0.0), v));
            });
            return true;
        default:
            return false;
    }
}

// Σ w c, or Σ c; the order depends on n alone.
double tile_sum(const double* c, const double* weights, Index n) {
    Vector sum = {};
    double total = 0.0;
    Index j = 0;
    for (; j + lanes <= n; j += lanes) {
        Vector v;
        __builtin_memcpy(&v, c + j, sizeof(v));
        if (weights != nullptr) {
            Vector w;
            __builtin_memcpy(&w, weights + j, sizeof(w));
            v *= w;
        }
        sum += v;
    }
    for (; j < n; ++j) total += weights != nullptr ? weights[j] * c[j] : c[j];
    for (Index h = 0; h < lanes; ++h) total += sum[h];
    return total;
}

}  // namespace stylobate::STYLOBATE_ISA
