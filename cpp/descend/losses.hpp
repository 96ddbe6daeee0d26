// Losses ℓ(y, z) of a target y and a linear predictor z, each with what solvers ask of it:
// value, gradient and curvature in z, the conjugate ℓ*(u) = sup_z uz − ℓ(y, z) and the proximal
// point argmin_z tℓ(y, z) + ½(z − v)².
//
// Convex in z unless said otherwise. Where a loss has a kink the gradient is one subgradient and
// the curvature that of the smooth pieces. Conjugates are +∞ outside their domain.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace stylobate::descend {

constexpr double infinity = std::numeric_limits<double>::infinity();

inline double square(double x) {
    return x * x;
}

// x log x, continuous at 0; the conjugates of exponential losses are made of it.
inline double entropy(double x) {
    return x > 0.0 ? x * std::log(x) : x == 0.0 ? 0.0 : infinity;
}

struct ValueAndSlope {
    double value, slope;
};

// The root of an increasing function between low and high: Newton's steps, and halving wherever
// they leave the bracket or shrink it too little (an exponential seen from far right moves by
// ones).
template <class Function>
double increasing_root(const Function& value_and_slope, double low, double high) {
    double z = 0.5 * (low + high);
    for (int step = 0; step < 400 && low < high; ++step) {
        const double width = high - low;
        const auto [value, slope] = value_and_slope(z);
        if (value == 0.0) return z;
        (value > 0.0 ? high : low) = z;
        double next = z - value / slope;
        const bool slow = step % 2 == 1 && high - low > 0.5 * width;
        if (slow || !(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - z) <= 1e-16 * std::abs(z) || next == low || next == high) return next;
        z = next;
    }
    return z;
}

// The proximal point of a smooth loss without a closed form: z + tℓ′(z) = v. By monotonicity the
// root lies between v and v − tℓ′(v).
template <class Loss>
double smooth_prox(const Loss& loss, double y, double v, double t) {
    const auto equation = [&](double z) {
        return ValueAndSlope{z - v + t * loss.gradient(y, z), 1.0 + t * loss.curvature(y, z)};
    };
    const double gradient = loss.gradient(y, v);
    if (gradient == 0.0) return v;
    double reach = t * std::abs(gradient);
    if (!std::isfinite(reach)) reach = std::abs(v) + 1.0;
    double other = gradient > 0.0 ? v - reach : v + reach;
    return gradient > 0.0 ? increasing_root(equation, other, v)
                          : increasing_root(equation, v, other);
}

// ½(y − z)²
struct HalfSquared {
    double value(double y, double z) const { return 0.5 * square(z - y); }
    double gradient(double y, double z) const { return z - y; }
    double curvature(double, double) const { return 1.0; }
    double conjugate(double y, double u) const { return 0.5 * u * u + u * y; }
    double prox(double y, double v, double t) const { return (v + t * y) / (1.0 + t); }
};

// The two-parameter Huber loss h_{λ,μ}(r) of the residual r = z − y: μr² while |r| ≤ λ/(2μ), then
// the tangent of slope λ, λ(|r| − λ/(4μ)). `Huber{ε, ½}` is the usual ½r², ε|r| − ½ε².
struct Huber {
    double slope = 1.0, steepness = 0.5;

    double threshold() const { return slope / (2.0 * steepness); }
    double value(double y, double z) const {
        const double r = std::abs(z - y);
        return r <= threshold() ? steepness * r * r : slope * (r - 0.5 * threshold());
    }
    double gradient(double y, double z) const {
        return std::clamp(2.0 * steepness * (z - y), -slope, slope);
    }
    double curvature(double y, double z) const {
        return std::abs(z - y) <= threshold() ? 2.0 * steepness : 0.0;
    }
    double conjugate(double y, double u) const {
        return std::abs(u) <= slope ? u * u / (4.0 * steepness) + u * y : infinity;
    }
    double prox(double y, double v, double t) const {
        const double r = v - y, shrink = 1.0 + 2.0 * steepness * t;
        if (std::abs(r) <= threshold() * shrink) return y + r / shrink;
        return v - std::copysign(t * slope, r);
    }
};

// The pinball loss: τr for r = y − z ≥ 0, (τ − 1)r below; `Quantile{½}` is half the absolute loss.
struct Quantile {
    double level = 0.5;

