// Powers of two of tiles and sums of them, in single precision: twice as many lanes as doubles
// have.
#include "scan/vectors.hpp"
#include "svm/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef float Singles __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef int Integers __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef float HalfVector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2)));
constexpr Index singles = STYLOBATE_VECTOR_BYTES / 4;

// 2ˣ = 2ᵏ 2ʳ with k = round(x); 2ʳ by the polynomial of degree 6 with p(0) = 1 whose relative error
// on |r| ≤ ½ is least: below 8e-9. k is added to the exponent's bits; below −124, where that would
// leave the normal numbers, x is taken as −124: 5e-38.
Singles power_of_two(Singles x) {
    const Singles zero = {}, least = -124.0f - zero;
    x = x > zero ? zero : x;
    x = x < least ? least : x;
    constexpr float shifter = 12582912.0f;  // 1.5·2²³: adding it rounds to a whole number
    const Singles shifted = x + shifter;
    const Singles r = x - (shifted - shifter);
    Singles e = r * 1.5341862e-4f + 1.3386069e-3f;
    e = e * r + 9.6183512e-3f;
    e = e * r + 5.5503745e-2f;
    e = e * r + 2.4022651e-1f;
    e = e * r + 6.9314718e-1f;
    e = e * r + 1.0f;
    return (Singles)((Integers)e + ((Integers)shifted << 23));
}

Singles load(const float* p) {
    Singles v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

}  // namespace

void svm_powers_of_two(float* c, Index n) {
    for (Index j = 0; j + singles <= n; j += singles) {
        const Singles v = power_of_two(load(c + j));
        __builtin_memcpy(c + j, &v, sizeof(v));
    }
}

void svm_add_weighted_powers(const float* c, Index rows, Index width, const double* v,
                             double* sums) {
    for (Index i = 0; i < rows; ++i, c += width, sums += svm::sum_lanes) {
        Vector sum = load(sums);
        for (Index j = 0; j < width; j += singles) {
            const Singles e = power_of_two(load(c + j));
            HalfVector half[2];
            __builtin_memcpy(half, &e, sizeof(e));
            sum += __builtin_convertvector(half[0], Vector) * load(v + j);
            sum += __builtin_convertvector(half[1], Vector) * load(v + j + lanes);
        }
        __builtin_memcpy(sums, &sum, sizeof(sum));
    }
}

}  // namespace stylobate::STYLOBATE_ISA
