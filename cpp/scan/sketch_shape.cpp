#include "scan/sketch_shape.hpp"

#include <algorithm>
#include <cmath>

#include "scan/kernels.hpp"

namespace stylobate::scan {
namespace {

// A power of two at least as large as `size`, within what can be divided by.
double unit_of(double size) {
    if (!(size > 0.0)) return 1.0;
    int exponent = 0;
    std::frexp(size, &exponent);
    return std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
}

}  // namespace

void Shape::absorb(const double* values, Index n) {
    constexpr Index block = 4096;  // read twice: the second time from cache
    double kept[block];
    for (Index first = 0; first < n; first += block) {
        const Index count = std::min(block, n - first);
        const double* const from = values + first;
        if (kernels().all_finite(from, count)) {
            absorb_finite(from, count);
            continue;
        }
        Index finite = 0;
        for (Index i = 0; i < count; ++i) {
            kept[finite] = from[i];
            finite += std::isfinite(from[i]);
            infinite += std::isinf(from[i]);
            negatives += std::isinf(from[i]) && from[i] < 0;
        }
        absorb_finite(kept, finite);
    }
}

void Shape::absorb_finite(const double* values, Index n) {
    if (n == 0) return;
    Shape part;
    double found[5];  // sum, low, high, zeros, negatives
    kernels().extent(values, n, found);
    const auto size = static_cast<double>(n);
    part.count = size;
    part.low = found[1];
    part.high = found[2];
    part.zeros = found[3];
    part.negatives = found[4];
    part.mean = part.low;
    if (part.low < part.high) {
        double middle = found[0] / size;
        if (!std::isfinite(middle)) middle = part.low / 2 + part.high / 2;
        middle = std::clamp(middle, part.low, part.high);
        // halves: the whole range may exceed what doubles hold
        part.unit = 2 * unit_of(std::max(part.high / 2 - middle / 2, middle / 2 - part.low / 2));
        double sums[4];
        kernels().power_sums(values, n, middle / part.unit, 1.0 / part.unit, sums);
        const double delta = sums[0] / size;  // what the first mean had lost to rounding
        part.mean = std::clamp(middle + delta * part.unit, part.low, part.high);
        part.squares = std::max(0.0, sums[1] - size * delta * delta);
        part.cubes = sums[2] - 3 * delta * sums[1] + 2 * size * delta * delta * delta;
        part.fourths = sums[3] - 4 * delta * sums[2] + 6 * delta * delta * sums[1] -
                       3 * size * delta * delta * delta * delta;
    }
    merge(part);
}

// Pébay (2008), Formulas for robust, one-pass parallel computation of covariances and
// arbitrary-order statistical moments, Sandia SAND2008-6212.
void Shape::merge(const Shape& other) {
    infinite += other.infinite;
    zeros += other.zeros;
    negatives += other.negatives;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    if (other.count == 0.0) return;
    if (count == 0.0) {
        count = other.count;
        mean = other.mean;
        unit = other.unit;
        squares = other.squares;
        cubes = other.cubes;
        fourths = other.fourths;
        return;
    }
    const double apart = std::fabs(other.mean / 2 - mean / 2);
    const bool same = apart == 0.0;
    double common = std::max(unit, other.unit);
    if (!same) common = std::max(common, 2 * unit_of(apart));
    const double ra = unit / common, rb = other.unit / common;
    const double a2 = squares * ra * ra, b2 = other.squares * rb * rb;
    const double a3 = cubes * ra * ra * ra, b3 = other.cubes * rb * rb * rb;
    const double a4 = fourths * ra * ra * ra * ra, b4 = other.fourths * rb * rb * rb * rb;
    const double n = count + other.count, pa = count / n, pb = other.count / n;
    const double delta = same ? 0.0 : other.mean / common - mean / common;
    const double weight = count * pb;  // n₁n₂/n
    squares = a2 + b2 + delta * delta * weight;
    cubes = a3 + b3 + delta * delta * delta * weight * (pa - pb) + 3 * delta * (pa * b2 - pb * a2);
    fourths = a4 + b4 + delta * delta * delta * delta * weight * (pa * pa - pa * pb + pb * pb) +
              6 * delta * delta * (pa * pa * b2 + pb * pb * a2) + 4 * delta * (pa * b3 - pb * a3);
    mean = std::clamp(mean + delta * pb * common, low, high);
    count = n;
    unit = common;
}

}  // namespace stylobate::scan
