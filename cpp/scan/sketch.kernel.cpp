// Sums, extremes, powers, keys and hashes of a run of numbers.
#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index side = 4;  // vectors at once: additions wait for each other four cycles
constexpr double infinity = __builtin_inf();

Vector load(const double* x) {
    return *reinterpret_cast<const LooseVector*>(x);
}
double total(Vector v) {
    double out = 0.0;
    for (Index l = 0; l < lanes; ++l) out += v[l];
    return out;
}

}  // namespace

void hash_keys(const unsigned long long* keys, Index n, unsigned long long* hashes);

// As scan::key_of_real and scan::mixed.
void real_keys(const double* x, Index n, unsigned long long* keys, unsigned long long* hashes) {
    for (Index i = 0; i < n; ++i) {
        const double value = x[i] + 0.0;
        long long bits;
        __builtin_memcpy(&bits, &value, 8);
        const long long flip = bits < 0 ? -1LL : static_cast<long long>(1ULL << 63);
        keys[i] = static_cast<unsigned long long>(bits ^ flip);
    }
    hash_keys(keys, n, hashes);
}

void hash_keys(const unsigned long long* keys, Index n, unsigned long long* hashes) {
    for (Index i = 0; i < n; ++i) {
        unsigned long long x = keys[i];
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        hashes[i] = x ^ (x >> 31);
    }
}

bool all_finite(const double* x, Index n) {
    Vector sum[side] = {};
    Index i = 0;
    for (; i + side * lanes <= n; i += side * lanes)
        for (Index s = 0; s < side; ++s) {
            const Vector v = load(x + i + s * lanes);
            sum[s] += v - v;  // 0, or NaN
        }
    double rest = 0.0;
    for (; i < n; ++i) rest += x[i] - x[i];
    return total(sum[0] + sum[1] + (sum[2] + sum[3])) + rest == 0.0;
}

void extent(const double* x, Index n, double* out) {
    Vector sum[side] = {}, low[side], high[side];
    Whole zero[side] = {}, negative[side] = {};
    for (Index s = 0; s < side; ++s) {
        low[s] = infinity - Vector{};
        high[s] = -infinity - Vector{};
    }
    Index i = 0;
    for (; i + side * lanes <= n; i += side * lanes)
        for (Index s = 0; s < side; ++s) {
            const Vector v = load(x + i + s * lanes);
            sum[s] += v;
            low[s] = v < low[s] ? v : low[s];
            high[s] = v > high[s] ? v : high[s];
            zero[s] -= v == Vector{};
            negative[s] -= v < Vector{};
        }
    double least = infinity, most = -infinity, zeros = 0.0, negatives = 0.0;
    for (Index s = 0; s < side; ++s)
        for (Index l = 0; l < lanes; ++l) {
            least = low[s][l] < least ? low[s][l] : least;
            most = high[s][l] > most ? high[s][l] : most;
            zeros += static_cast<double>(zero[s][l]);
            negatives += static_cast<double>(negative[s][l]);
        }
    double rest = 0.0;
    for (; i < n; ++i) {
        rest += x[i];
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
        zeros += x[i] == 0.0;
        negatives += x[i] < 0.0;
    }
    out[0] = total(sum[0] + sum[1] + (sum[2] + sum[3])) + rest;
    out[1] = least;
    out[2] = most;
    out[3] = zeros;
    out[4] = negatives;
}

void power_sums(const double* x, Index n, double shift, double scale, double* out) {
    constexpr Index pair = 2;
    Vector first[pair] = {}, second[pair] = {}, third[pair] = {}, fourth[pair] = {};
    Index i = 0;
    for (; i + pair * lanes <= n; i += pair * lanes)
        for (Index s = 0; s < pair; ++s) {
            const Vector d = load(x + i + s * lanes) * scale - shift, square = d * d;
            first[s] += d;
            second[s] += square;
            third[s] += square * d;
            fourth[s] += square * square;
        }
    double rest[4] = {};
    for (; i < n; ++i) {
        const double d = x[i] * scale - shift, square = d * d;
        rest[0] += d;
        rest[1] += square;
        rest[2] += square * d;
        rest[3] += square * square;
    }
    out[0] = total(first[0] + first[1]) + rest[0];
    out[1] = total(second[0] + second[1]) + rest[1];
    out[2] = total(third[0] + third[1]) + rest[2];
    out[3] = total(fourth[0] + fourth[1]) + rest[3];
}

}  // namespace stylobate::STYLOBATE_ISA
