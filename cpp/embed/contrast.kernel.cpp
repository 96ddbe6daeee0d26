// Contrast functions of independent components: g in place, and the sum of g′.
//
// No standard headers, as in every kernel file.
#include "scan/vectors.hpp"
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

struct Pair {
    Vector g, slope;
};

// y becomes g(y); returns Σ g′(y). The last few are padded, and what they add is left out.
template <class Function>
double apply(double* y, Index n, const Function& f) {
    Vector total = {};
    Index i = 0;
    for (; i + lanes <= n; i += lanes) {
        const Pair found = f(*reinterpret_cast<const LooseVector*>(y + i));
        *reinterpret_cast<LooseVector*>(y + i) = found.g;
        total += found.slope;
    }
    double sum = 0.0;
    for (Index l = 0; l < lanes; ++l) sum += total[l];
    if (i < n) {
        Vector last = {};
        for (Index l = 0; l < n - i; ++l) last[l] = y[i + l];
        const Pair found = f(last);
        for (Index l = 0; l < n - i; ++l) y[i + l] = found.g[l], sum += found.slope[l];
    }
    return sum;
}

}  // namespace

// tanh(αy) = ±(1 − e)/(1 + e), e = exp(−2α|y|): exact to a unit in the last place of 1
double contrast_logcosh(double* y, Index n, double alpha) {
    return apply(y, n, [alpha](Vector v) {
        const Whole negative = v < 0.0;
        const Vector size = choose(negative, -v, v);
        const Vector e = exp_of(-2.0 * alpha * size);
        const Vector t = (1.0 - e) / (1.0 + e);
        return Pair{choose(negative, -t, t), alpha * (1.0 - t * t)};
    });
}

double contrast_exp(double* y, Index n, double) {
    return apply(y, n, [](Vector v) {
        const Vector squares = v * v, e = exp_of(-0.5 * squares);
        return Pair{v * e, (1.0 - squares) * e};
    });
}

double contrast_cube(double* y, Index n, double) {
    return apply(y, n, [](Vector v) {
        const Vector squares = v * v;
        return Pair{v * squares, 3.0 * squares};
    });
}

}  // namespace stylobate::STYLOBATE_ISA