    double value(double y, double z) const {
        const double r = y - z;
        return r >= 0.0 ? level * r : (level - 1.0) * r;
    }
    double gradient(double y, double z) const { return z < y ? -level : z > y ? 1.0 - level : 0.0; }
    double curvature(double, double) const { return 0.0; }
    double conjugate(double y, double u) const {
        return u >= -level && u <= 1.0 - level ? u * y : infinity;
    }
    double prox(double y, double v, double t) const {
        const double r = v - y;
        if (r > t * (1.0 - level)) return v - t * (1.0 - level);
        if (r < -t * level) return v + t * level;
        return y;
    }
};

// |y − z|
struct Absolute {
    double value(double y, double z) const { return std::abs(z - y); }
    double gradient(double y, double z) const { return z < y ? -1.0 : z > y ? 1.0 : 0.0; }
    double curvature(double, double) const { return 0.0; }
    double conjugate(double y, double u) const { return std::abs(u) <= 1.0 ? u * y : infinity; }
    double prox(double y, double v, double t) const {
        return y + std::copysign(std::max(std::abs(v - y) - t, 0.0), v - y);
    }
};

// max(|y − z| − ε, 0)
struct EpsilonInsensitive {
    double margin = 0.1;

    double value(double y, double z) const { return std::max(std::abs(z - y) - margin, 0.0); }
    double gradient(double y, double z) const {
        return z > y + margin ? 1.0 : z < y - margin ? -1.0 : 0.0;
    }
    double curvature(double, double) const { return 0.0; }
    double conjugate(double y, double u) const {
        return std::abs(u) <= 1.0 ? u * y + margin * std::abs(u) : infinity;
    }
    double prox(double y, double v, double t) const {
        const double r = std::abs(v - y);
        if (r <= margin) return v;
        return y + std::copysign(std::max(r - t, margin), v - y);
    }
};

// max(|y − z| − ε, 0)²
struct SquaredEpsilonInsensitive {
    double margin = 0.1;

    double excess(double y, double z) const {
        const double r = z - y;
        return r > margin ? r - margin : r < -margin ? r + margin : 0.0;
    }
    double value(double y, double z) const { return square(excess(y, z)); }
    double gradient(double y, double z) const { return 2.0 * excess(y, z); }
    double curvature(double y, double z) const { return excess(y, z) == 0.0 ? 0.0 : 2.0; }
    double conjugate(double y, double u) const {
        return 0.25 * u * u + u * y + margin * std::abs(u);
    }
    double prox(double y, double v, double t) const {
        return v - 2.0 * t / (1.0 + 2.0 * t) * excess(y, v);
    }
};

// log(1 + eᶻ) − yz for y in [0, 1]
struct Logistic {
    double value(double y, double z) const {
        return std::log1p(std::exp(-std::abs(z))) + std::max(z, 0.0) - y * z;
    }
    static double probability(double z) {
        const double e = std::exp(-std::abs(z));
        return (z >= 0.0 ? 1.0 : e) / (1.0 + e);
    }
    double gradient(double y, double z) const {
        // p − 1 = −(1 − p): the complement is computed, not subtracted
        return y == 1.0 ? -probability(-z) : probability(z) - y;
    }
    double curvature(double, double z) const {
        const double e = std::exp(-std::abs(z));
        return e / square(1.0 + e);
    }
    double conjugate(double y, double u) const { return entropy(u + y) + entropy(1.0 - u - y); }
    double prox(double y, double v, double t) const { return smooth_prox(*this, y, v, t); }
};

// max(0, margin − yz), y = ±1; the perceptron's loss has margin 0
struct Hinge {
    double margin = 1.0;

    double value(double y, double z) const { return std::max(margin - y * z, 0.0); }
    double gradient(double y, double z) const { return y * z < margin ? -y : 0.0; }
    double curvature(double, double) const { return 0.0; }
    double conjugate(double y, double u) const {
        const double s = u * y;
        return s >= -1.0 && s <= 0.0 ? margin * s : infinity;
    }
    double prox(double y, double v, double t) const {
        const double m = y * v;
        if (m >= margin) return v;
        return y * std::min(m + t, margin);
    }
};

// max(0, 1 − yz)², y = ±1
struct SquaredHinge {
    double value(double y, double z) const { return square(std::max(1.0 - y * z, 0.0)); }
    double gradient(double y, double z) const { return -2.0 * y * std::max(1.0 - y * z, 0.0); }
    double curvature(double y, double z) const { return y * z < 1.0 ? 2.0 : 0.0; }
    double conjugate(double y, double u) const {
        const double s = u * y;
        return s <= 0.0 ? s + 0.25 * s * s : infinity;
    }
    double prox(double y, double v, double t) const {
        const double m = y * v;
        return m >= 1.0 ? v : y * (m + 2.0 * t) / (1.0 + 2.0 * t);
    }
};

