// Penalties of a coefficient w, each with what solvers ask of it: value, gradient (the smallest
// subgradient), curvature of the smooth pieces, the conjugate sup_w uw − pen(w), and the proximal
// point argmin_w t·pen(w) + ½(w − v)².
//
// Convex but for MCP and SCAD. A constraint is the penalty 0 inside and ∞ outside.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "descend/losses.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::descend {

inline double sign(double x) {
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

// The proximal point of t|w|, or of it over w ≥ 0.
inline double soft_threshold(double v, double t) {
    return v > t ? v - t : v < -t ? v + t : 0.0;
}
inline double soft_threshold(double v, double t, bool positive) {
    return positive ? (v > t ? v - t : 0.0) : soft_threshold(v, t);
}

// λ|w|
struct L1 {
    double strength;

    double value(double w) const { return strength * std::abs(w); }
    double gradient(double w) const { return strength * sign(w); }
    double curvature(double) const { return 0.0; }
    double conjugate(double u) const { return std::abs(u) <= strength ? 0.0 : infinity; }
    double prox(double v, double t) const { return soft_threshold(v, t * strength); }
};

// ½λw²
struct L2 {
    double strength;

    double value(double w) const { return 0.5 * strength * w * w; }
    double gradient(double w) const { return strength * w; }
    double curvature(double) const { return strength; }
    double conjugate(double u) const {
        return strength > 0.0 ? 0.5 * u * u / strength : u == 0.0 ? 0.0 : infinity;
    }
    double prox(double v, double t) const { return v / (1.0 + t * strength); }
};

// λ₁|w| + ½λ₂w²
struct ElasticNet {
    double l1 = 0.0, l2 = 0.0;

    double value(double w) const { return L1{l1}.value(w) + L2{l2}.value(w); }
    double gradient(double w) const { return L1{l1}.gradient(w) + L2{l2}.gradient(w); }
    double curvature(double) const { return l2; }
    double conjugate(double u) const { return L2{l2}.conjugate(soft_threshold(u, l1)); }
    double prox(double v, double t) const { return soft_threshold(v, t * l1) / (1.0 + t * l2); }

    // What coordinate descent asks: the slope at zero, the curvature it always has, and where
    // gδ + ½hδ² + pen(w + δ) is least.
    double kink() const { return l1; }
    double ridge() const { return l2; }
    double minimiser(double w, double g, double h) const {
        const double bend = h + l2;
        return soft_threshold(bend * w - (g + l2 * w), l1) / bend;
    }
    // Of u less that of w, term by term: small changes keep their digits.
    double change(const std::vector<double>& w, const std::vector<double>& u) const {
        double sum = 0.0;
        for (std::size_t k = 0; k < u.size(); ++k)
            sum +=
                l1 * (std::fabs(u[k]) - std::fabs(w[k])) + 0.5 * l2 * (u[k] - w[k]) * (u[k] + w[k]);
        return sum;
    }
};

// What coordinate descent asks of a penalty that is bent only away from zero.
template <class Own>
struct Concave {
    double strength, concavity;

    double kink() const { return strength; }
    double ridge() const { return 0.0; }
    double minimiser(double w, double g, double h) const {
        return static_cast<const Own*>(this)->prox(w - g / h, 1.0 / h);
    }
    double change(const std::vector<double>& w, const std::vector<double>& u) const {
        const auto& own = *static_cast<const Own*>(this);
        double sum = 0.0;
        for (std::size_t k = 0; k < u.size(); ++k) sum += own.value(u[k]) - own.value(w[k]);
        return sum;
    }
};

// low ≤ w ≤ high
struct Box {
    double low, high;

    double value(double w) const { return w >= low && w <= high ? 0.0 : infinity; }
    double gradient(double) const { return 0.0; }
    double curvature(double) const { return 0.0; }
    double conjugate(double u) const { return u == 0.0 ? 0.0 : u > 0.0 ? u * high : u * low; }
    double prox(double v, double) const { return std::clamp(v, low, high); }
};

// The minimax concave penalty of Zhang (2010): λ|w| − w²/(2γ) up to |w| = γλ, then constant γλ²/2.
struct MCP : Concave<MCP> {  // λ ≥ 0, γ > 0
    double flat() const { return concavity * strength; }
    double value(double w) const {
        const double a = std::min(std::abs(w), flat());
        return strength * a - 0.5 * a * a / concavity;
    }
    double gradient(double w) const {
        return std::abs(w) < flat() ? strength * sign(w) - w / concavity : 0.0;
    }
    double curvature(double w) const {
        return std::abs(w) < flat() && w != 0.0 ? -1.0 / concavity : 0.0;
    }
    double conjugate(double u) const { return u == 0.0 ? 0.0 : infinity; }  // bounded: no growth
    double prox(double v, double t) const {
        if (t < concavity) {
            if (std::abs(v) > flat()) return v;
            return soft_threshold(v, t * strength) / (1.0 - t / concavity);
        }
        // the concave part outweighs the square: the minimum is at 0 or beyond the slope
        return 0.5 * v * v <= t * value(v) ? 0.0 : std::abs(v) >= flat() ? v : 0.0;
    }
};

// The smoothly clipped absolute deviation of Fan & Li (2001): slope λ up to |w| = λ, falling to 0
// at aλ, then constant (a + 1)λ²/2.
struct SCAD : Concave<SCAD> {  // λ ≥ 0, a > 1
    double flat() const { return concavity * strength; }
    double value(double w) const {
        const double a = std::abs(w);
        if (a <= strength) return strength * a;
        if (a >= flat()) return 0.5 * (concavity + 1.0) * strength * strength;
        return (2.0 * flat() * a - a * a - strength * strength) / (2.0 * (concavity - 1.0));
    }
    double gradient(double w) const {
        const double a = std::abs(w);
        if (a <= strength) return strength * sign(w);
        return a < flat() ? (flat() - a) / (concavity - 1.0) * sign(w) : 0.0;
    }
    double curvature(double w) const {
        const double a = std::abs(w);
        return a > strength && a < flat() ? -1.0 / (concavity - 1.0) : 0.0;
    }
    double conjugate(double u) const { return u == 0.0 ? 0.0 : infinity; }
    // The best of the minima of the three pieces: their formulas differ where a − 1 ≤ t.
    double prox(double v, double t) const {
        const double a = std::abs(v);
        const double near = std::min(std::max(a - t * strength, 0.0), strength);
        const double far = std::max(a, flat());
        const double slack = 1.0 - t / (concavity - 1.0);
        double best = near, least = cost(near, a, t);
        if (slack > 0.0) {
            const double middle =
                std::clamp((a - t * flat() / (concavity - 1.0)) / slack, strength, flat());
            if (cost(middle, a, t) < least) best = middle, least = cost(middle, a, t);
        }
        if (cost(far, a, t) < least) best = far;
        return std::copysign(best, v);
    }
    double cost(double w, double v, double t) const { return t * value(w) + 0.5 * square(w - v); }
};

// A penalty over w ≥ 0 only; it must be even, and grow with |w|.
template <class Even>
struct Nonnegative : Even {
    double prox(double v, double t) const { return v > 0.0 ? Even::prox(v, t) : 0.0; }
    double minimiser(double w, double g, double h) const {
        return std::max(Even::minimiser(w, g, h), 0.0);
    }
};

// How far 0 is from g + ∂pen(w).
template <class Penalty>
double violation(const Penalty& penalty, double w, double g) {
    if (w != 0.0) return std::abs(g + penalty.gradient(w));
    return std::max(std::abs(g) - penalty.kink(), 0.0);
}
inline double violation(const ElasticNet& penalty, double w, double g) {
    if (w != 0.0) return std::abs(g + penalty.l2 * w + std::copysign(penalty.l1, w));
    return std::max(std::abs(g) - penalty.l1, 0.0);
}
template <class Even>
double violation(const Nonnegative<Even>& penalty, double w, double g) {
    if (w != 0.0) return std::abs(g + penalty.gradient(w));
    return std::max(-g - penalty.kink(), 0.0);
}

// body(penalty) with the penalty of that name, made of its two numbers.
template <class Body>
auto with_penalty(std::string_view name, double first, double second, const Body& body) {
    if (name == "l1") return body(L1{first});
    if (name == "l2") return body(L2{first});
    if (name == "elastic_net") return body(ElasticNet{first, second});
    if (name == "box") return body(Box{first, second});
    if (name == "mcp") return body(MCP{{first, second}});
    if (name == "scad") return body(SCAD{{first, second}});
    throw InvalidArgument("there is no penalty of this name");
}

// λ‖w‖ of a group of coefficients: all of them zero, or none.
struct Group {
    double strength;

    static double norm(const double* w, long n) {
        double largest = 0.0, sum = 0.0;
        for (long i = 0; i < n; ++i) largest = std::max(largest, std::abs(w[i]));
        if (largest == 0.0 || !std::isfinite(largest)) return largest;
        for (long i = 0; i < n; ++i) sum += square(w[i] / largest);
        return largest * std::sqrt(sum);
    }
    double value(const double* w, long n) const { return strength * norm(w, n); }
    double conjugate(const double* u, long n) const {
        return norm(u, n) <= strength ? 0.0 : infinity;
    }
    // w ← (1 − tλ/‖w‖)₊ w
    void prox(double* w, long n, double t) const {
        const double length = norm(w, n);
        const double keep = length > t * strength ? 1.0 - t * strength / length : 0.0;
        for (long i = 0; i < n; ++i) w[i] = keep > 0.0 ? w[i] * keep : 0.0;
    }
    // w ← λw/‖w‖, zero at zero
    void gradient(double* w, long n) const {
        const double length = norm(w, n);
        for (long i = 0; i < n; ++i) w[i] = length > 0.0 ? strength * (w[i] / length) : 0.0;
    }
};

}  // namespace stylobate::descend
