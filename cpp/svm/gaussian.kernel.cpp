// Exponentials and sums of tiles in single precision: twice as many lanes as doubles have.
#include "scan/vectors.hpp"
#include "svm/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef float Singles __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef int Integers __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef float HalfVector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2)));
constexpr Index singles = STYLOBATE_VECTOR_BYTES / 4;

// eˣ = 2ᵏ eʳ with k = round(x / log 2); eʳ by its Taylor polynomial of degree 7, whose remainder on
// |r| ≤ ½ log 2 is below 6e-9. k is added to the exponent's bits; below −86, where that would leave
// the normal numbers, x is taken as −86: 4e-38.
Singles exponential(Singles x) {
    const Singles zero = {}, least = -86.0f - zero;
    x = x > zero ? zero : x;
    x = x < least ? least : x;
    constexpr float shifter = 12582912.0f;  // 1.5·2²³: adding it rounds to a whole number
    const Singles shifted = x * 1.44269504f + shifter;
    const Singles k = shifted - shifter;
    const Singles r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
    Singles e = r * (1.0f / 5040.0f) + 1.0f / 720.0f;
    e = e * r + 1.0f / 120.0f;
    e = e * r + 1.0f / 24.0f;
    e = e * r + 1.0f / 6.0f;
    e = e * r + 0.5f;
    e = e * r + 1.0f;
    e = e * r + 1.0f;
    return (Singles)((Integers)e + ((Integers)shifted << 23));
}

}  // namespace

void svm_exponentials(float* c, Index n) {
    for (Index j = 0; j + singles <= n; j += singles) {
        Singles v;
        __builtin_memcpy(&v, c + j, sizeof(v));
        v = exponential(v);
        __builtin_memcpy(c + j, &v, sizeof(v));
    }
}

double svm_weighted_sum(const float* c, const double* v, Index n) {
    Vector sum = {};
    Index j = 0;
    for (; j + lanes <= n; j += lanes) {
        HalfVector half;
        Vector weight;
        __builtin_memcpy(&half, c + j, sizeof(half));
        __builtin_memcpy(&weight, v + j, sizeof(weight));
        sum += __builtin_convertvector(half, Vector) * weight;
    }
    double total = 0.0;
    for (; j < n; ++j) total += static_cast<double>(c[j]) * v[j];
    for (Index h = 0; h < lanes; ++h) total += sum[h];
    return total;
}

}  // namespace stylobate::STYLOBATE_ISA
