// One pair of rows at a time, in double precision: what decides where a tile's product is too
// rough.
#include "scan/vectors.hpp"
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef float Half __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2)));

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

Vector load(const float* p) {
    Half v;
    __builtin_memcpy(&v, p, sizeof(v));
    return __builtin_convertvector(v, Vector);
}

// Σ term(x, y), in an order that depends on the length alone.
template <class T, class Term>
double reduce(const T* x, const T* y, Index n, const Term& term) {
    Vector sum[2] = {};
    Index l = 0;
    for (; l + 2 * lanes <= n; l += 2 * lanes)
        for (Index h = 0; h < 2; ++h)
            sum[h] = term(sum[h], load(x + l + h * lanes), load(y + l + h * lanes));
    const Vector both = sum[0] + sum[1];
    double total = 0.0;
    for (Index h = 0; h < lanes; ++h) total += both[h];
    for (; l < n; ++l) {
        Vector a = {}, b = {}, none = {};
        a[0] = static_cast<double>(x[l]), b[0] = static_cast<double>(y[l]);
        total += term(none, a, b)[0];
    }
    return total;
}

const auto squares = [](Vector sum, Vector a, Vector b) { return sum + (a - b) * (a - b); };
const auto products = [](Vector sum, Vector a, Vector b) { return sum + a * b; };

}  // namespace

double squared_distance_f64(const double* x, const double* y, Index n) {
    return reduce(x, y, n, squares);
}
double squared_distance_f32(const float* x, const float* y, Index n) {
    return reduce(x, y, n, squares);
}
double inner_product_f64(const double* x, const double* y, Index n) {
    return reduce(x, y, n, products);
}
double inner_product_f32(const float* x, const float* y, Index n) {
    return reduce(x, y, n, products);
}

}  // namespace stylobate::STYLOBATE_ISA