// max(0, 1 − yz)² for yz ≥ −1, −4yz below; y = ±1
struct ModifiedHuber {
    double value(double y, double z) const {
        const double m = y * z;
        return m >= -1.0 ? square(std::max(1.0 - m, 0.0)) : -4.0 * m;
    }
    double gradient(double y, double z) const {
        return y * std::clamp(2.0 * (y * z - 1.0), -4.0, 0.0);
    }
    double curvature(double y, double z) const {
        const double m = y * z;
        return m >= -1.0 && m < 1.0 ? 2.0 : 0.0;
    }
    double conjugate(double y, double u) const {
        const double s = u * y;
        return s >= -4.0 && s <= 0.0 ? s + 0.25 * s * s : infinity;
    }
    double prox(double y, double v, double t) const {
        const double m = y * v;
        if (m >= 1.0) return v;
        const double inside = (m + 2.0 * t) / (1.0 + 2.0 * t);
        return y * (inside >= -1.0 ? inside : m + 4.0 * t);
    }
};

// eᶻ − yz: Poisson's with the logarithm as link, up to a constant; y ≥ 0
struct Poisson {
    double value(double y, double z) const { return std::exp(z) - y * z; }
    double gradient(double y, double z) const { return std::exp(z) - y; }
    double curvature(double, double z) const { return std::exp(z); }
    double conjugate(double y, double u) const { return entropy(u + y) - (u + y); }
    double prox(double y, double v, double t) const { return smooth_prox(*this, y, v, t); }
};

// z + y e⁻ᶻ: Gamma's with the logarithm as link, up to a constant; y > 0
struct Gamma {
    double value(double y, double z) const { return z + y * std::exp(-z); }
    double gradient(double y, double z) const { return 1.0 - y * std::exp(-z); }
    double curvature(double y, double z) const { return y * std::exp(-z); }
    double conjugate(double y, double u) const {
        const double s = 1.0 - u;
        if (s == 0.0) return 0.0;
        return s > 0.0 ? s * (std::log(s / y) - 1.0) : infinity;
    }
    double prox(double y, double v, double t) const { return smooth_prox(*this, y, v, t); }
};

// e^{(2−p)z}/(2−p) − y e^{(1−p)z}/(1−p): Tweedie's of power p with the logarithm as link, up to a
// constant. Powers 1 and 2 are Poisson and Gamma. Convex for 1 ≤ p ≤ 2 only.
struct Tweedie {
    double power = 1.5;

    double value(double y, double z) const {
        if (power == 1.0) return Poisson{}.value(y, z);
        if (power == 2.0) return Gamma{}.value(y, z);
        const double a = 2.0 - power, b = 1.0 - power;
        return std::exp(a * z) / a - (y == 0.0 ? 0.0 : y * std::exp(b * z) / b);
    }
    double gradient(double y, double z) const {
        return std::exp((2.0 - power) * z) - (y == 0.0 ? 0.0 : y * std::exp((1.0 - power) * z));
    }
    double curvature(double y, double z) const {
        const double a = 2.0 - power, b = 1.0 - power;
        return a * std::exp(a * z) - (y == 0.0 ? 0.0 : b * y * std::exp(b * z));
    }
    double conjugate(double y, double u) const {
        if (power == 1.0) return Poisson{}.conjugate(y, u);
        if (power == 2.0) return Gamma{}.conjugate(y, u);
        if (y == 0.0) {
            const double a = 2.0 - power;
            return u > 0.0 ? (u * std::log(u) - u) / a : u == 0.0 ? 0.0 : infinity;
        }
        // for y > 0 the gradient runs from −∞ to ∞: the supremum is where it equals u
        const auto equation = [&](double z) {
            return ValueAndSlope{gradient(y, z) - u, curvature(y, z)};
        };
        double low = std::log(y), high = low;
        for (double step = 1.0; gradient(y, low) > u; step *= 2.0) low -= step;
        for (double step = 1.0; gradient(y, high) < u; step *= 2.0) high += step;
        const double z = increasing_root(equation, low, high);
        return u * z - value(y, z);
    }
    double prox(double y, double v, double t) const { return smooth_prox(*this, y, v, t); }
};

}  // namespace stylobate::descend
