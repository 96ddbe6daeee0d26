// Powers, logarithms and digamma functions of many numbers at once. No standard headers, as in
// every kernel file.
#include "embed/factor_kernels.hpp"
#include "tile/terms.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

Vector part(const double* p, Index count, double rest) {
    if (count >= lanes) return *reinterpret_cast<const LooseVector*>(p);
    Vector v = broadcast(rest);
    for (Index i = 0; i < count; ++i) v[i] = p[i];
    return v;
}

void put(double* out, Index count, Vector value) {
    if (count >= lanes) {
        *reinterpret_cast<LooseVector*>(out) = value;
        return;
    }
    for (Index i = 0; i < count; ++i) out[i] = value[i];
}

Vector at_least(Vector x, double floor) {
    return choose(x > floor, x, broadcast(floor));
}

// body(x, m) of pairs of numbers; the last few are padded with ones
template <class Body>
void map(const double* x, const double* m, Index n, double* out, const Body& body) {
    for (Index i = 0; i < n; i += lanes)
        put(out + i, n - i, body(part(x + i, n - i, 1.0), part(m + i, n - i, 1.0)));
}

// ψ(x) = log y + s with y = x + 6: s collects the series of ψ at y, at most 1e-14 off where x is
// near 0 (and ψ large) and 3e-16 from x = 1 on, and ψ(x) − ψ(x + 6), six reciprocals in two
// divisions.
struct Digamma {
    Vector y, s;

    explicit Digamma(Vector x) : y(x + 6.0) {
        const Vector a = x * (x + 5.0), b = (x + 1.0) * (x + 4.0), c = (x + 2.0) * (x + 3.0);
        const Vector steps = (2.0 * x + 5.0) * (1.0 / a + (b + c) / (b * c));
        const Vector r = 1.0 / y, q = r * r;
        // B₂ₙ/2n: 1/12, −1/120, 1/252, −1/240, 1/132, −691/32760, 1/12, −3617/8160, 43867/14364
        Vector sum = broadcast(43867.0 / 14364.0);
        sum = sum * q - 3617.0 / 8160.0;
        sum = sum * q + 1.0 / 12.0;
        sum = sum * q - 691.0 / 32760.0;
        sum = sum * q + 1.0 / 132.0;
        sum = sum * q - 1.0 / 240.0;
        sum = sum * q + 1.0 / 252.0;
        sum = sum * q - 1.0 / 120.0;
        sum = sum * q + 1.0 / 12.0;
        s = -(0.5 * r + q * sum) - steps;
    }
};

}  // namespace

void scaled_powers(const double* x, const double* m, Index n, double exponent, double floor,
                   double* out) {
    const auto with = [&](const auto& power) {
        map(x, m, n, out, [&](Vector a, Vector b) { return a * power(at_least(b, floor)); });
    };
    if (exponent == -1.0)
        map(x, m, n, out, [&](Vector a, Vector b) { return a / at_least(b, floor); });
    else if (exponent == -2.0)
        map(x, m, n, out, [&](Vector a, Vector b) {
            const Vector r = 1.0 / at_least(b, floor);
            return a * r * r;
        });
    else
        with([&](Vector b) { return exp_of(exponent * log_of(b)); });
}

double relative_entropy(const double* x, const double* m, Index n, double floor) {
    Vector sum = {};
    for (Index i = 0; i < n; i += lanes) {
        const Vector a = part(x + i, n - i, 0.0), b = at_least(part(m + i, n - i, 1.0), floor);
        const Whole counts = a > floor;
        const Vector safe = choose(counts, a, broadcast(1.0));
        sum += choose(counts, a * log_of(safe / choose(counts, b, broadcast(1.0))), Vector{});
    }
    double total = 0.0;
    for (Index l = 0; l < lanes; ++l) total += sum[l];
    return total;
}

void exp_digamma(const double* x, Index n, double total, double* out) {
    const Digamma whole(broadcast(total));
    const double scale = 1.0 / whole.y[0], shift = whole.s[0];
    for (Index i = 0; i < n; i += lanes) {
        const Digamma own(part(x + i, n - i, 1.0));
        put(out + i, n - i, own.y * scale * exp_of(own.s - shift));
    }
}

void digamma_differences(const double* x, Index n, double total, double* out) {
    const Digamma whole(broadcast(total));
    const double scale = 1.0 / whole.y[0], shift = whole.s[0];
    for (Index i = 0; i < n; i += lanes) {
        const Digamma own(part(x + i, n - i, 1.0));
        put(out + i, n - i, log_of(own.y * scale) + (own.s - shift));
    }
}

}  // namespace stylobate::STYLOBATE_ISA
